import * as vscode from "vscode";
import type { SandboxAbility, Shell, ShellRequest, ShellResult } from "../../core/ports/shell.js";
import { words } from "../../core/text/words.js";
import { pause } from "../timing/pause.js";

/** Milliseconds to wait for a terminal's shell integration. */
const integrationMs = 8000;
/** Milliseconds between interrupting a command and closing its terminal. */
const graceMs = 2000;
const longestTimer = 2 ** 31 - 1;

/** Functions of the machine that a terminal needs. */
export interface TerminalServices {
  /** The shell for commands that do not run in a terminal. */
  readonly processes: Shell;
  /** Returns the path of the shell, the same that {@link processes} uses. */
  readonly shellPath: () => string;
  readonly folder: (path: string) => string;
  /** Prepares one command: returns its environment, and a function that ends everything it started. */
  command(): { readonly env: Record<string, string | null>; end(): void };
  /** Keeps output as {@link processes} does; `onLimit` is called when there is more than can be kept. */
  keep(
    outputPath: string | undefined,
    onLimit: (limit: string) => void,
  ): {
    add(text: string): Promise<void> | undefined;
    finish(): Promise<{ output: string; omitted: number }>;
  };
}

/**
 * Runs commands in terminals that the user can watch, through VS Code's shell integration. Each command
 * has a terminal of its own, which closes with it. A command that cannot be typed exactly as shown, or
 * a shell without the integration, runs as a process instead.
 */
export class TerminalShell implements Shell {
  /** @param wanted returns whether the user wants terminals; called for each command */
  constructor(
    private readonly services: TerminalServices,
    private readonly wanted: () => boolean,
  ) {}

  get description(): string {
    return this.services.processes.description;
  }

  async sandbox(): Promise<SandboxAbility> {
    const reason = words("Commands cannot be sandboxed here.");
    return (await this.services.processes.sandbox?.()) ?? { available: false, reason };
  }

  endOrphaned(): Promise<void> {
    return this.services.processes.endOrphaned();
  }

  async run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult> {
    const { processes } = this.services;
    // A terminal cannot sandbox a command, nor keep its output streams apart, nor write to its input.
    const isFree =
      request.sandbox === undefined &&
      request.separateStreams !== true &&
      request.input === undefined;
    const fits = isFree && isTypeable(request.command);
    if (!this.wanted() || !fits || signal.aborted) return processes.run(request, signal);
    const command = this.services.command();
    const terminal = vscode.window.createTerminal({
      name: "Rooroo",
      env: command.env,
      isTransient: true,
      shellPath: this.services.shellPath(),
      cwd: this.services.folder(request.cwd),
    });
    try {
      terminal.show(true);
      const integration = await integrationOf(terminal, signal);
      if (integration !== undefined) {
        return await this.watch(terminal, integration, request, signal);
      }
    } finally {
      terminal.dispose();
      command.end();
    }
    return processes.run(request, signal);
  }

  private async watch(
    terminal: vscode.Terminal,
    integration: vscode.TerminalShellIntegration,
    request: ShellRequest,
    signal: AbortSignal,
  ): Promise<ShellResult> {
    const started = Date.now();
    const end = new TerminalEnd(terminal);
    const keeper = this.services.keep(request.outputPath, (limit) => {
      end.because("limit", limit);
    });
    const execution = integration.executeCommand(request.command);
    // VS Code tells of an end by a message, which cannot arrive before this line.
    const subscriptions: vscode.Disposable[] = [];
    const ended = exitCodeOf(terminal, execution, subscriptions);
    const read = readAll(execution, request, keeper);
    const stop = () => {
      end.because("stop");
    };
    signal.addEventListener("abort", stop, { once: true });
    const timer = setTimeout(
      () => {
        end.because("timeout");
      },
      Math.min(request.timeoutMs, longestTimer),
    );
    try {
      const exitCode = await ended;
      // The last output arrives right after the end; a closed terminal sends nothing more.
      await Promise.race([read.catch(() => undefined), pause(graceMs)]);
      const killed = end.by !== "itself";
      return {
        endedBy: end.by,
        exitCode: killed ? null : exitCode,
        ...(end.limit === undefined ? {} : { limit: end.limit }),
        signal: killed || exitCode === null ? "SIGHUP" : null,
        ...(await keeper.finish()),
        durationMs: Date.now() - started,
      };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      end.dispose();
      for (const one of subscriptions) one.dispose();
    }
  }
}

