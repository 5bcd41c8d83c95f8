import type { CommandId } from "../../contributions/commands.js";

/** What a command does. It is called with what VS Code or a caller gives it; `more` is rarely there. */
export type CommandHandler = (argument: unknown, more?: unknown) => Promise<void>;

/** The handlers of some commands. */
export type CommandHandlers = Readonly<Partial<Record<CommandId, CommandHandler>>>;

/** What a command does with what it needs of the window. */
export type ContextHandler<Context> = (
  context: Context,
  ...given: Parameters<CommandHandler>
) => Promise<void>;

/** What some commands do with what all of them need of the window. */
export type CommandTable<Context> = Readonly<Partial<Record<CommandId, ContextHandler<Context>>>>;

/** The handlers of a table, each without its first parameter. */
type Bound<Table> = {
  readonly [K in keyof Table]: Table[K] extends (context: never, ...given: infer Given) => infer R
    ? (...given: Given) => R
    : never;
};

/** Returns the handlers of a table, to be called without the context, which each of them gets first. */
export function bound<
  Context,
  Table extends Readonly<Record<string, (context: Context, ...given: never[]) => unknown>>,
>(table: Table, context: Context): Bound<Table> {
  const handlers = Object.entries(table).map(([name, handle]) => [
    name,
    (...given: never[]) => handle(context, ...given),
  ]);
  return Object.fromEntries(handlers) as Bound<Table>;
}
