import { IgnoredFiles } from "../../access/ignoredFiles.js";
import { WorkspaceGuard } from "../../access/locatedPath.js";
import type { ChangeRecorder } from "../../agent/tool.js";
import { noDocuments } from "../../changes/noDocuments.js";
import { FileError, messageOf, UserError } from "../../errors.js";
import { expertSandbox } from "../../experts/expertSandbox.js";
import type { SandboxSettings } from "../../experts/expertSettings.js";
import type { WorkspaceHost } from "../../experts/workspaceHost.js";
import type { ShellResult } from "../../ports/shell.js";
import { plainOutput } from "../../text/plainOutput.js";
import { visibleLine, visibleText } from "../../text/visibleText.js";
import { bareShell, sandboxedShell } from "../../tools/commands/sandboxedShell.js";

/** Milliseconds. */
const longest = 30 * 60_000;
/** The most characters of the output that the user is told, from its end. */
const mostTold = 1500;

/** What the command runs in. */
type SetupHost = Pick<WorkspaceHost, "files" | "search" | "documents" | "shell">;

export interface SetupOptions {
  /** The user's own command line, as in `npm ci`. */
  readonly command: string;
  /** Default: `auto` and no hosts. */
  readonly sandbox?: SandboxSettings | undefined;
  readonly signal?: AbortSignal;
}

/**
 * Runs the user's setup command in a worktree or a worker's checkout that was just made, in the sandbox where there is one.
 *
 * @throws {UserError} with what it printed, if it fails
 */
export async function setUpWorktree(
  host: SetupHost,
  { command, sandbox, signal = new AbortController().signal }: SetupOptions,
): Promise<void> {
  const name = visibleLine(command, 80);
  let result: ShellResult;
  try {
    const { shell } = await shellOf(host, sandbox);
    const request = { command, cwd: "", timeoutMs: longest, onOutput: () => undefined };
    result = await shell.run(request, signal);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new UserError(
      "worktreeSetupNotRun",
      "The setup command ({command}) could not be run, so the work does not begin. {problem}",
      { command: name, problem: messageOf(error) },
    );
  }
  if (result.endedBy === "itself" && result.exitCode === 0) return;
  const output = visibleText(plainOutput(result.output).trim().slice(-mostTold));
  throw new UserError(
    "worktreeSetupFailed",
    "The setup command ({command}) failed, so the work does not begin. Correct it (rooroo.plans.worktreeSetup, or --setup), or what it needs, and resume the task.\n\n{output}",
    { command: name, output: output === "" ? "(It printed nothing.)" : output },
  );
}

async function shellOf(host: SetupHost, settings: SandboxSettings | undefined) {
  const ability = settings?.enabled === "off" ? undefined : await host.shell.sandbox?.();
  if (ability?.available !== true) return bareShell(host.shell);
  const { files, search, documents = noDocuments } = host;
  const hidden = new IgnoredFiles(files).once();
  const guard = new WorkspaceGuard(files, hidden);
  const direct = ability.direct === true;
  const given = { files, hidden, guard, documents, search, changes: unrecorded, direct };
  const own = expertSandbox({ slug: "rooroo-developer", writes: "project" }, ownFolder, given);
  const hosts = settings?.allowedHosts ?? [];
  const network = hosts.length === 0 ? ("none" as const) : { hosts };
  const terms = { network, keeps: "project" as const, onlyReads: false };
  return sandboxedShell(host.shell, own, terms, nothingKnown);
}

/** There is no task yet whose folder the command could write. */
const ownFolder = ".rooroo/tasks/none";
const nothingKnown = { facts: { commands: [], writes: [] }, folder: "" };

/** What the command changes is a part of what the plan lands, and is recorded only then. */
const unrecorded: ChangeRecorder = {
  writing: () => Promise.resolve(),
  before: () => Promise.resolve(),
  after: () => Promise.resolve(),
  watch: () => Promise.resolve({ settle: () => Promise.resolve([]) }),
};
