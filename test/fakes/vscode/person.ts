import type * as real from "vscode";
import type { InputBox } from "./inputBox.js";
import type { QuickPick } from "./quickPick.js";

export interface ShownMessage {
  readonly kind: "information" | "warning" | "error";
  readonly text: string;
  readonly detail: string | undefined;
  readonly isModal: boolean;
  readonly buttons: readonly string[];
  /** The button that was clicked. */
  clicked: string | undefined;
}

/** Rows of a list: by their labels (also without their icons), the number of one, or one itself; nothing: Escape. */
type Chosen = string | RegExp | number | readonly string[] | real.QuickPickItem | undefined;

/** What is chosen of a list; a function looks at the list first. */
export type Choice = Chosen | ((items: readonly real.QuickPickItem[]) => Later<Chosen>);

type Later<T> = T | Promise<T>;

/**
 * The person in front of the window. What they do next is said before: `clicks` for the buttons of messages, `picks` for
 * lists, `types` for inputs, `paths` for dialogs of files. A message for which nothing was said is dismissed; a list or an
 * input stays open, as `quickPick` or `inputBox`.
 */
export class Person {
  /** All that was shown, the oldest first. */
  readonly messages: ShownMessage[] = [];
  /** What lists and inputs were shown, by their titles or prompts. */
  readonly asked: string[] = [];
  private lastList: QuickPick<real.QuickPickItem> | undefined;
  private lastInput: InputBox | undefined;
  private readonly clicking: Later<string | undefined>[] = [];
  private readonly picking: Choice[] = [];
  private readonly typing: (string | undefined)[] = [];
  private readonly choosing: (readonly real.Uri[] | undefined)[] = [];

  /** The list that is open. */
  get quickPick(): QuickPick<real.QuickPickItem> | undefined {
    return this.lastList?.isShown === true ? this.lastList : undefined;
  }

  /** The input that is open. */
  get inputBox(): InputBox | undefined {
    return this.lastInput?.isShown === true ? this.lastInput : undefined;
  }

  clicks(...buttons: readonly Later<string | undefined>[]): this {
    this.clicking.push(...buttons);
    return this;
  }

  picks(...choices: readonly Choice[]): this {
    this.picking.push(...choices);
    return this;
  }

  types(...texts: readonly (string | undefined)[]): this {
    this.typing.push(...texts);
    return this;
  }

  paths(...paths: readonly (readonly real.Uri[] | undefined)[]): this {
    this.choosing.push(...paths);
    return this;
  }

  /** The texts of all messages, or of those of a kind. */
  said(kind?: ShownMessage["kind"]): string[] {
    return this.messages.flatMap((one) =>
      kind === undefined || one.kind === kind ? one.text : [],
    );
  }

  /** What was said that has not been done: empty when a test has come to its end. */
  get left(): readonly unknown[] {
    return [...this.clicking, ...this.picking, ...this.typing, ...this.choosing];
  }

  /** Forgets what was said and has not been done. */
  forget(): void {
    for (const list of [this.clicking, this.picking, this.typing, this.choosing]) list.length = 0;
  }

  /** Called for each message; resolves with the button. */
  async read(message: ShownMessage): Promise<string | undefined> {
    this.messages.push(message);
    const { isModal, buttons } = message;
    // What waits for a later moment is meant for the next message that asks something.
    const [next] = this.clicking;
    const isMeant =
      this.clicking.length > 0 &&
      (next === undefined ? isModal : typeof next !== "string" || buttons.includes(next));
    if (!isMeant || (buttons.length === 0 && !isModal)) return undefined;
    void this.clicking.shift();
    message.clicked = await next;
    return message.clicked;
  }

  /** Called when a list is shown. */
  look<T extends real.QuickPickItem>(list: QuickPick<T>): void {
    const shown = list as unknown as QuickPick<real.QuickPickItem>;
    this.lastList = shown;
    this.asked.push(list.title ?? list.placeholder ?? "");
    if (this.picking.length > 0) void this.choose(this.picking.shift(), shown);
  }

  /** Called when an input is shown. */
  lookAt(input: InputBox): void {
    this.lastInput = input;
    this.asked.push(input.title ?? input.prompt ?? "");
    if (this.typing.length === 0) return;
    const text = this.typing.shift();
    queueMicrotask(() => {
      if (text === undefined) input.hide();
      else void input.enter(text);
    });
  }

  choosePaths(): readonly real.Uri[] | undefined {
    return this.choosing.shift();
  }

  /** Takes what is open as it stands, as Enter does. */
  async accept(): Promise<void> {
    if (this.quickPick !== undefined) this.quickPick.accept();
    else await this.inputBox?.enter(this.inputBox.value);
  }

  /** Closes what is open, as Escape does. */
  leave(): void {
    this.quickPick?.hide();
    this.inputBox?.hide();
  }

  private async choose(choice: Choice, list: QuickPick<real.QuickPickItem>): Promise<void> {
    await Promise.resolve();
    const chosen = typeof choice === "function" ? await choice(list.items) : choice;
    if (chosen === undefined) list.hide();
    else list.choose(chosen);
  }
}
