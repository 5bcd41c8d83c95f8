import type * as real from "vscode";
import { Disposable } from "./events.js";

type Handler = (...args: unknown[]) => unknown;

/** One command that was executed. */
export interface Executed {
  readonly command: string;
  readonly args: readonly unknown[];
}

/** The commands that are registered, the context keys, and what was executed. */
export class Commands {
  private readonly handlers = new Map<string, Handler>();
  /** Commands of the workbench that only show something which no extension sees. */
  private readonly shown = /^(workbench|vscode|list|editor|revealInExplorer|notifications)\b/;
  readonly executed: Executed[] = [];
  readonly contextKeys = new Map<string, unknown>();

  constructor() {
    this.handlers.set("setContext", (key, value) => {
      this.contextKeys.set(String(key), value);
    });
  }

  register(command: string, handler: Handler, thisArg?: unknown): Disposable {
    if (this.handlers.has(command)) throw new Error(`command '${command}' already exists`);
    this.handlers.set(command, handler.bind(thisArg));
    return new Disposable(() => this.handlers.delete(command));
  }

  /** Runs a command as a request to another process: what it throws rejects. */
  async execute(command: string, ...args: unknown[]): Promise<unknown> {
    await Promise.resolve();
    const handler = this.handlers.get(command);
    if (handler === undefined && !this.shown.test(command)) {
      throw new Error(`command '${command}' not found`);
    }
    if (command !== "setContext") this.executed.push({ command, args });
    return handler?.(...args);
  }

  /** What was executed with this id, the oldest first. */
  executions(command: string): (readonly unknown[])[] {
    return this.executed.flatMap((one) => (one.command === command ? [one.args] : []));
  }

  get names(): string[] {
    return [...this.handlers.keys()];
  }
}

export function commandsApi(commands: Commands) {
  return {
    registerCommand: (
      command: string,
      callback: (...args: never[]) => unknown,
      thisArg?: unknown,
    ) => commands.register(command, callback as Handler, thisArg),
    executeCommand: (<T>(command: string, ...rest: unknown[]) =>
      commands.execute(command, ...rest) as Promise<T>) as typeof real.commands.executeCommand,
    getCommands: (filterInternal = false) =>
      Promise.resolve(commands.names.filter((name) => !filterInternal || !name.startsWith("_"))),
  } satisfies Partial<typeof real.commands>;
}
