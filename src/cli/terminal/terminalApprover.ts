import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { ApprovalDecision, ApprovalRequest, Approver } from "../../core/approvals/approver.js";
import { allSpoken } from "../../core/text/allSpoken.js";
import { t } from "../language/language.js";
import { coloredDiff } from "./style.js";
import type { Terminal } from "./terminal.js";
import { indented, terminalText } from "./terminalText.js";

/** The approver for when no user can be asked: whatever needs an approval waits for it. */
export const noApprover: Approver = {
  isUnattended: true,
  request: () => Promise.resolve({ type: "unavailable" }),
};

/** Returns an approver that asks at the terminal, if a user is there. */
export function createApprover({
  terminal,
  input,
}: {
  readonly terminal: Terminal;
  readonly input: Readable;
}): Approver {
  return terminal.hasPerson ? new TerminalApprover(input, terminal) : noApprover;
}

/** Asks the user at the terminal, one question at a time, on standard error. */
export class TerminalApprover implements Approver {
  private last: Promise<unknown> = Promise.resolve();
  private hasLeft = false;

  constructor(
    private readonly input: Readable & { readonly isTTY?: boolean },
    private readonly terminal: Terminal,
  ) {}

  /** Whether the input has ended. */
  get isUnattended(): boolean {
    return this.hasLeft;
  }

  request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    const asked = this.last.then(() => this.ask(request, signal));
    this.last = asked.catch(() => undefined);
    return asked;
  }

  private async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    this.show(request);
    const { action, options, editable } = request;
    const { bold } = this.terminal.errorStyle;
    const isSpend = action.access === "spend";
    const choices = [
      t("[y] yes"),
      ...(options.length > 0 ? [t("[t] for this task, [s] this session, [a] always")] : []),
      ...(editable?.kind === "command" ? [t("[e] edit")] : []),
      isSpend ? t("[n] no, stop") : t("[n] no, or say why not"),
    ];
    for (;;) {
      this.terminal.printError(
        `  ${bold(isSpend ? t("Go on?") : t("Allow?"))} ${choices.join(", ")}: `,
      );
      const line = await this.readLine(signal);
      if (line === undefined) {
        this.terminal.printError("\n");
        this.hasLeft = true;
        return { type: "unavailable" };
      }
      const words = line.trim();
      if (editable?.kind === "command" && /^e(dit)?$/i.test(words)) {
        const text = await this.readEdited(editable.text, signal);
        if (text === undefined) return { type: "unavailable" };
        if (text.trim() !== "") return { type: "edited", text };
      } else {
        const decision = decisionOf(words, options.length);
        if (decision !== undefined) return decision;
      }
    }
  }

  /** Shows exactly what would happen, as the action describes it. */
  private show(request: ApprovalRequest): void {
    const { action, why, options } = allSpoken(request, t);
    const { title, preview } = action;
    const { bold, yellow, dim } = this.terminal.errorStyle;
    const text = terminalText(preview.text.trimEnd());
    const inFolder = action.access === "command" && action.path !== "";
    const folder = inFolder ? `  ${t("in {0}", terminalText(action.path))}` : "";
    const isOutside = "inside" in action && !action.inside;
    const where = isOutside ? `  ${yellow(t("outside the workspace"))}` : "";
    const lines = [`\n${yellow("?")} ${bold(terminalText(title))}${folder}${where}\n`];
    // The title of a short action already contains all of its preview.
    if (!title.includes(preview.text)) {
      const shown = preview.kind === "diff" ? coloredDiff(text, this.terminal.errorStyle) : text;
      lines.push(indented(shown, "    "), "\n");
    }
    lines.push(dim(`  ${terminalText(why)}`), "\n");
    const { length } = options;
    if (length === 1)
      lines.push(dim(`  ${t("t, s and a grant: {0}", terminalText(options[0] ?? ""))}`), "\n");
    if (length > 1) {
      lines.push(
        dim(`  ${t("t, s and a grant the first of these permissions; t2, s2 and a2 the second:")}`),
        "\n",
      );
      options.forEach((option, index) => {
        lines.push(dim(`    ${index + 1}. ${terminalText(option)}`), "\n");
      });
    }
    this.terminal.printError(lines.join(""));
  }

  /** Reads the command as the user edits it, in place if possible; `undefined` at the end of the input. */
  private async readEdited(text: string, signal: AbortSignal): Promise<string | undefined> {
    // In a prefilled line, a line break would submit it, and other control characters would act too.
    const inPlace = this.input.isTTY === true && !/[\p{Cc}\p{Cf}]/u.test(text);
    this.terminal.printError(
      inPlace ? "" : `  ${t("Type the new command on one line (empty: keep it as it is).")}\n`,
    );
    return this.readLine(signal, inPlace ? text : "", "  $ ");
  }

  /**
   * Reads one line; `undefined` at the end of the input. Rejects with the signal's reason.
   *
   * @param text the text that the line already holds; needs a terminal if it is not empty
   */
  private readLine(signal: AbortSignal, text = "", prompt = ""): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      // Uses readline's terminal mode only for editing: without that mode, Ctrl-C stays a signal, which
      // stops the work.
      const terminal = text !== "";
      const output = terminal ? { output: this.terminal.prompts } : {};
      const lines = createInterface({ input: this.input, terminal, ...output });
      const settle = (then: () => void) => {
        signal.removeEventListener("abort", abort);
        lines.removeAllListeners();
        lines.close();
        then();
      };
      const abort = () => {
        settle(() => {
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the port says: the signal's reason
          reject(signal.reason);
        });
      };
      signal.addEventListener("abort", abort, { once: true });
      lines.once("line", (line) => {
        settle(() => {
          resolve(line);
        });
      });
      lines.once("close", () => {
        settle(() => {
          resolve(undefined);
        });
      });
      lines.on("SIGINT", () => {
        process.kill(process.pid, "SIGINT");
      });
      if (!terminal) this.terminal.printError(prompt);
      else {
        lines.setPrompt(prompt);
        lines.prompt();
        lines.write(text);
      }
    });
  }
}

const scopes = { t: "task", s: "session", a: "always" } as const;

/** Parses the user's reply; `undefined`: ask again. Any text that is not a clear yes is a denial. */
function decisionOf(words: string, options: number): ApprovalDecision | undefined {
  if (words === "") return undefined;
  if (/^y(es)?$/i.test(words)) return { type: "allowed", scope: "once" };
  if (/^no?$/i.test(words)) return { type: "denied" };
  const [, letter, number = "1"] = /^([tsa])(\d?)$/i.exec(words) ?? [];
  if (letter === undefined) return { type: "denied", reason: words };
  const option = Number(number || "1") - 1;
  if (option < 0 || option >= options) return undefined;
  return { type: "allowed", scope: scopes[letter.toLowerCase() as keyof typeof scopes], option };
}
