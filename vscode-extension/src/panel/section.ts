/** The frame of a part of the panel: a heading that names it, and what stands below. */

import { html, type Content, type Html } from "./html";

export function section(id: string, title: string, content: Content, beside: Content = null): Html {
  return html`<section class="${id}" aria-labelledby="${id}-title" data-key="${id}">
    <h2 id="${id}-title">${title}${beside !== null && html` <span class="beside">${beside}</span>`}</h2>
    ${content}
  </section>`;
}

/** A list that is folded up until somebody wants it; whether it is open is kept by the page. */
export function folded(key: string, title: string, count: number, content: Content): Html | null {
  if (count === 0) return null;
  return html`<details data-key="${key}"><summary>${title} <span class="count">${count}</span></summary>${content}</details>`;
}

export function button(command: string, title: string, kind: "primary" | "secondary" = "secondary"): Html {
  return html`<button type="button" class="${kind}" data-command="${command}" data-key="button-${command}">${title}</button>`;
}
