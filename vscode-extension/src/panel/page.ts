/** The page around the panel. It may load its own script and style sheet, and nothing else. */

import { html } from "./html";

export interface Sources {
  /** Where style sheets may come from, in the words of a content security policy. */
  readonly origin: string;
  readonly script: string;
  readonly style: string;
  /** Made anew for each page; without it no script runs. */
  readonly nonce: string;
}

export function page({ origin, script, style, nonce }: Sources): string {
  const policy = `default-src 'none'; style-src ${origin}; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>gateline</title>
<link rel="stylesheet" href="${style}">
</head>
<body>
<main id="panel" tabindex="-1"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`.text;
}
