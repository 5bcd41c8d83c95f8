import { type InNamedFolder, inNamedFolder, type NamedFolders } from "../access/namedFolders.js";
import { isProtected } from "../access/protectedFiles.js";
import { belowPlaces, noUserPlaces, type UserPlaces } from "../access/userPlaces.js";
import type { AuthorizationRequest, Authorization } from "../agent/calls/permit.js";
import type { AgentEvent } from "../agent/events.js";
import type { ProposedAction, CommandAction } from "../agent/tool.js";
import type { Approver } from "../approvals/approver.js";
import { permissionsFor, permissionText, touchesProtectedFiles } from "../approvals/permission.js";
import type { Permissions } from "../approvals/permissions.js";
import { decide, toolChanged, type Policy } from "../approvals/policy.js";
import type { TaskId } from "../ids.js";
import type { FileSystem } from "../ports/files.js";
import type { Ids } from "../ports/system.js";
import { translatable } from "../text/translator.js";
import { visibleWords } from "../text/visibleWords.js";
import { type Drafted, type Said, spoken, words } from "../text/words.js";
import { shownPath } from "../tools/calls/resolvePath.js";
import { describeScope, isOwn, type Mode, mayWrite, otherTaskOf } from "./mode.js";

export interface Asker {
  readonly task: {
    readonly taskId: TaskId;
    readonly folder: string;
    readonly mode: Mode;
    /** As `Activation` has them. */
    readonly isMate?: (taskId: TaskId) => Promise<boolean>;
    readonly folders?: NamedFolders;
  };
  readonly policy: Policy;
  readonly files: FileSystem;
  readonly ids: Ids;
  readonly permissions: Permissions;
  readonly approver: Approver;
  readonly userPlaces?: UserPlaces;
  readonly onEvent: (event: Drafted<AgentEvent>) => void;
}

/**
 * Decides whether a call may run: first by what the mode may do at all, then by policy, then by asking
 * the user.
 */
export async function authorise(
  callId: string,
  asked: AuthorizationRequest,
  asker: Asker,
  signal: AbortSignal,
): Promise<Authorization> {
  const { action } = asked;
  const { task, onEvent, files, userPlaces = noUserPlaces } = asker;
  const refusal = await beyondMode(action, asker);
  if (refusal !== undefined) return { type: "refused", reason: refusal };

  const inSkill =
    action.access === "read" && !action.inside
      ? await belowPlaces(action.path, userPlaces.skills, files)
      : undefined;
  const ofMate = action.access === "write" ? await pathOfMate(action.path, task) : undefined;
  const judged =
    inSkill !== undefined
      ? { ...action, path: inSkill, inside: true }
      : ofMate !== undefined
        ? { ...action, path: ofMate }
        : action;
  const own = action.access === "write" && isOwn(task.mode.writes, action.path, task.folder);
  const { type, why, decidedBy, sandbox } = decide(judged, asker.policy, own, {
    mayChangeProject: task.mode.writes === "project" || task.mode.writes === "job",
    isOwn: (path) => isOwn(task.mode.writes, path, task.folder) || path === task.folder,
  });
  const by = decidedBy === undefined ? {} : { decidedBy };
  if (type === "deny") {
    return {
      type: "refused",
      reason: `The user's settings do not let you do this: ${spoken(why)}`,
    };
  }
  if (asked.edited && isAsWritten(action, own)) {
    onEvent({ type: "callEdited", callId, action });
    return { type: "granted" };
  }
  if (type === "allow" && asked.problem === undefined && !asked.edited) {
    const sandboxed = sandbox === undefined ? {} : { sandboxed: true };
    onEvent({ type: "callAllowed", callId, why, ...by, ...sandboxed });
    return { type: "granted", ...(sandbox === undefined ? {} : { sandbox }) };
  }
  const within =
    task.folders !== undefined && (action.access === "read" || action.access === "write")
      ? await inNamedFolder(action.path, task.folders, files)
      : undefined;
  const covering = await asker.permissions.covering(action, task.taskId, own, within);
  if (covering !== undefined && asked.problem === undefined && !asked.edited) {
    onEvent({ type: "callAllowed", callId, why: allowedBefore[covering], decidedBy: "grants" });
    return { type: "granted" };
  }
  const reason =
    asked.problem ?? ((await asker.permissions.hasChanged(action)) ? toolChanged : why);
  return askPerson(callId, { ...asked, why: reason, by, own, within }, asker, signal);
}

