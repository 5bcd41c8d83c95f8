import type { CommandStops } from "../agent/taskCommands.js";
import type { Approver } from "../approvals/approver.js";
import type { Grants } from "../approvals/grants.js";
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
import type { Spending } from "../spending/spending.js";
import type { ExpertSettings } from "./expertSettings.js";
import type { Instructions } from "./instructions.js";
import type { Mode } from "./mode.js";
import type { SandboxUse } from "./sandboxUse.js";
import type { Toolbox } from "./toolbox.js";

/** What experts work with. */
export interface ExpertWorld extends Toolbox {
  readonly files: FileSystem;
  /** Signs what a task leaves on disk, so that only what is ours is gone on with. */
  readonly signer: Signer;
  readonly shell: Shell;
  readonly sandboxUse: SandboxUse;
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
