import type * as real from "vscode";
import { TerminalExitReason, TerminalShellExecutionCommandLineConfidence } from "./enums.js";
import { EventEmitter } from "./events.js";

/** What a scripted command prints, and its exit code; it ends when the script says so. */
interface ScriptedCommand {
  readonly output: AsyncIterable<string> | Iterable<string>;
  readonly exitCode: number | undefined;
}

type Script = (command: string) => ScriptedCommand | Promise<ScriptedCommand>;

/** A terminal whose shell is a script of the test; without one, it has no shell integration. */
export class Terminal {
  readonly name: string;
  readonly processId = Promise.resolve(1);
  exitStatus: real.TerminalExitStatus | undefined;
  shellIntegration: real.TerminalShellIntegration | undefined;
  readonly state = { isInteractedWith: false, shell: undefined };
  /** What was typed into it, beside commands. */
  readonly typed: string[] = [];
  isShown = false;

  constructor(
    readonly creationOptions: Readonly<real.TerminalOptions>,
    private readonly terminals: Terminals,
  ) {
    this.name = creationOptions.name ?? "sh";
  }

  sendText(text: string): void {
    this.typed.push(text);
  }
  show(): void {
    this.isShown = true;
  }
  hide(): void {
    this.isShown = false;
  }
  dispose(): void {
    this.terminals.close(this);
  }

  /** Lets commands be run by a script. */
  integrate(script: Script): void {
    const terminal = this as unknown as real.Terminal;
    const integration: real.TerminalShellIntegration = {
      cwd: undefined,
      executeCommand: (command: string) => {
        const { execution, run } = executionOf(command, script);
        void run.then((exitCode) => {
          const event = { terminal, shellIntegration: integration, execution, exitCode };
          this.terminals.ended.fire(event);
        });
        return execution;
      },
    };
    this.shellIntegration = integration;
    this.terminals.integrated.fire({ terminal, shellIntegration: integration });
  }
}

function executionOf(command: string, script: Script) {
  const scripted = Promise.resolve().then(() => script(command));
  let isRead = (): void => undefined;
  const read = new Promise<void>((resolve) => (isRead = resolve));
  const execution: real.TerminalShellExecution = {
    commandLine: {
      value: command,
      isTrusted: true,
      confidence: TerminalShellExecutionCommandLineConfidence.High,
    },
    cwd: undefined,
    async *read() {
      const { output } = await scripted;
      yield* output;
      isRead();
    },
  };
  const run = Promise.all([scripted, read]).then(([{ exitCode }]) => exitCode);
  return { execution, run };
}

export class Terminals {
  readonly all: Terminal[] = [];
  /** Set by a test for the terminals that are yet to be made. */
  script: Script | undefined;
  readonly opened = new EventEmitter<real.Terminal>();
  readonly closed = new EventEmitter<real.Terminal>();
  readonly integrated = new EventEmitter<real.TerminalShellIntegrationChangeEvent>();
  readonly ended = new EventEmitter<real.TerminalShellExecutionEndEvent>();

  create(options: real.TerminalOptions = {}): Terminal {
    const terminal = new Terminal(options, this);
    this.all.push(terminal);
    this.opened.fire(terminal);
    const { script } = this;
    if (script !== undefined)
      setImmediate(() => {
        terminal.integrate(script);
      });
    return terminal;
  }

  close(terminal: Terminal): void {
    const index = this.all.indexOf(terminal);
    if (index < 0) return;
    this.all.splice(index, 1);
    terminal.exitStatus = { code: undefined, reason: TerminalExitReason.Extension };
    this.closed.fire(terminal);
  }
}
