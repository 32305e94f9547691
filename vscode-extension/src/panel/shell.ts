/** The document around a page of ours: it may load what its policy names, and nothing else. */

import { html, type Html } from "./html";

export interface Shell {
  readonly title: string;
  /** Where style sheets may come from, in the words of a content security policy. */
  readonly origin: string;
  readonly style: string;
  /** Of the only script that may run; without one none does. */
  readonly nonce?: string;
}

export function shell(body: Html, { title, origin, style, nonce }: Shell): string {
  const script = nonce === undefined ? "" : ` script-src 'nonce-${nonce}';`;
  const policy = `default-src 'none'; style-src ${origin};${script} base-uri 'none'; form-action 'none'`;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
${body}
</body>
</html>`.text;
}
