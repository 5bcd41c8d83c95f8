import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { Intent } from "../core/agent/tool.js";
import type { ApprovalDecision, ApprovalRequest, Approver } from "../core/approvals/approver.js";
import { coloredDiff } from "./coloredDiff.js";
import { indented } from "./indented.js";
import type { Terminal } from "./terminal.js";
import { terminalText } from "./terminalText.js";

/** Asks the person at the terminal; the question goes to standard error. */
export class TerminalApprover implements Approver {
  constructor(
    private readonly input: Readable,
    private readonly terminal: Terminal,
  ) {}

  async request({ intent }: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    this.show(intent);
    for (;;) {
      const mayRepeat = !("inside" in intent) || intent.inside;
      const task = mayRepeat ? ", [t] yes, for this whole task" : "";
      const { bold } = this.terminal.errorStyle;
      this.terminal.printError(`  ${bold("Allow?")} [y] yes${task}, [n] no, or say why not: `);
      const line = await this.readLine(signal);
      if (line === undefined) {
        this.terminal.printError("\n");
        return { type: "unavailable" };
      }
      const decision = decisionOf(line, mayRepeat);
      if (decision !== undefined) return decision;
    }
  }

  /** Exactly what would happen, as the intent has it. */
  private show(intent: Intent): void {
    const { title, preview } = intent;
    const { bold, yellow } = this.terminal.errorStyle;
    const text = terminalText(preview.text.trimEnd());
    const inFolder = intent.access === "command" && intent.path !== "";
    const folder = inFolder ? `  in ${terminalText(intent.path)}` : "";
    const isOutside = "inside" in intent && !intent.inside;
    const where = isOutside ? `  ${yellow("outside the workspace")}` : "";
    const lines = [`\n${yellow("?")} ${bold(terminalText(title))}${folder}${where}\n`];
    // A short command is all in its title.
    if (`Run ${preview.text}` !== title) {
      lines.push(
        indented(
          preview.kind === "diff" ? coloredDiff(text, this.terminal.errorStyle) : text,
          "    ",
        ),
        "\n",
      );
    }
    this.terminal.printError(lines.join(""));
  }

  /** `undefined` at the end of the input. */
  private readLine(signal: AbortSignal): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      // Not as a terminal of readline's own: Ctrl-C stays a signal, which stops the work.
      const lines = createInterface({ input: this.input, terminal: false });
      const settle = (then: () => void) => {
        signal.removeEventListener("abort", abort);
        lines.removeAllListeners();
        lines.close();
        then();
      };
      const abort = () => {
        settle(() => {
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the port says: the signal's reason
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
    });
  }
}

/** `undefined`: nothing was said, ask again. Whatever is no clear yes is a no. */
function decisionOf(line: string, hasTask: boolean): ApprovalDecision | undefined {
  const words = line.trim();
  switch (words.toLowerCase()) {
    case "":
      return undefined;
    case "y":
    case "yes":
      return { type: "allowed", scope: "once" };
    case "t":
    case "task":
      return hasTask ? { type: "allowed", scope: "task" } : undefined;
    case "n":
    case "no":
      return { type: "denied" };
    default:
      return { type: "denied", reason: words };
  }
}
