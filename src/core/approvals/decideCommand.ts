import type { SandboxTerms } from "../agent/commandSandbox.js";
import type { CommandFacts } from "../agent/commandFacts.js";
import type { DecidedBy } from "../agent/events.js";
import type { CommandIntent } from "../agent/tool.js";
import type { CategoryRule } from "./approvalRules.js";

interface CommandDecision {
  /** `deny`: it never runs, whoever is asked. */
  readonly type: "allow" | "ask" | "deny";
  readonly why: string;
  /** Absent where no setting would change it. */
  readonly decidedBy?: DecidedBy;
  /** It is allowed to run in the sandbox, and only there. */
  readonly sandbox?: SandboxTerms;
}

/** What counts beside the command itself. */
export interface CommandCircumstances {
  /** The mode that runs it may change the project's files. */
  readonly mayChangeProject: boolean;
  /** Says why a file is always asked about; `undefined` when it is one like any other. */
  readonly steers: (path: string) => string | undefined;
  /** The sandbox, where commands can run in one, with the hosts that may be reached from it. */
  readonly sandbox?: { readonly hosts: readonly string[] } | undefined;
  /** The person has rules that forbid commands. */
  readonly deniesSome: boolean;
}

interface Rule {
  readonly rule: Exclude<CategoryRule, "deny">;
  readonly decidedBy: DecidedBy;
}

/**
 * Decides about a command from what is known of it. What the person's rules deny never runs. What
 * their rules allow runs like any program of theirs. Everything else that runs without asking runs
 * in the sandbox where there is one; where there is none, it has to be understood first.
 */
export function decideCommand(
  intent: CommandIntent,
  { rule, decidedBy }: Rule,
  circumstances: CommandCircumstances,
): CommandDecision {
  const { sandbox, deniesSome } = circumstances;
  const { facts, inside, outside = false, background = false } = intent;
  const understood = decideUnderstood(
    intent,
    { rule: ruleWithout(rule), decidedBy },
    circumstances,
  );
  if (sandbox === undefined || understood.type === "deny" || facts === undefined || !inside) {
    return understood;
  }
  if (understood.decidedBy === "rooroo.commands.allow") return understood;
  if (rule === "ask") return understood;
  if (outside) return ask("It would run outside the sandbox, which is always asked about.");
  // There its change would not be kept. Who allows everything is asked, so that it can be made.
  const writes = facts.writes.filter((path) => !path.startsWith(ownTemporary));
  const beyond = rule === "all" ? writesBeyond({ writes }, circumstances.steers) : undefined;
  if (beyond !== undefined) return ask(beyond);
  const onlyReads = understood.type === "allow" && isRead(intent);
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

/** Without a sandbox the rule `sandbox` means what `safe` means. */
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
 * Decides from what the command line shows. Even where everything is allowed, writes to protected
 * files and outside of the workspace are asked about, as far as they can be seen. What is only run,
 * as a script, can write where it likes; who allows everything allows that.
 */
function decideUnderstood(
  { facts, inside }: CommandIntent,
  { rule, decidedBy }: { readonly rule: "ask" | "safe" | "all"; readonly decidedBy: DecidedBy },
  { mayChangeProject, steers }: CommandCircumstances,
): CommandDecision {
  if (facts === undefined) return ask("Nobody has looked into it.");
  const denied = facts.commands.find(({ verdict }) => verdict === "denied");
  if (denied !== undefined) {
    return { type: "deny", why: denied.why, decidedBy: "rooroo.commands.deny" };
  }
  if (!inside) return ask("It is outside the workspace, which is always asked about.");
  if (rule === "ask") return { type: "ask", why: "Commands are all asked about.", decidedBy };
  if (facts.unclear !== undefined) return ask(facts.unclear);
  const beyond = writesBeyond(facts, steers);
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
  // Nobody can tell what a program does that is not known to read, whatever the mode may write.
  if (rule === "all") return ask(`${why} This mode may not change the project.`);
  return { type: "ask", why, decidedBy };
}

/** In the sandbox a folder of the command's own, which goes with it. */
const ownTemporary = "/tmp/";

/** Says what it visibly writes that is outside the workspace or protected. */
function writesBeyond(
  { writes }: Pick<CommandFacts, "writes">,
  steers: CommandCircumstances["steers"],
): string | undefined {
  const outside = writes.find((path) => /^(\/|[A-Za-z]:)/.test(path));
  if (outside !== undefined) return `It writes ${outside}, outside the workspace.`;
  const steering = writes.find((path) => steers(path) !== undefined);
  if (steering === undefined) return undefined;
  return `It writes ${steering}, which is always asked about. ${steers(steering) ?? ""}`;
}

function isRead({ facts }: CommandIntent): boolean {
  return facts?.commands.every(({ verdict }) => verdict === "reads") ?? false;
}

function ask(why: string): CommandDecision {
  return { type: "ask", why };
}
