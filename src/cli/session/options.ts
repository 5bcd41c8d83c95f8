import type { Limit } from "../../core/spending/use.js";
import type { DialectChoice } from "../../core/agent/dialects/dialect.js";
import type { Approve } from "./approveOption.js";

/** The options that every command takes. */
export interface Options {
  /** The folder as the user wrote it. Default: the current folder. */
  readonly workspace?: string;
  readonly json?: boolean;
  readonly approve: Approve;
  readonly limitTask: Limit;
  readonly limitDay: Limit;
  /** Command rules, written as in the editor's `rooroo.commands.allow` and `.deny`. */
  readonly allowCommand: readonly string[];
  readonly denyCommand: readonly string[];
  /** Whether commands that run unasked run in the sandbox. Absent: as `ROOROO_SANDBOX` says. */
  readonly sandbox?: "auto" | "off";
  /** Hosts that commands can reach from the sandbox. */
  readonly allowHost: readonly string[];
  readonly model?: string;
  readonly baseUrl?: string;
  readonly dialect: DialectChoice;
  readonly concurrency: number;
  readonly record?: boolean;
  readonly verbose?: boolean;
}
