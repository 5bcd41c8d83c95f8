import type { UserPlaces } from "../access/userPlaces.js";
import type { PendingMessages } from "../agent/pendingMessages.js";
import type { CommandStops } from "../agent/taskCommands.js";
import type { Approver } from "../approvals/approver.js";
import type { Permissions } from "../approvals/permissions.js";
import type { FileSystem } from "../ports/files.js";
import type { LanguageModel } from "../ports/model.js";
import type { Patterns } from "../ports/search.js";
import type { ServerContent } from "../ports/serverContent.js";
import type { Clock, Ids, Signer } from "../ports/system.js";
import type { Spending } from "../spending/spending.js";
import type { Redactor } from "../text/redactor.js";
import type { ExpertSettings } from "./expertSettings.js";
import type { Instructions } from "./instructions.js";
import type { Mode } from "./mode.js";
import type { ModelsWithoutTools } from "./modelsWithoutTools.js";
import type { SandboxUse } from "./sandboxUse.js";
import type { Toolbox } from "./toolbox.js";
import type { WorkspaceHost } from "./workspaceHost.js";

/** The services that experts work with. */
export interface ExpertServices extends Omit<Toolbox, "problems"> {
  /** The files, shell and search that sessions work with. */
  readonly host: WorkspaceHost;
  /** The folder that has the sessions' own state, in `.rooroo`. */
  readonly files: FileSystem;
  /** Signs the files of tasks, so that only those of this installation are resumed. */
  readonly signer: Signer;
  readonly sandboxUse: SandboxUse;
  readonly patterns: Patterns;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly model: LanguageModel;
  /** Returns the model that a mode uses. */
  modelFor?(slug: string): LanguageModel;
  /** Returns a model of the same server, by the server's name for it. */
  modelNamed?(name: string): LanguageModel;
  readonly approver: Approver;
  /** The permissions beyond a single call, for all tasks of this process. */
  readonly permissions: Permissions;
  readonly spending: Spending;
  readonly modelsWithoutTools: ModelsWithoutTools;
  /**
   * Context limits in tokens by model name, learned when servers refused requests as too long; grows.
   */
  readonly windows: Map<string, number>;
  /** Tokens that servers count for each that is estimated, by the model's name, as this process has seen them. */
  readonly tokenFactors: Map<string, number>;
  /** Functions that stop running commands, by call id, for all tasks of this process. */
  readonly commandStops: CommandStops;
  /** The user's messages to agents at work. */
  readonly messages: PendingMessages;
  /** Removes the keys that are in use from texts. */
  readonly redactor: Redactor;
  /** The instructions for modes from the workspace's own files. */
  readonly instructions: Instructions;
  /** Folders of the user's own that experts may read. Absent: there are none. */
  readonly userPlaces?: UserPlaces;
  /** Prompts and resources of MCP servers. Absent: there are none. */
  readonly serverContent?: ServerContent;
  /** Returns the modes that a planner may give tasks to. */
  assignable(): readonly Mode[];
  /** Returns the current settings; called at each use. */
  settings(): ExpertSettings;
}
