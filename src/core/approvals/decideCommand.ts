import type { DecidedBy } from "../agent/events.js";
import type { CommandIntent } from "../agent/tool.js";

interface CommandDecision {
  /** `deny`: it never runs, whoever is asked. */
  readonly type: "allow" | "ask" | "deny";
  readonly why: string;
  /** Absent where no setting would change it. */
  readonly decidedBy?: DecidedBy;
}

/**
 * Decides about a command from what is known of it: what the person's settings deny never runs; then
 * every program in the line must be allowed. Even where everything is, writes to protected files and
 * outside of the workspace are asked about, as far as they can be seen. What is only run, as a script,
 * can write where it likes; who allows everything allows that.
 *
 * @param mayChangeProject the mode that runs it may change the project's files
 * @param steers why a file is always asked about
 */
export function decideCommand(
  { facts, inside }: CommandIntent,
  { rule, decidedBy }: { readonly rule: "ask" | "safe" | "all"; readonly decidedBy: DecidedBy },
  mayChangeProject: boolean,
  steers: (path: string) => string | undefined,
): CommandDecision {
  if (facts === undefined) return ask("Nobody has looked into it.");
  const denied = facts.commands.find(({ verdict }) => verdict === "denied");
  if (denied !== undefined) {
    return { type: "deny", why: denied.why, decidedBy: "rooroo.commands.deny" };
  }
  if (!inside) return ask("It is outside the workspace, which is always asked about.");
  if (rule === "ask") return { type: "ask", why: "Commands are all asked about.", decidedBy };
  if (facts.unclear !== undefined) return ask(facts.unclear);
  const outside = facts.writes.find((path) => /^(\/|[A-Za-z]:)/.test(path));
  if (outside !== undefined) return ask(`It writes ${outside}, outside the workspace.`);
  const steering = facts.writes.find((path) => steers(path) !== undefined);
  if (steering !== undefined) {
    return ask(`It writes ${steering}, which is always asked about. ${steers(steering) ?? ""}`);
  }
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

function ask(why: string): CommandDecision {
  return { type: "ask", why };
}