async function askPerson(
  callId: string,
  asked: AuthorizationRequest & {
    why: Said;
    by: Pick<Extract<AgentEvent, { type: "callAllowed" }>, "decidedBy">;
    own: boolean;
    within: InNamedFolder | undefined;
  },
  { task, ids, permissions, approver, onEvent }: Asker,
  signal: AbortSignal,
): Promise<Authorization> {
  const { action, why, by, own, within, editable } = asked;
  const approvalId = `a-${ids.hex(12)}`;
  const offered = permissionsFor(action, own, within);
  const options = offered.map((permission) => visibleWords(permissionText(permission), 200));
  const shown = { approvalId, callId, action, options };
  onEvent({
    type: "approvalRequested",
    ...shown,
    why,
    ...by,
    ...(editable === undefined ? {} : { editable: editable.kind }),
  });
  const answer = await approver.request(
    {
      ...shown,
      why,
      taskId: task.taskId,
      ...(editable === undefined ? {} : { editable }),
    },
    signal,
  );
  if (answer.type === "unavailable") return answer;
  const resolved = { type: "approvalResolved", approvalId } as const;
  switch (answer.type) {
    case "denied": {
      const { reason } = answer;
      onEvent({ ...resolved, allowed: false, ...(reason === undefined ? {} : { reason }) });
      const theirs = reason === undefined ? "" : ` They say: ${reason}`;
      return { type: "refused", reason: `The user did not allow this.${theirs}` };
    }
    case "edited":
      onEvent({ ...resolved, allowed: true });
      return editable === undefined || answer.text === editable.text
        ? { type: "granted", asked: true }
        : answer;
    case "allowed": {
      const { scope, option = 0 } = answer;
      const permission = offered[option];
      if (scope === "once" || permission === undefined) onEvent({ ...resolved, allowed: true });
      else {
        await permissions.add(permission, scope, task.taskId);
        const granted = words(granting[scope], { permission: options[option] ?? "" });
        onEvent({ ...resolved, allowed: true, granted });
      }
      return { type: "granted", asked: true };
    }
  }
}

/**
 * Returns the path by which a change of another task's artefact is judged, as one of a project file; `undefined` for
 * whatever else it is, and for a mode that may not change the project.
 */
async function pathOfMate(
  path: string,
  { mode, folder, isMate }: Pick<Asker["task"], "mode" | "folder" | "isMate">,
): Promise<string | undefined> {
  if (mode.writes !== "project") return undefined;
  const other = otherTaskOf(path, folder);
  return other !== undefined && (await isMate?.(other)) === true
    ? path.replace(/^\.rooroo\//, "")
    : undefined;
}

/** Returns why the mode cannot do this, whatever anyone allows; `undefined` if it can. */
async function beyondMode(action: ProposedAction, asker: Asker): Promise<string | undefined> {
  const { task, files } = asker;
  if (action.access === "command") return beyondScope(action, task.mode, task.folder);
  return action.access === "write" ? whyNeverWritten(action.path, task, files) : undefined;
}

/** Returns why a mode can never write a file, whatever anyone allows; `undefined` if it can. */
export async function whyNeverWritten(
  path: string,
  task: Pick<Asker["task"], "mode" | "folder" | "isMate">,
  files: Pick<FileSystem, "stat">,
): Promise<string | undefined> {
  const { mode, folder } = task;
  if (!mayWrite(mode.writes, path, folder)) {
    if ((await pathOfMate(path, task)) !== undefined) return undefined;
    const scope = describeScope(mode.writes, folder);
    return `${mode.slug} may write only ${scope}; ${path} is not one of them.`;
  }
  const isContext = path.startsWith(".rooroo/tasks/") && path.endsWith("/context.md");
  if (isContext && (await files.stat(path)) !== undefined) {
    return `${path} is there already and never changes.`;
  }
  return undefined;
}

/**
 * Returns whether an action that the user edited runs without another question: not if its text has
 * invisible characters, or if it reaches to where everything needs approval.
 */
function isAsWritten(action: ProposedAction, own: boolean): boolean {
  if ("inside" in action && !action.inside) return false;
  if (action.access === "write") {
    return action.protection === undefined && (own || !isProtected(action.path));
  }
  if (action.access !== "command" || touchesProtectedFiles(action)) return false;
  return action.preview.text === action.command;
}

const allowedBefore = {
  task: words("You allowed this for the rest of this task."),
  session: words("You allowed this for this session."),
  always: words("You allowed this always."),
} as const;

const granting = {
  task: translatable("for the rest of this task: {permission}"),
  session: translatable("for this session: {permission}"),
  always: translatable("from now on always: {permission}"),
} as const;

/**
 * Returns why a command would write beyond the mode's scope, as far as that can be seen; `undefined` if
 * it does not. A mode that may change the project is not refused here: what it must not write, in
 * Rooroo's own folder, always needs approval.
 */
function beyondScope(
  { facts }: CommandAction,
  { slug, writes }: Mode,
  taskFolder: string,
): string | undefined {
  if (writes === "project") return undefined;
  const path = facts?.writes.find(
    (one) => one !== taskFolder && !mayWrite(writes, one, taskFolder),
  );
  if (path === undefined) return undefined;
  const scope = describeScope(writes, taskFolder);
  return `${slug} may write only ${scope}; the command would write ${shownPath(path)}.`;
}
