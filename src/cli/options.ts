import type { Limit } from "../core/spending/use.js";
import type { DialectChoice } from "../core/agent/dialects/dialect.js";
import type { Approve } from "./approveOption.js";

/** What may be given with every command. */
export interface Options {
  /** As it was given; `undefined` stands for the current folder. */
  readonly workspace?: string;
  readonly json?: boolean;
  readonly approve: Approve;
  readonly limitTask: Limit;
  readonly limitDay: Limit;
  /** Rules, as the editor's `rooroo.commands.allow` and `.deny` have them. */
  readonly allowCommand: readonly string[];
  readonly denyCommand: readonly string[];
  /** Whether commands that nobody was asked about run in the sandbox, where that was given. */
  readonly sandbox?: "auto" | "off";
  /** Hosts that can be reached from it. */
  readonly allowHost: readonly string[];
  readonly model?: string;
  readonly baseUrl?: string;
  readonly dialect: DialectChoice;
  readonly concurrency: number;
  readonly record?: boolean;
  readonly verbose?: boolean;
}
