/** The keyboard: one stop of a list is in the tab order, the arrows go to the others. */

const STEPS: Readonly<Record<string, (at: number, length: number) => number>> = {
  ArrowDown: (at, length) => Math.min(at + 1, length - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, length) => length - 1,
};

export function moveWithin(event: KeyboardEvent): void {
  const step = STEPS[event.key];
  const row = event.target instanceof Element ? event.target.closest<HTMLElement>("button.head") : null;
  const rows = rowsAround(row);
  if (step === undefined || row === null || rows.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const next = rows[step(rows.indexOf(row), rows.length)];
  if (next !== undefined) enter(next, rows);
}

function rowsAround(row: Element | null): HTMLElement[] {
  return [...(row?.closest("[data-roving]")?.querySelectorAll<HTMLElement>("button.head") ?? [])];
}

function enter(row: HTMLElement, rows: readonly HTMLElement[]): void {
  reach(row, rows);
  row.focus();
}

/** Puts one row, with the link in it, in the tab order. */
function reach(row: HTMLElement | undefined, rows: readonly HTMLElement[]): void {
  for (const other of rows) {
    const stops = [other, ...(other.closest("li")?.querySelectorAll<HTMLElement>("a") ?? [])];
    for (const stop of stops) stop.tabIndex = other === row ? 0 : -1;
  }
}

/** Where the focus was, it is again after a change; when its row is gone, on the one in its place, else on the page. */
export function keepFocus(root: HTMLElement, change: () => void): void {
  const focused = document.activeElement instanceof HTMLElement && root.contains(document.activeElement) ? document.activeElement : null;
  const list = focused?.closest("[data-roving]")?.getAttribute("data-roving");
  const at = focused === null ? -1 : rowsAround(focused).indexOf(focused);
  change();
  for (const each of root.querySelectorAll("[data-roving]")) settle(each);
  if (focused === null || document.activeElement === focused) return;
  // An element that was moved has lost the focus.
  if (focused.isConnected) {
    focused.focus({ preventScroll: true });
    return;
  }
  const rows = [...root.querySelectorAll<HTMLElement>(`[data-roving="${list ?? ""}"] button.head`)];
  const next = rows[Math.min(at, rows.length - 1)];
  if (next !== undefined) enter(next, rows);
  else root.focus({ preventScroll: true });
}

/** Exactly one row of a list can be reached with Tab. */
function settle(list: Element): void {
  const rows = [...list.querySelectorAll<HTMLElement>("button.head")];
  reach(rows.find((row) => row.tabIndex === 0) ?? rows[0], rows);
}
