/** Requests that meet a server which ends, or was killed: nobody is to blame for them, and they have no answer. */

import type { Middleware, ResponseError as Answered } from "vscode-languageclient/node";

interface Library {
  readonly ResponseError: typeof Answered;
  readonly ErrorCodes: { readonly MessageWriteError: number; readonly ConnectionInactive: number };
}

type SendRequest = NonNullable<Middleware["sendRequest"]>;

/**
 * For the library an error of a request is one of the server, and goes into the host's log with a stack; only
 * `ConnectionInactive` is none. What the server said itself while it ran stays an error.
 */
export function sender({ ResponseError, ErrorCodes }: Library, isRunning: () => boolean): SendRequest {
  const saidByServer = (error: unknown) =>
    isRunning() && error instanceof ResponseError && error.code !== ErrorCodes.MessageWriteError;
  return async (type, param, token, next) => {
    try {
      return await next(type, param, token);
    } catch (error) {
      if (saidByServer(error)) throw error;
      throw new ResponseError(ErrorCodes.ConnectionInactive, "the server ended meanwhile");
    }
  };
}