/** The end of a terminal's command: by itself, or for the first reason that comes up. */
class TerminalEnd {
  by: ShellResult["endedBy"] = "itself";
  /** The limit that was passed, if that ended the command. */
  limit: string | undefined;
  /** The timer of it, if it is to be closed. */
  private closing: unknown;

  constructor(private readonly terminal: vscode.Terminal) {}

  /** Interrupts the command, and later closes its terminal. */
  because(reason: "timeout" | "stop" | "limit", limit?: string): void {
    if (this.by !== "itself") return;
    this.by = reason;
    this.limit = limit;
    this.terminal.sendText("\u0003", false);
    this.closing = setTimeout(() => {
      this.terminal.dispose();
    }, graceMs);
  }

  dispose(): void {
    clearTimeout(this.closing);
  }
}

/** Resolves with a command's exit code; with `null` if it is not known, or the terminal was closed. */
function exitCodeOf(
  terminal: vscode.Terminal,
  execution: vscode.TerminalShellExecution,
  subscriptions: vscode.Disposable[],
): Promise<number | null> {
  return new Promise((resolve) => {
    subscriptions.push(
      vscode.window.onDidEndTerminalShellExecution((event) => {
        if (event.execution === execution) resolve(event.exitCode ?? null);
      }),
      vscode.window.onDidCloseTerminal((closed) => {
        if (closed === terminal) resolve(null);
      }),
    );
  });
}

/** Passes what a command prints on, and keeps it. */
async function readAll(
  execution: vscode.TerminalShellExecution,
  request: ShellRequest,
  keeper: ReturnType<TerminalServices["keep"]>,
): Promise<void> {
  const filter = request.filter?.();
  const pass = async (text: string): Promise<void> => {
    if (text === "") return;
    request.onOutput(text);
    await keeper.add(text);
  };
  for await (const text of execution.read()) await pass(filter?.add(text) ?? text);
  await pass(filter?.finish() ?? "");
}

/**
 * Returns whether an interactive shell runs exactly this text. There, several lines are several
 * commands, `!` expands history, and control characters are keys.
 */
function isTypeable(command: string): boolean {
  return command.length <= 1000 && !/[\p{Cc}!]/u.test(command);
}

/** Returns the terminal's shell integration; `undefined` on timeout or abort, or if the terminal closes. */
async function integrationOf(
  terminal: vscode.Terminal,
  signal: AbortSignal,
): Promise<vscode.TerminalShellIntegration | undefined> {
  if (terminal.shellIntegration) return terminal.shellIntegration;
  const subscriptions: vscode.Disposable[] = [];
  try {
    return await new Promise<vscode.TerminalShellIntegration | undefined>((resolve) => {
      const none = () => {
        resolve(undefined);
      };
      const timer = setTimeout(none, integrationMs);
      signal.addEventListener("abort", none, { once: true });
      subscriptions.push(
        new vscode.Disposable(() => {
          clearTimeout(timer);
        }),
        new vscode.Disposable(() => {
          signal.removeEventListener("abort", none);
        }),
        vscode.window.onDidChangeTerminalShellIntegration((event) => {
          if (event.terminal === terminal) resolve(event.shellIntegration);
        }),
        vscode.window.onDidCloseTerminal((closed) => {
          if (closed === terminal) none();
        }),
      );
    });
  } finally {
    for (const one of subscriptions) one.dispose();
  }
}
