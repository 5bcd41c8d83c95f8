import type { CommandFacts } from "../agent/commandFacts.js";
import type { SandboxTerms } from "../agent/commandSandbox.js";
import type { DecidedBy } from "../agent/events.js";
import type { CommandAction } from "../agent/tool.js";
import { type Said, type Spoken, type Words, words } from "../text/words.js";
import type { CategoryRule } from "./approvalRules.js";

interface CommandDecision {
  /** `deny`: the command never runs; no person is asked. */
  readonly type: "allow" | "ask" | "deny";
  readonly why: Said;
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
  readonly protection: (path: string) => Words | undefined;
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
  action: CommandAction | Spoken<CommandAction>,
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
  if (outside) {
    return ask(words("It would run outside the sandbox, which is always asked about."));
  }
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
    return ask(facts.unclear ?? words("It cannot be told whether your settings deny it."));
  }
  if (background && !onlyReads) {
    return ask(words("It would run on in the background, where its changes could not be kept."));
  }
  const { network, why } = networkOf(rule, sandbox.hosts);
  return {
    type: "allow",
    why,
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
): { network: SandboxTerms["network"]; why: Words } {
  if (rule === "all") {
    return { network: "open", why: words("Commands run in the sandbox, with the network.") };
  }
  if (hosts.length === 0) {
    return { network: "none", why: words("Commands run in the sandbox, without network.") };
  }
  const why = words(
    "Commands run in the sandbox, where only the hosts that you named can be reached.",
  );
  return { network: { hosts }, why };
}

/**
 * Decides from what the command line shows. Even where everything is allowed, visible writes to protected
 * files and outside the workspace are asked about. A script that the line runs can write where it likes; the
 * rule `all` allows that.
 */
function decideUnderstood(
  { facts, inside }: CommandAction | Spoken<CommandAction>,
  { rule, decidedBy }: { readonly rule: "ask" | "safe" | "all"; readonly decidedBy: DecidedBy },
  { mayChangeProject, protection }: CommandCircumstances,
): CommandDecision {
  if (facts === undefined) return ask(words("Nobody has looked into it."));
  const denied = facts.commands.find(({ verdict }) => verdict === "denied");
  if (denied !== undefined) {
    return { type: "deny", why: denied.why, decidedBy: "rooroo.commands.deny" };
  }
  if (!inside) {
    return ask(words("It is outside the workspace, which is always asked about."));
  }
  const what = words("Commands");
  if (rule === "ask") {
    return { type: "ask", why: words("{what} are all asked about.", { what }), decidedBy };
  }
  if (facts.unclear !== undefined) return ask(facts.unclear);
  const beyond = writesBeyond(facts, protection);
  if (beyond !== undefined) return ask(beyond);
  const asked = facts.commands.find(({ verdict }) => verdict === "asks");
  if (asked === undefined) {
    return facts.commands.every(({ verdict }) => verdict === "reads")
      ? { type: "allow", why: words("It only reads the workspace."), decidedBy }
      : {
          type: "allow",
          why: words("Your settings allow it."),
          decidedBy: "rooroo.commands.allow",
        };
  }
  if (rule === "all" && mayChangeProject) {
    return { type: "allow", why: words("{what} are allowed.", { what }), decidedBy };
  }
  const [name = "It"] = asked.words;
  const why =
    facts.commands.length > 1 ? words("{name}: {why}", { name, why: asked.why }) : asked.why;
  // A program that is not known to read may do anything, whatever the mode may write.
  if (rule === "all") return ask(words("{why} This mode may not change the project.", { why }));
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
): Words | undefined {
  const outside = writes.find((path) => /^(\/|[A-Za-z]:)/.test(path));
  if (outside !== undefined) {
    return words("It writes {path}, outside the workspace.", { path: outside });
  }
  for (const path of writes) {
    const why = protection(path);
    if (why !== undefined) {
      return words("It writes {path}, which is always asked about. {why}", { path, why });
    }
  }
  return undefined;
}

function isRead({
  facts,
}: Pick<CommandAction, "facts"> | Pick<Spoken<CommandAction>, "facts">): boolean {
  return facts?.commands.every(({ verdict }) => verdict === "reads") ?? false;
}

function ask(why: Said): CommandDecision {
  return { type: "ask", why };
}
