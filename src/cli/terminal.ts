import type { WriteStream } from "node:tty";
import { Redactor } from "../core/redactor.js";
import { createStyle, type Style } from "./style.js";

/**
 * Where this process prints. What it is given is printed as it is, but for keys: see `terminalText`.
 */
export class Terminal {
  /** Knows the keys that this process was given. */
  readonly redactor = new Redactor();
  readonly style: Style;
  readonly errorStyle: Style;

  constructor(
    private readonly output: WriteStream,
    private readonly errors: WriteStream,
    private readonly input: { readonly isTTY?: boolean },
    env: NodeJS.ProcessEnv,
  ) {
    this.redactor.learn(env["OPENAI_API_KEY"], env["ROOROO_SEARCH_KEY"]);
    this.style = createStyle(output, env);
    this.errorStyle = createStyle(errors, env);
    // Whoever reads may stop reading (`rooroo … | head`); the work goes on without them.
    for (const stream of [output, errors]) stream.on("error", () => undefined);
  }

  /** Results and conversation. */
  print(text: string): void {
    this.output.write(this.redactor.text(text));
  }

  /** What is not part of the result: warnings, errors, questions to the person who is here. */
  printError(text: string): void {
    this.errors.write(this.redactor.text(text));
  }

  /** Where a line is edited in place. */
  get prompts(): WriteStream {
    return this.errors;
  }

  /** A line that is being worked on may be overwritten. */
  get canOverwrite(): boolean {
    return this.output.isTTY && this.style.isOn;
  }

  /** Characters of a line. */
  get columns(): number {
    return this.output.isTTY ? this.output.columns || 80 : 200;
  }

  /** Somebody is there to be asked. */
  get hasPerson(): boolean {
    return this.input.isTTY === true && this.errors.isTTY;
  }

  /** Resolves when everything has been handed over. */
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
