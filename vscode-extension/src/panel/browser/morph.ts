/** Changes the page into what it should be, touching only what differs: focus, scroll and selection stay. */

import morphdom from "morphdom";
import type { Memory } from "./memory";

export function morph(root: HTMLElement, wanted: string, memory: Memory): void {
  morphdom(root, `<main>${wanted}</main>`, {
    childrenOnly: true,
    getNodeKey: (node) => (node instanceof Element ? (node.getAttribute("data-key") ?? node.id) : ""),
    onBeforeNodeAdded: (node) => {
      if (node instanceof Element) memory.unfold(node);
      return node;
    },
    onBeforeElUpdated: (before, after) => {
      // What the person opened, and where the keys have gone in a list, is not in the HTML.
      if (before instanceof HTMLDetailsElement) after.toggleAttribute("open", before.open);
      const place = before.getAttribute("tabindex");
      if (place !== null && after.hasAttribute("tabindex")) after.setAttribute("tabindex", place);
      return !before.isEqualNode(after);
    },
  });
}
