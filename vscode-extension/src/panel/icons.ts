/** The few pictures, drawn here so that the page loads no font. They are decoration: words stand beside them. */

import { html, type Html } from "./html";

const PATHS = {
  error: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm-2.6 3.2L8 7.3l2.6-2.6.7.7L8.7 8l2.6 2.6-.7.7L8 8.7l-2.6 2.6-.7-.7L7.3 8 4.7 5.4l.7-.7Z",
  warning: "M8 1.8 1.2 14h13.6L8 1.8Zm-.6 4h1.2v4.4H7.4V5.8Zm0 5.4h1.2v1.2H7.4v-1.2Z",
  information: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm-.6 2.9h1.2v1.2H7.4V4.4Zm0 2.5h1.2v4.8H7.4V6.9Z",
  hint: "M8 3.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6Zm0 1.1a3.7 3.7 0 1 1 0 7.4 3.7 3.7 0 0 1 0-7.4Z",
  pass: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm-.9 9.3L4.3 8l.8-.8 2 2 3.8-3.8.8.8-4.6 4.6Z",
  unknown: "M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13Zm-.6 9.3h1.2V12H7.4v-1.2Zm1.2-1.3H7.4c0-1.9 1.7-2 1.7-3.2 0-.6-.5-1-1.1-1-.7 0-1.1.5-1.2 1.2l-1.2-.2C5.7 5 6.7 4.1 8 4.1s2.3.9 2.3 2.1c0 1.8-1.7 2-1.7 3.3Z",
} as const;

export type Icon = keyof typeof PATHS;

export function icon(name: Icon): Html {
  return html`<svg class="icon ${name}" viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${PATHS[name]}"></path></svg>`;
}
