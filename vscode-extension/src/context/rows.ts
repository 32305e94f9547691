/** What a search shows in its list. */

import type { ContextResult, PassageResult } from "../protocol";

export interface Row {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  /** The server has ranked; the editor's own filter would hide what does not spell the words. */
  readonly alwaysShow: true;
  readonly passage: PassageResult;
}

const ICONS: Readonly<Record<string, string>> = {
  function: "symbol-function",
  method: "symbol-method",
  class: "symbol-class",
  module: "symbol-file",
  section: "book",
  table: "symbol-property",
};

export function rows({ passages }: Pick<ContextResult, "passages">): Row[] {
  return passages.map((passage) => ({
    label: `$(${ICONS[passage.kind] ?? "symbol-misc"}) ${passage.name === "" ? passage.path : passage.name}`,
    description: `${passage.path}:${passage.lines.first + 1}`,
    detail: passage.why.join(" · "),
    alwaysShow: true,
    passage,
  }));
}

/** What stands above the list: which tiers spoke, and why others did not. */
export function title({ passages, tiers, degraded }: Pick<ContextResult, "passages" | "tiers" | "degraded">): string {
  const found = passages.length === 0 ? "nothing found" : `${passages.length} found by ${tiers.join(", ")}`;
  const missing = Object.entries(degraded).map(([tier, reason]) => `${tier}: ${reason}`);
  return ["gateline", found, ...missing].join(" · ");
}
