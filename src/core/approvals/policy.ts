import { protection } from "../access/protectedFiles.js";
import { mayHoldSecrets } from "../access/secretFiles.js";
import type { SandboxTerms } from "../agent/commandSandbox.js";
import type { DecidedBy } from "../agent/events.js";
import type { ProposedAction, ToldAction } from "../agent/tool.js";
import { type Said, type Words, words } from "../text/words.js";
import type {
  ApprovalPreset,
  Category,
  CategoryRule,
  CategoryRules,
  ModeApprovals,
} from "./approvalRules.js";
import { decideCommand } from "./decideCommand.js";

/** The user's approval settings for one mode. */
export interface Policy {
  readonly preset: ApprovalPreset;
  readonly categories?: CategoryRules | undefined;
  /** The mode's own rules; what they leave out is as for all modes. */
  readonly mode?: ModeApprovals | undefined;
  /** The hosts that may be reached from the sandbox. Absent: commands cannot run in one. */
  readonly sandbox?: { readonly hosts: readonly string[] } | undefined;
  /** Whether the user has rules that forbid commands. */
  readonly deniesSome?: boolean;
}

/** Properties of a command's mode that the decision depends on. */
interface CommandMode {
  /** Whether the mode may change the project's files. */
  readonly mayChangeProject: boolean;
  /** Returns whether a path is in a place of the expert's own, below `.rooroo/`. */
  readonly isOwn: (path: string) => boolean;
}

export interface PolicyDecision {
  readonly type: "allow" | "ask" | "deny";
  /** The reason, for the person, as in `It is outside the workspace.` */
  readonly why: Said;
  /** Absent if no setting would change the decision. */
  readonly decidedBy?: DecidedBy;
  /** The terms of the sandbox that the command must run in. Absent: if it is allowed, it runs outside. */
  readonly sandbox?: SandboxTerms;
}

/** The reason why a tool is asked about that was allowed. */
export const toolChanged = words(
  "The description or input of this tool has changed since you allowed it, so you are asked again.",
);

/**
 * Decides about an action without any I/O: `action` is already canonical. In doubt, a person is asked.
 *
 * @param isOwn whether the write is to a place of the expert's own, below `.rooroo/`
 * @param mode the mode of the expert that runs a command
 */
export function decide(
  action: ProposedAction | ToldAction,
  policy: Policy,
  isOwn: boolean,
  mode: CommandMode = { mayChangeProject: true, isOwn: () => false },
): PolicyDecision {
  if (action.access === "spend")
    return { type: "ask", why: words("A limit that you set is reached.") };
  const { rule, decidedBy } = ruleFor(action.access, policy);
  const what = inWords[action.access];
  if (rule === "deny") {
    return { type: "deny", why: words("{what} are never allowed.", { what }), decidedBy };
  }
  if (action.access === "command") {
    const protectionOf = (path: string) => protection(mode.isOwn(path) ? inOwnPlace(path) : path);
    return decideCommand(
      action,
      { rule, decidedBy },
      {
        mayChangeProject: mode.mayChangeProject,
        protection: protectionOf,
        sandbox: policy.sandbox,
        deniesSome: policy.deniesSome ?? false,
      },
    );
  }
  if ("inside" in action && !action.inside) {
    return { type: "ask", why: words("It is outside the workspace, which is always asked about.") };
  }
  if (action.access === "write") {
    const reason = action.protection ?? protection(isOwn ? inOwnPlace(action.path) : action.path);
    if (reason !== undefined) {
      return { type: "ask", why: soAsked(reason) };
    }
  }
  if (action.access === "tool" && action.reaches !== undefined) {
    return { type: "ask", why: soAsked(action.reaches) };
  }
  if (action.access === "tool" && action.allowed !== undefined) {
    return action.allowed === "unchanged"
      ? { type: "allow", why: words("Your list of MCP servers allows this tool.") }
      : { type: "ask", why: toolChanged };
  }
  if (
    action.access === "read" &&
    (rule === "safe" || rule === "sandbox") &&
    mayHoldSecrets(action.path)
  ) {
    const why = words("It may hold keys or passwords, and what is read goes to the model.");
    return { type: "ask", why, decidedBy };
  }
  switch (rule) {
    case "all":
      return { type: "allow", why: words("{what} are allowed.", { what }), decidedBy };
    case "ask":
      return { type: "ask", why: words("{what} are all asked about.", { what }), decidedBy };
    case "safe":
    case "sandbox": {
      // Commands may change project files unasked there, so asking about a tool would protect nothing.
      const mayWrite = rule === "sandbox" && policy.sandbox !== undefined;
      const why = safe(action, isOwn, mayWrite);
      return why === undefined
        ? { type: "ask", why: words("{what} are asked about.", { what }), decidedBy }
        : { type: "allow", why, decidedBy };
    }
  }
}

/**
 * Returns the most specific rule: a category comes before a preset, and a mode's own before that of all
 * modes.
 */
export function ruleFor(
  category: Category,
  { preset, categories: rules, mode }: Pick<Policy, "preset" | "categories" | "mode">,
): { rule: CategoryRule; decidedBy: DecidedBy } {
  const own = mode?.[category];
  if (own !== undefined) return { rule: own, decidedBy: "rooroo.modes" };
  const rule = rules?.[category];
  if (rule !== undefined) return { rule, decidedBy: "rooroo.approvals.categories" };
  if (mode?.preset !== undefined) return { rule: mode.preset, decidedBy: "rooroo.modes" };
  return { rule: preset, decidedBy: "rooroo.approvals.preset" };
}

/** Returns why an action is safe; `undefined` if it is not known to be. */
function safe(
  action: Exclude<ProposedAction | ToldAction, { access: "command" | "spend" }>,
  isOwn: boolean,
  mayWriteProject: boolean,
): Words | undefined {
  switch (action.access) {
    case "read":
      return words("Reading the workspace is safe.");
    case "write":
      if (isOwn) return words("It is a file of the task's own.");
      return mayWriteProject ? words("It is a project file that is not protected.") : undefined;
    case "web":
    case "tool":
      return undefined;
  }
}

const inWords: Readonly<Record<Category, Words>> = {
  read: words("Reads of files"),
  write: words("Changes of files"),
  command: words("Commands"),
  web: words("Requests to the internet"),
  tool: words("Uses of tools that are not Rooroo's own"),
};

function soAsked(reason: Said): Words {
  return words("{reason} So it is always asked about.", { reason });
}

/**
 * Strips `.rooroo/`: an expert may write to a place of its own below it, but not to protected files there.
 */
function inOwnPlace(path: string): string {
  return path.replace(/^\.rooroo\//i, "");
}
