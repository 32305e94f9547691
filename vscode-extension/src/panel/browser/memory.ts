/** What the page remembers while it is hidden, when VS Code throws it away: what is unfolded, and the scroll. */

interface Store {
  getState(): unknown;
  setState(state: unknown): void;
}

export class Memory {
  private readonly open: Set<string>;
  private scroll: number;

  constructor(private readonly store: Store) {
    const { open, scroll } = (store.getState() ?? {}) as { open?: unknown; scroll?: unknown };
    this.open = new Set(Array.isArray(open) ? open.map(String) : []);
    this.scroll = typeof scroll === "number" ? scroll : 0;
    // `toggle` does not bubble, but it can be caught on its way down.
    document.addEventListener("toggle", ({ target }) => this.toggled(target), true);
    document.addEventListener("scrollend", () => this.keep(window.scrollY));
  }

  /** Open what was open in a part of the page that is new. */
  unfold(added: Element): void {
    const inside = [added, ...added.querySelectorAll("details")];
    for (const each of inside) {
      if (each instanceof HTMLDetailsElement && this.open.has(each.dataset["key"] ?? "")) each.open = true;
    }
  }

  scrollBack(): void {
    window.scrollTo(0, this.scroll);
  }

  private toggled(target: EventTarget | null): void {
    if (!(target instanceof HTMLDetailsElement)) return;
    const key = target.dataset["key"] ?? "";
    if (target.open) this.open.add(key);
    else this.open.delete(key);
    this.keep(this.scroll);
  }

  private keep(scroll: number): void {
    this.scroll = scroll;
    this.store.setState({ open: [...this.open], scroll });
  }
}
