import type { SandboxAbility } from "../../ports/shell.js";
import { translatable } from "../../text/translator.js";
import { type Said, words } from "../../text/words.js";

/** A program that was looked for. */
export interface FoundProgram {
  /** The program's path. Absent: the program was not found. */
  readonly path?: string;
  /** The version as the program prints it, as in `git version 2.39.5`. Absent: it could not be asked. */
  readonly version?: string;
}

/** Facts about a machine and one workspace on it. */
export interface MachineFacts {
  /** The version of Node.js that runs this process, as in `22.12.0`. */
  readonly node: string;
  readonly git: FoundProgram;
  readonly ripgrep: FoundProgram;
  readonly shell: FoundProgram;
  readonly sandbox: SandboxAbility;
  /**
   * `server` is the model server's address. `problem` says why no model can be asked, and what to do.
   */
  readonly model:
    | { readonly name: string; readonly server: string; readonly hasKey: boolean }
    | { readonly problem: Said };
  readonly workspace: {
    readonly path: string;
    /** Processes that work in the workspace, as in `VS Code (process 12)`. */
    readonly holders: readonly Said[];
    /** Sentences that say which of the workspace's files cannot be used, and why. */
    readonly problems: readonly Said[];
    /** The same of files without which work goes on: rules, skills and commands. */
    readonly notes?: readonly Said[];
  };
}

/** The result of one check. */
export interface Finding {
  readonly subject: "Node.js" | "Git" | "ripgrep" | "Shell" | "Sandbox" | "Model" | "Workspace";
  /** `note`: something could be better. `problem`: work cannot continue until it is fixed. */
  readonly state: "ok" | "note" | "problem";
  /** Says what was found or what is wrong, and what to do. */
  readonly text: Said;
}

/** The messages for the subjects; those that are names of programs are the same everywhere. */
export const subjectNames: Readonly<Record<Finding["subject"], string>> = {
  "Node.js": "Node.js",
  Git: "Git",
  ripgrep: "ripgrep",
  Shell: translatable("Shell"),
  Sandbox: translatable("Sandbox"),
  Model: translatable("Model"),
  Workspace: translatable("Workspace"),
};

const oldestNode = [20, 19] as const;

/** Returns the findings about each thing that the work depends on. */
export function machineReport(facts: MachineFacts): readonly Finding[] {
  return [
    nodeFinding(facts.node),
    programFinding("Git", facts.git, {
      state: "note",
      text: words(
        "It was not found. Experts that look at a project's history need it: install it and put it on PATH.",
      ),
    }),
    programFinding("ripgrep", facts.ripgrep, {
      state: "note",
      text: words(
        "It was not found, so a slower search of our own is used. Install ripgrep and put it on PATH to have the faster one.",
      ),
    }),
    programFinding("Shell", facts.shell, {
      state: "problem",
      text: words(
        "It was not found, so no command can run. Put bash or sh (on Windows PowerShell) on PATH.",
      ),
    }),
    facts.sandbox.available
      ? finding(
          "Sandbox",
          "ok",
          words("Commands can run in a sandbox ({name}).", { name: facts.sandbox.name }),
        )
      : finding("Sandbox", "note", facts.sandbox.reason),
    modelFinding(facts.model),
    ...workspaceFindings(facts.workspace),
  ];
}

function finding(subject: Finding["subject"], state: Finding["state"], text: Said): Finding {
  return { subject, state, text };
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldest, oldestMinor] = oldestNode;
  if (major > oldest || (major === oldest && minor >= oldestMinor)) {
    return finding("Node.js", "ok", words("Version {version}.", { version }));
  }
  const text = words("Version {version} is too old: install {oldest} or newer.", {
    version,
    oldest: `${oldest}.${oldestMinor}`,
  });
  return finding("Node.js", "problem", text);
}

function programFinding(
  subject: Finding["subject"],
  { path, version }: FoundProgram,
  missing: Pick<Finding, "state" | "text">,
): Finding {
  if (path === undefined) return { subject, ...missing };
  return finding(subject, "ok", version === undefined ? path : `${version} (${path})`);
}

function modelFinding(model: MachineFacts["model"]): Finding {
  if ("problem" in model) return finding("Model", "problem", model.problem);
  const { name, server, hasKey } = model;
  const values = { name, server: shownServer(server) };
  const text = hasKey
    ? words("{name} at {server}, with a key.", values)
    : words("{name} at {server}, without a key.", values);
  return finding("Model", "ok", text);
}

/** Returns the address without user name, password and query, each of which may hold a key. */
function shownServer(address: string): Said {
  if (!URL.canParse(address)) return words("an address that cannot be read");
  const { origin, pathname } = new URL(address);
  return pathname === "/" ? origin : `${origin}${pathname}`;
}

function workspaceFindings({
  path,
  holders,
  problems,
  notes = [],
}: MachineFacts["workspace"]): Finding[] {
  const at = holders.map((holder) =>
    finding("Workspace", "note", words("{holder} works in it now.", { holder })),
  );
  const wrong = problems.map((problem) => finding("Workspace", "problem", problem));
  const noted = notes.map((note) => finding("Workspace", "note", note));
  if (at.length + wrong.length + noted.length > 0) return [...wrong, ...noted, ...at];
  return [finding("Workspace", "ok", path)];
}
