import * as vscode from "vscode";
import type { SandboxAbility, Shell, ShellRequest, ShellResult } from "../core/ports.js";
import { pause } from "./pause.js";

/** A shell that is slower to say that it can be watched is not waited for. */
const integrationMs = 8000;
/** Between asking a command to end and closing its terminal. */
const graceMs = 2000;
const longestTimer = 2 ** 31 - 1;

/** What the machine does for a terminal. */
export interface TerminalWorld {
  /** Runs what does not run in a terminal. */
  readonly processes: Shell;
  /** The shell's own path, the same that {@link processes} uses. */
  readonly shellPath: () => string;
  readonly folder: (path: string) => string;
  /** Of one command: its environment, and the end of all that it started. */
  command(): { readonly env: Record<string, string | null>; end(): void };
  /** Keeps output as the other shell does; `onLimit` is told when it is more than is kept. */
  keep(
    outputPath: string | undefined,
    onLimit: (limit: string) => void,
  ): {
    add(text: string): Promise<void> | undefined;
    finish(): Promise<{ output: string; omitted: number }>;
  };
}

/**
 * Runs commands in terminals that a person can watch, by VS Code's shell integration. A terminal is
 * one command's own and closes with it. What cannot be run there as it was shown, or where there is no
 * integration, runs as a process.
 */
export class TerminalShell implements Shell {
  /** @param wanted asked anew for each command */
  constructor(
    private readonly world: TerminalWorld,
    private readonly wanted: () => boolean,
  ) {}

  get description(): string {
    return this.world.processes.description;
  }

  async sandbox(): Promise<SandboxAbility> {
    const reason = "Commands cannot be sandboxed here.";
    return (await this.world.processes.sandbox?.()) ?? { available: false, reason };
  }

  endLeftBehind(): Promise<void> {
    return this.world.processes.endLeftBehind();
  }

  async run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult> {
    const { processes } = this.world;
    // A person's terminal is no place for what has to be kept in.
    const isFree = request.sandbox === undefined && request.apart !== true;
    const fits = isFree && isTypeable(request.command);
    if (!this.wanted() || !fits || signal.aborted) return processes.run(request, signal);
    const command = this.world.command();
    const terminal = vscode.window.createTerminal({
      name: "Rooroo",
      env: command.env,
      isTransient: true,
      shellPath: this.world.shellPath(),
      cwd: this.world.folder(request.cwd),
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
    const ending: { by: ShellResult["endedBy"]; limit?: string; closing?: unknown } = {
      by: "itself",
    };
    const keeper = this.world.keep(request.outputPath, (limit) => {
      ending.limit = limit;
      endBy("limit");
    });
    const subscriptions: vscode.Disposable[] = [];
    const ended = new Promise<number | null>((resolve) => {
      subscriptions.push(
        vscode.window.onDidEndTerminalShellExecution((event) => {
          if (event.execution === execution) resolve(event.exitCode ?? null);
        }),
        vscode.window.onDidCloseTerminal((closed) => {
          if (closed === terminal) resolve(null);
        }),
      );
    });
    const execution = integration.executeCommand(request.command);
    const filter = request.filter?.();
    const pass = async (text: string): Promise<void> => {
      if (text === "") return;
      request.onOutput(text);
      await keeper.add(text);
    };
    const read = (async () => {
      for await (const text of execution.read()) await pass(filter?.add(text) ?? text);
      await pass(filter?.finish() ?? "");
    })();
    const endBy = (reason: "timeout" | "stop" | "limit") => {
      if (ending.by !== "itself") return;
      ending.by = reason;
      terminal.sendText("\u0003", false);
      ending.closing = setTimeout(() => {
        terminal.dispose();
      }, graceMs);
    };
    const stop = () => {
      endBy("stop");
    };
    signal.addEventListener("abort", stop, { once: true });
    const timer = setTimeout(
      () => {
        endBy("timeout");
      },
      Math.min(request.timeoutMs, longestTimer),
    );
    try {
      const exitCode = await ended;
      // What was printed last comes right behind; a closed terminal says nothing more.
      await Promise.race([read.catch(() => undefined), pause(graceMs)]);
      const killed = ending.by !== "itself";
      return {
        endedBy: ending.by,
        exitCode: killed ? null : exitCode,
        ...(ending.limit === undefined ? {} : { limit: ending.limit }),
        signal: killed || exitCode === null ? "SIGHUP" : null,
        ...(await keeper.finish()),
        durationMs: Date.now() - started,
      };
    } finally {
      clearTimeout(timer);
      clearTimeout(ending.closing);
      signal.removeEventListener("abort", stop);
      for (const one of subscriptions) one.dispose();
    }
  }
}

/**
 * Whether a shell that reads from a keyboard runs exactly this: there several lines are several
 * commands, `!` is history, and control characters are keys.
 */
function isTypeable(command: string): boolean {
  return command.length <= 1000 && !/[\p{Cc}!]/u.test(command);
}

/** `undefined` when it has not come within the time, or the terminal is closed. */
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
