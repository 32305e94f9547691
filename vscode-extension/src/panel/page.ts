/** The page around the panel. It may load its own script and style sheet, and nothing else. */

import { html } from "./html";
import { shell } from "./shell";

export interface Sources {
  /** Where style sheets may come from, in the words of a content security policy. */
  readonly origin: string;
  readonly script: string;
  readonly style: string;
  /** Made anew for each page; without it no script runs. */
  readonly nonce: string;
}

export function page({ origin, script, style, nonce }: Sources): string {
  const body = html`<main id="panel" tabindex="-1"></main>
<script nonce="${nonce}" src="${script}"></script>`;
  return shell(body, { title: "gateline", origin, style, nonce });
}
