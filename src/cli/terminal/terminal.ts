import type { WriteStream } from "node:tty";
import { Redactor } from "../../core/text/redactor.js";
import { createStyle, type Style } from "./style.js";
import { terminalText } from "./terminalText.js";

/** The escape sequences of our own: looks, and the end of a progress line. */
const ours = /(\u001b\[\d+m|\r\u001b\[K)/;

/**
 * Prints to the terminal of this process. Keys are redacted, and all but our own looks is made safe with `terminalText`, whoever
 * has printed it.
 */
export class Terminal {
  /** Redacts the keys that this process was given. */
  readonly redactor = new Redactor();
  readonly style: Style;
  readonly errorStyle: Style;
  /** The first error of the standard output. */
  outputError: Error | undefined;

  constructor(
    /** Standard output, for a command that speaks a protocol there and prints nothing. */
    readonly output: WriteStream,
    private readonly errors: WriteStream,
    private readonly input: { readonly isTTY?: boolean },
    env: NodeJS.ProcessEnv,
  ) {
    const { OPENAI_API_KEY, ANTHROPIC_API_KEY, ROOROO_SEARCH_KEY } = env;
    this.redactor.learn(OPENAI_API_KEY, ANTHROPIC_API_KEY, ROOROO_SEARCH_KEY);
    this.style = createStyle(output, env);
    this.errorStyle = createStyle(errors, env);
    // A reader may close its end (`rooroo … | head`); the work continues.
    output.on("error", (error: Error) => {
      this.outputError ??= error;
    });
    errors.on("error", () => undefined);
  }

  /** Prints results and the conversation to standard output. */
  print(text: string): void {
    this.output.write(this.safe(text));
  }

  /** Prints to standard error what is not part of the result: warnings, errors, questions to the user. */
  printError(text: string): void {
    this.errors.write(this.safe(text));
  }

  private safe(text: string): string {
    const parts = this.redactor.text(text).split(ours);
    return parts.map((part, at) => (at % 2 === 0 ? terminalText(part) : part)).join("");
  }

  /** The stream on which the user edits a line in place. */
  get prompts(): WriteStream {
    return this.errors;
  }

  /** Whether an unfinished line may be overwritten. */
  get canOverwrite(): boolean {
    return this.output.isTTY && this.style.isOn;
  }

  /** Characters per line; 200 if the output is not a terminal. */
  get columns(): number {
    return this.output.isTTY ? this.output.columns || 80 : 200;
  }

  /** Whether the user can be asked at this terminal. */
  get hasPerson(): boolean {
    return this.input.isTTY === true && this.errors.isTTY;
  }

  /** Resolves when both streams have taken everything that was printed. */
  async flush(): Promise<void> {
    const streams = [this.output, this.errors];
    await Promise.all(
      streams.map(
        (stream) =>
          new Promise<void>((resolve) => {
            if (stream.destroyed || stream.writableEnded) resolve();
            else
              stream.write("", () => {
                resolve();
              });
          }),
      ),
    );
  }
}
