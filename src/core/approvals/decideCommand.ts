import type { SandboxTerms } from "../agent/commandSandbox.js";
import type { CommandFacts } from "../agent/commandFacts.js";
import type { DecidedBy } from "../agent/events.js";
import type { CommandAction } from "../agent/tool.js";
import type { CategoryRule } from "./approvalRules.js";

interface CommandDecision {
  /** `deny`: the command never runs; no person is asked. */
  readonly type: "allow" | "ask" | "deny";
  readonly why: string;
  /** Absent if no setting would change the decision. */
  readonly decidedBy?: DecidedBy;
  /** The terms of the sandbox that the command must run in. Absent: if it is allowed, it runs outside. */
  readonly sandbox?: SandboxTerms;
}

/** Inputs of the decision besides the command itself. */
export interface CommandCircumstances {
  /** Whether the mode that runs the command may change the project's files. */
  readonly mayChangeProject: boolean;
  /** Returns why writing a file is always asked about; `undefined` for an ordinary file. */
  readonly protection: (path: string) => string | undefined;
  /** The hosts that may be reached from the sandbox. Absent: commands cannot run in one. */
  readonly sandbox?: { readonly hosts: readonly string[] } | undefined;
  /** Whether the user has rules that forbid commands. */
  readonly deniesSome: boolean;
}

interface Rule {
  readonly rule: Exclude<CategoryRule, "deny">;
  readonly decidedBy: DecidedBy;
}

/**
 * Decides about a command from what is known of it. A command that the user's rules deny never runs. One that
 * their rules allow runs like any program of theirs. Everything else that runs without asking runs in the
 * sandbox where there is one; where there is none, it has to be understood first.
 */
export function decideCommand(
  action: CommandAction,
  { rule, decidedBy }: Rule,
  circumstances: CommandCircumstances,
): CommandDecision {
  const { sandbox, deniesSome } = circumstances;
  const { facts, inside, outside = false, background = false } = action;
  const understood = decideUnderstood(
    action,
    { rule: ruleWithout(rule), decidedBy },
    circumstances,
  );
  if (sandbox === undefined || understood.type === "deny" || facts === undefined || !inside) {
    return understood;
  }
  if (understood.decidedBy === "rooroo.commands.allow") return understood;
  if (rule === "ask") return understood;
  if (outside) return ask("It would run outside the sandbox, which is always asked about.");
  // The sandbox would not keep its change. Under `all`, a person is asked, so that it can be made.
  const writes = facts.writes.filter((path) => !path.startsWith(ownTemporary));
  const beyond = rule === "all" ? writesBeyond({ writes }, circumstances.protection) : undefined;
  if (beyond !== undefined) return ask(beyond);
  const onlyReads = understood.type === "allow" && isRead(action);
  if (rule === "safe") {
    return onlyReads
      ? { ...understood, sandbox: { network: "none", keeps: "ownFolder", onlyReads } }
      : understood;
  }
  if (deniesSome && (facts.unclear !== undefined || facts.commands.length === 0)) {
    return ask(facts.unclear ?? "It cannot be told whether your settings deny it.");
  }
  if (background && !onlyReads) {
    return ask("It would run on in the background, where its changes could not be kept.");
  }
  const { network, words } = networkOf(rule, sandbox.hosts);
  return {
    type: "allow",
    why: `Commands run in the sandbox, ${words}.`,
    decidedBy,
    sandbox: { network, keeps: "project", onlyReads },
  };
}

/** Returns the rule without a sandbox, where `sandbox` means what `safe` means. */
function ruleWithout(rule: Rule["rule"]): "ask" | "safe" | "all" {
  return rule === "sandbox" ? "safe" : rule;
}

function networkOf(
  rule: "sandbox" | "all",
  hosts: readonly string[],
): { network: SandboxTerms["network"]; words: string } {
  if (rule === "all") return { network: "open", words: "with the network" };
  if (hosts.length === 0) return { network: "none", words: "without network" };
  return { network: { hosts }, words: "where only the hosts that you named can be reached" };
}

/**
 * Decides from what the command line shows. Even where everything is allowed, visible writes to protected
 * files and outside the workspace are asked about. A script that the line runs can write where it likes; the
 * rule `all` allows that.
 */
function decideUnderstood(
  { facts, inside }: CommandAction,
  { rule, decidedBy }: { readonly rule: "ask" | "safe" | "all"; readonly decidedBy: DecidedBy },
  { mayChangeProject, protection }: CommandCircumstances,
): CommandDecision {
  if (facts === undefined) return ask("Nobody has looked into it.");
  const denied = facts.commands.find(({ verdict }) => verdict === "denied");
  if (denied !== undefined) {
    return { type: "deny", why: denied.why, decidedBy: "rooroo.commands.deny" };
  }
  if (!inside) return ask("It is outside the workspace, which is always asked about.");
  if (rule === "ask") return { type: "ask", why: "Commands are all asked about.", decidedBy };
  if (facts.unclear !== undefined) return ask(facts.unclear);
  const beyond = writesBeyond(facts, protection);
  if (beyond !== undefined) return ask(beyond);
  const asked = facts.commands.find(({ verdict }) => verdict === "asks");
  if (asked === undefined) {
    return facts.commands.every(({ verdict }) => verdict === "reads")
      ? { type: "allow", why: "It only reads the workspace.", decidedBy }
      : { type: "allow", why: "Your settings allow it.", decidedBy: "rooroo.commands.allow" };
  }
  if (rule === "all" && mayChangeProject) {
    return { type: "allow", why: "Commands are allowed.", decidedBy };
  }
  const [name = "It"] = asked.words;
  const why = facts.commands.length > 1 ? `${name}: ${asked.why}` : asked.why;
  // A program that is not known to read may do anything, whatever the mode may write.
  if (rule === "all") return ask(`${why} This mode may not change the project.`);
  return { type: "ask", why, decidedBy };
}

/** A folder that each sandboxed command has for itself, and that is discarded with it. */
const ownTemporary = "/tmp/";

/**
 * Returns a sentence about a file that the command visibly writes and that is outside the workspace or
 * protected; `undefined` if there is none.
 */
function writesBeyond(
  { writes }: Pick<CommandFacts, "writes">,
  protection: CommandCircumstances["protection"],
): string | undefined {
  const outside = writes.find((path) => /^(\/|[A-Za-z]:)/.test(path));
  if (outside !== undefined) return `It writes ${outside}, outside the workspace.`;
  const steering = writes.find((path) => protection(path) !== undefined);
  if (steering === undefined) return undefined;
  return `It writes ${steering}, which is always asked about. ${protection(steering) ?? ""}`;
}

function isRead({ facts }: CommandAction): boolean {
  return facts?.commands.every(({ verdict }) => verdict === "reads") ?? false;
}

function ask(why: string): CommandDecision {
  return { type: "ask", why };
}
