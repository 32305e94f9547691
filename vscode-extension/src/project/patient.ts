/** Asks something that may be slow once for each key, and waits for it only so long. */

const LATE = Symbol("late");

export class Patient<Answer> {
  private readonly asked = new Map<string, Promise<Answer | undefined>>();

  constructor(
    private readonly ask: (key: string) => Promise<Answer | undefined>,
    /** Ends when nobody should wait any longer. */
    private readonly patience: () => Promise<void>,
    /** An answer came after its question was given up. */
    private readonly onLate: () => void,
  ) {}

  /** The answer; undefined when there is none, or none yet. A failure is no answer. */
  async get(key: string): Promise<Answer | undefined> {
    const answer = this.asked.get(key) ?? this.begin(key);
    const found = await Promise.race([answer, this.patience().then((): typeof LATE => LATE)]);
    if (found !== LATE) return found;
    void answer.then((given) => this.tell(key, answer, given));
    return undefined;
  }

  /** Ask again from now on. */
  forget(): void {
    this.asked.clear();
  }

  private begin(key: string): Promise<Answer | undefined> {
    const answer = this.ask(key).catch(() => undefined);
    this.asked.set(key, answer);
    return answer;
  }

  private tell(key: string, answer: Promise<Answer | undefined>, given: Answer | undefined): void {
    if (given !== undefined && this.asked.get(key) === answer) this.onLate();
  }
}
