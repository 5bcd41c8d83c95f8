import type { CommandId } from "../../contributions/commands.js";

/** What a command does. It is called with what VS Code or a caller gives it; `more` is rarely there. */
export type CommandHandler = (argument: unknown, more?: unknown) => Promise<void>;

/** The handlers of some commands. */
export type CommandHandlers = Readonly<Partial<Record<CommandId, CommandHandler>>>;
