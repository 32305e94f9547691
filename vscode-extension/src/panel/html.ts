/** HTML that is safe by construction: what is put into a template is escaped, unless a template made it. */

export class Html {
  constructor(readonly text: string) {}
}

export type Content = Html | string | number | false | null | undefined | readonly Content[];

export const NOTHING = new Html("");

/** A tagged template. Attribute values must stand in double quotes. */
export function html(strings: TemplateStringsArray, ...values: readonly Content[]): Html {
  return new Html(strings.reduce((text, string, at) => text + rendered(values[at - 1]) + string));
}

function rendered(value: Content): string {
  if (value instanceof Html) return value.text;
  if (typeof value === "string" || typeof value === "number") return escaped(String(value));
  return value === false || value === null || value === undefined ? "" : value.map(rendered).join("");
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Control characters, and those that turn text around, would make a message look like another one. */
const DECEIVING = /(?![\t\n])\p{Cc}|[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Nearly all text is harmless, and this is asked of every word of the page. */
const HARMLESS = /^[^&<>"'\p{Cc}\u200e-\u2069]*$/u;

export function escaped(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text.replace(DECEIVING, "\ufffd").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** A sentence for where names cannot stand in code, as a tooltip. */
export function unmarked(text: string): string {
  return text.replace(/`/g, "");
}

/** A sentence in which `names` stand in code. */
export function prose(text: string): Html {
  const parts = text.split(/(`[^`]+`)/);
  return html`${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part.slice(1, -1)}</code>` : part))}`;
}
