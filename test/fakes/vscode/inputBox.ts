import type * as real from "vscode";
import { InputBoxValidationSeverity } from "./enums.js";
import { EventEmitter } from "./events.js";

type Validate = NonNullable<real.InputBoxOptions["validateInput"]>;

/** A line into which a person types. */
export class InputBox {
  readonly title: string | undefined;
  readonly prompt: string | undefined;
  readonly isPassword: boolean;
  /** What stood in it when it was shown. */
  readonly value: string;
  /** What was said of the last text that was typed. */
  validation: string | real.InputBoxValidationMessage | undefined;
  isShown = true;
  private readonly done = new EventEmitter<string | undefined>();
  private readonly validate: Validate | undefined;
  readonly onDidEnd = this.done.event;

  constructor(options: real.InputBoxOptions) {
    this.title = options.title;
    this.prompt = options.prompt ?? options.placeHolder;
    this.isPassword = options.password ?? false;
    this.value = options.value ?? "";
    this.validate = options.validateInput;
  }

  /** Types a text in place of what stands there, without Enter. Returns what is said of it. */
  async type(text: string): Promise<string | real.InputBoxValidationMessage | undefined> {
    this.validation = (await this.validate?.(text)) ?? undefined;
    return this.validation;
  }

  /** Types a text and presses Enter. Throws where VS Code would not take it. */
  async enter(text: string): Promise<void> {
    const said = await this.type(text);
    const isRefused =
      said !== undefined &&
      said !== "" &&
      (typeof said === "string" || said.severity === InputBoxValidationSeverity.Error);
    if (isRefused) {
      const words = typeof said === "string" ? said : said.message;
      this.end(undefined);
      throw new Error(`The input does not take "${text}": ${words}`);
    }
    this.end(text);
  }

  hide(): void {
    this.end(undefined);
  }

  private end(text: string | undefined): void {
    if (!this.isShown) return;
    this.isShown = false;
    this.done.fire(text);
  }
}
