import type { DialectChoice } from "../agent/dialects/dialect.js";
import type { AgentLimits } from "../agent/loop.js";
import type { Prices } from "../agent/price.js";
import type { CommandStops } from "../agent/taskCommands.js";
import type { ApprovalPreset, CategoryRules, ModeApprovals } from "../approvals/approvalRules.js";
import type { Approver } from "../approvals/approver.js";
import type { Grants } from "../approvals/grants.js";
import type { CommandRules } from "../commands/commandRules.js";
import type { CommandParser } from "../commands/syntaxTree.js";
import type {
  Clock,
  EditorDocuments,
  FileSystem,
  Ids,
  LanguageModel,
  Patterns,
  Search,
  Shell,
  Signer,
} from "../ports.js";
import type { Redactor } from "../redactor.js";
import type { SerialByKey } from "../serialByKey.js";
import type { Spending, SpendLimits } from "../spending/spending.js";
import type { Instructions } from "./instructions.js";
import type { Mode } from "./mode.js";
import type { Toolbox } from "./toolbox.js";

/** What is absent is as it is for all. */
interface OwnSettings {
  readonly approvals?: ModeApprovals | undefined;
  readonly turns?: number | undefined;
  readonly failuresInARow?: number | undefined;
}

export interface ExpertSettings {
  readonly preset: ApprovalPreset;
  /** What the person has said of commands; nothing where it is left out. */
  readonly commands?: CommandRules;
  readonly categories?: CategoryRules;
  /** What is different for a mode, by its slug. */
  readonly modes?: Readonly<Record<string, OwnSettings>>;
  /** Tasks that may run at a time; 1 where it is left out. */
  readonly concurrency?: number;
  /** Planners may give tasks to the documenter. */
  readonly documenter?: boolean;
  /** The person's own; see `priceOf`. */
  readonly prices?: Prices;
  /** How a mode's model is told of tools; `auto` where it is left out. */
  dialectFor?(slug: string): DialectChoice;
  readonly limits: AgentLimits;
  /** Every exchange with a model is written down. */
  readonly record?: boolean;
  /** What tasks and days may use before a person is asked; no limit where it is left out. */
  readonly spend?: SpendLimits;
  /** Of the model's window, where the person says so. */
  readonly contextTokens?: number | null;
}

/** What experts work with. */
export interface ExpertWorld extends Toolbox {
  readonly files: FileSystem;
  /** Signs what a task leaves on disk, so that only what is ours is gone on with. */
  readonly signer: Signer;
  readonly shell: Shell;
  readonly parser: CommandParser;
  readonly search: Search;
  readonly patterns: Patterns;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly model: LanguageModel;
  /** The model of a mode that has one of its own. */
  modelFor?(slug: string): LanguageModel;
  /** One of the same server, by the server's name for it. */
  modelNamed?(name: string): LanguageModel;
  /** Where there is an editor. */
  readonly documents?: EditorDocuments;
  readonly approver: Approver;
  /** What was allowed beyond one call, by all the tasks of this process. */
  readonly grants: Grants;
  readonly spending: Spending;
  /** Names of models that turned out to have no tool calling; grows. */
  readonly modelsWithoutTools: Set<string>;
  /** Tokens of models' windows, as their servers told when something was too long; grows. */
  readonly windows: Map<string, number>;
  /** Of all the tasks of this process. */
  readonly commandStops: CommandStops;
  /** One file's writes, by all the tasks of this process. */
  readonly writes: SerialByKey;
  /** Knows the keys that are in use. */
  readonly redactor: Redactor;
  /** What the workspace's own files ask of modes. */
  readonly instructions: Instructions;
  /** Those that a planner may give tasks to. */
  assignable(): readonly Mode[];
  /** Asked anew at each use. */
  settings(): ExpertSettings;
}
