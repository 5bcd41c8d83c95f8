import { type AgentFiles, agentFiles, agentSearch } from "../access/agentFiles.js";
import { checkNotIgnored, IgnoredFiles, type IgnoreSource } from "../access/ignoredFiles.js";
import { WorkspaceGuard } from "../access/locatedPath.js";
import type { ProblemWatch, ToolContext } from "../agent/tool.js";
import { ChangeStore } from "../changes/changeStore.js";
import { otherTasks, type TaskState } from "../changes/commandChanges.js";
import { noDocuments } from "../changes/noDocuments.js";
import { TaskRecorder } from "../changes/taskRecorder.js";
import type { CommandParser } from "../commands/line/syntaxTree.js";
import type { VisibleFiles } from "../commands/readProblem.js";
import { reviewCommand } from "../commands/reviewCommand.js";
import type { Commits } from "../ports/commits.js";
import type { EditorDocuments, EditorView } from "../ports/editor.js";
import type { FileSystem } from "../ports/files.js";
import type { Git } from "../ports/git.js";
import type { PdfReader } from "../ports/pdf.js";
import type { Search } from "../ports/search.js";
import type { Shell } from "../ports/shell.js";
import type { Snapshots } from "../ports/snapshots.js";
import type { FileLeft } from "../ports/worktrees.js";
import type { KeyedQueue } from "../text/keyedQueue.js";
import { expertSandbox } from "./expertSandbox.js";
import type { ExpertSettings } from "./expertSettings.js";
import type { Mode } from "./mode.js";

/**
 * The place where the tools of sessions work: one checkout of a project, with its files, shell and search. It is
 * the opened folder today; another checkout can take its place, and tools, review and undo do not know. A
 * session's own state (transcript, report, earlier versions for undo) is not part of it.
 */
export interface WorkspaceHost {
  readonly files: FileSystem;
  /** The editor's unsaved documents. Absent: there is no editor. */
  readonly documents?: EditorDocuments;
  readonly shell: Shell;
  /**
   * Returns the shell for a session, by its folder, where that folder lies elsewhere than the files. Absent: `shell`.
   */
  readonly shellOf?: (folder: string) => Shell;
  /** Returns what a session has put beside its folder and what stayed there, where {@link shellOf} is. */
  readonly leftOf?: (folder: string) => Promise<readonly FileLeft[]>;
  /** Parses command lines for {@link reviewCommand}. */
  readonly parser: CommandParser;
  readonly search: Search;
  readonly pdf: PdfReader;
  /** Absent: nothing tells of problems in files here. */
  readonly problems?: ProblemWatch;
  /** Absent: git is not asked here. */
  readonly git?: Git;
  /** Makes commits of what work has changed. Absent: none can be made here. */
  readonly commits?: Commits;
  /** The user's view of the editor. Absent: there is no editor. */
  readonly editor?: EditorView;
  /** Keeps what files are before commands change them. Absent: only what commands name is kept. */
  readonly snapshots?: Snapshots;
  /** Runs the writes to one file in turn, for all sessions that work here. */
  readonly writes: KeyedQueue;
}

/** The session that works on a host. */
interface HostedSession {
  readonly mode: Pick<Mode, "slug" | "writes" | "ignores">;
  /** The session's folder, as in `.rooroo/tasks/ID`. */
  readonly folder: string;
  /** Says how commands run in the sandbox; `undefined` if they cannot be sandboxed. */
  readonly sandbox: { readonly direct: boolean } | undefined;
  /** The services that the session stores its state with. */
  readonly state: TaskState;
  settings(): Pick<ExpertSettings, "commands">;
  /** Returns whether a person has accepted a repository's configuration as it is. Absent: nobody has. */
  readonly acceptsGit?: VisibleFiles["acceptsGit"];
}

/** The part of a tool's context that comes from the host. */
type HostContext = Pick<
  ToolContext,
  | "files"
  | "guard"
  | "documents"
  | "changes"
  | "shell"
  | "sandbox"
  | "review"
  | "search"
  | "pdf"
  | "problems"
  | "alone"
>;

/** A host as one session sees it: without the files that are ignored for its mode, and with its changes recorded. */
export class HostView {
  /** The files that the session may see. */
  readonly files: AgentFiles;
  private readonly ignored: IgnoredFiles;
  private readonly changes: TaskRecorder;

  constructor(
    private readonly host: WorkspaceHost,
    private readonly session: HostedSession,
  ) {
    const { state, folder, mode } = session;
    this.ignored = new IgnoredFiles(host.files, mode.ignores);
    this.files = agentFiles(host.files, this.ignored);
    const store = new ChangeStore(state.files, state.clock, state.signer, folder);
    const { snapshots, search } = host;
    const others = (since: number) => otherTasks(state, folder, since);
    const workspace = snapshots && { snapshots, search, owner: folder, others };
    this.changes = new TaskRecorder(store, host.files, workspace);
  }

  /** Settles what the session's writes and commands have left that were interrupted when their process was killed. */
  async settleLeft(): Promise<void> {
    await this.changes.removeLeftovers();
    await this.changes.settleLeft();
  }

  /**
   * Returns the context of one call: the ignored files of this moment count for it.
   *
   * @param sandbox how its commands run in the sandbox. Default: as all of the session's
   */
  forCall(sandbox = this.session.sandbox): HostContext {
    const { host, changes } = this;
    const ignored = this.ignored.once();
    const guard = new WorkspaceGuard(host.files, ignored);
    return {
      files: agentFiles(host.files, ignored),
      guard,
      documents: host.documents ?? noDocuments,
      changes,
      shell: host.shellOf?.(this.session.folder) ?? host.shell,
      ...this.sandboxed(ignored, guard, sandbox),
      review: this.reviewer(ignored, guard),
      search: agentSearch(host.search, ignored),
      pdf: host.pdf,
      ...(host.problems === undefined ? {} : { problems: host.problems }),
      alone: (path, work) => host.writes.run(path, work),
    };
  }

  private sandboxed(
    ignored: IgnoreSource,
    guard: WorkspaceGuard,
    sandbox: HostedSession["sandbox"],
  ): Pick<HostContext, "sandbox"> {
    const { files, search, documents = noDocuments } = this.host;
    const { mode, folder } = this.session;
    if (sandbox === undefined) return {};
    const { changes } = this;
    const { direct } = sandbox;
    const given = { files, hidden: ignored, guard, documents, search, changes, direct };
    return { sandbox: expertSandbox(mode, folder, given) };
  }

  private reviewer(ignored: IgnoreSource, guard: WorkspaceGuard): ToolContext["review"] {
    const { files, shell, parser, git } = this.host;
    const { session } = this;
    const { mode } = session;
    return async (line, folder) => {
      const test = await ignored.read();
      return reviewCommand(line, folder, {
        files,
        isHidden: (path) => {
          // The user can allow a file that .rooignore hides, once; nobody can allow one that the mode may
          // not read.
          if (mode.ignores !== undefined) checkNotIgnored(path, mode.ignores);
          return test(path) !== undefined;
        },
        protection: async (path) => (await guard.locate(path)).protection,
        parser: speaksPosix(shell.description) ? parser : noParser,
        acceptsGit: session.acceptsGit,
        history: git && (() => git.history()),
        rules: session.settings().commands ?? { allow: [], deny: [] },
      });
    };
  }
}

const noParser: CommandParser = { parse: () => Promise.resolve(undefined) };

/** Returns whether the shell is of the one family whose grammar the parser knows. */
function speaksPosix(description: string): boolean {
  return /^(ba|da)?sh /.test(description);
}
