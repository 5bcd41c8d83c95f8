/** The most inputs that are kept, and the most characters of one. */
const mostInputs = 100;
const longestInput = 10_000;

/** Returns the inputs with a new one at the end, each text once, without the oldest if there are too many. */
export function withInput(inputs: readonly string[], added: string): readonly string[] {
  const text = added.trim();
  if (text === "" || text.length > longestInput) return inputs;
  return [...inputs.filter((one) => one !== text), text].slice(-mostInputs);
}

/** Goes back and forth in earlier inputs. What was typed before stays, and comes back after the newest. */
export class InputHistory {
  /** The number of steps back; 0: the draft. */
  private steps = 0;
  private draft = "";

  /** @param inputs returns the earlier inputs, oldest first */
  constructor(private readonly inputs: () => readonly string[]) {}

  /** Whether an earlier input is recalled, and not the draft. */
  get isRecalled(): boolean {
    return this.steps > 0;
  }

  /** Forgets where it is, because the user types or has sent something. */
  reset(): void {
    this.steps = 0;
  }

  /**
   * Returns the text after a step; `undefined` if there is nothing further in that direction.
   *
   * @param step 1: back; -1: forth
   * @param typed what the input holds now
   */
  move(step: 1 | -1, typed: string): string | undefined {
    const inputs = this.inputs();
    const next = this.steps + step;
    if (next < 0 || next > inputs.length) return undefined;
    if (this.steps === 0) this.draft = typed;
    this.steps = next;
    return next === 0 ? this.draft : inputs[inputs.length - next];
  }
}
