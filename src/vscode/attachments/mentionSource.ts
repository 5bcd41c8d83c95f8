import * as vscode from "vscode";
import { ignoreFilePath, IgnoredFiles } from "../../core/access/ignoredFiles.js";
import { mayHoldSecrets } from "../../core/access/secretFiles.js";
import { repositoryProblem } from "../../core/experts/repositoryProblem.js";
import { PathIndex } from "../../core/mentions/pathIndex.js";
import { menuWaitMs } from "../../core/ports/serverContent.js";
import { visibleLine } from "../../core/text/visibleText.js";
import type { Mention, MentionKind } from "../../protocol/messages.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { folderPath } from "../workspace/folderPath.js";
import type { WorkspaceSession } from "../workspace/workspaceSession.js";

/** The most results of a kind. */
const most = { path: 30, symbol: 8, commit: 8, task: 8, resource: 30 } as const;
/** The newest commits that are searched. */
const searchedCommits = 200;
/** The most files that are listed; what a larger workspace has beyond is not offered. */
const mostFiles = 300_000;

interface Built {
  readonly session: WorkspaceSession;
  readonly index: Promise<PathIndex>;
  readonly watcher: vscode.Disposable;
  /** Whether files have changed in a way that only a new list shows. */
  outdated: boolean;
}

/**
 * Finds what a person can mention: the workspace's paths in an index, which is built at the first question and kept
 * up to date by a watcher; symbols, commits and tasks where they are.
 */
export class MentionSource implements vscode.Disposable {
  private built: Built | undefined;

  constructor(private readonly workspace: CurrentWorkspace) {}

  async find(of: MentionKind, query: string): Promise<readonly Mention[]> {
    const session = this.workspace.require();
    switch (of) {
      case "path":
        return this.paths(session, query);
      case "symbol":
        return symbols(session, query);
      case "commit":
        return commits(session, query);
      case "task":
        return tasks(session, query);
      case "resource":
        return resources(session, query);
    }
  }

  dispose(): void {
    this.built?.watcher.dispose();
  }

  private async paths(session: WorkspaceSession, query: string): Promise<Mention[]> {
    const index = await this.index(session);
    const found = query === "" ? openFiles(session.folder) : index.find(query, 3 * most.path);
    // What is hidden may have changed since the index was built.
    const isHidden = await new IgnoredFiles(session.files).read();
    const visible = found.filter((path) => isHidden(path) === undefined && !mayHoldSecrets(path));
    return visible.slice(0, most.path).map((path) => {
      const plain = path.replace(/\/$/, "");
      const cut = plain.lastIndexOf("/");
      return {
        name: plain.slice(cut + 1),
        description: plain.slice(0, Math.max(0, cut)),
        attachment: { kind: path.endsWith("/") ? "folder" : "file", path: plain },
      };
    });
  }

  private index(session: WorkspaceSession): Promise<PathIndex> {
    const { built } = this;
    if (built?.session !== session) {
      built?.watcher.dispose();
      this.built = this.build(session);
      return this.built.index;
    }
    if (!built.outdated) return built.index;
    // The list so far answers at once; the new one takes its place when it is there.
    built.outdated = false;
    const next = list(session);
    next.then(
      () => {
        if (this.built === built) this.built = { ...built, index: next };
      },
      () => undefined,
    );
    return built.index;
  }

  private build(session: WorkspaceSession): Built {
    const { folder } = session;
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(folder, "**/*"),
      false,
      true,
    );
    const built: Built = { session, index: list(session), watcher, outdated: false };
    // A list that failed is made anew at the next question.
    built.index.catch(() => {
      if (this.built?.session !== session) return;
      this.built.watcher.dispose();
      this.built = undefined;
    });
    watcher.onDidCreate((uri) => {
      const path = folderPath(folder, uri);
      if (path !== undefined && !isOwn(path) && this.built !== undefined)
        this.built.outdated = true;
    });
    watcher.onDidDelete((uri) => {
      const path = folderPath(folder, uri);
      if (path === undefined || this.built?.session !== session) return;
      if (/(^|\/)\.(gitignore|rooignore)$/.test(path)) this.built.outdated = true;
      this.built.index.then(
        (index) => {
          index.remove(path);
        },
        () => undefined,
      );
    });
    const saved = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const path = folderPath(folder, uri);
      const changesRules = path === ignoreFilePath || path?.endsWith(".gitignore") === true;
      if (changesRules && this.built?.session === session) this.built.outdated = true;
    });
    return { ...built, watcher: vscode.Disposable.from(watcher, saved) };
  }
}

/** Lists the workspace's files without those that git ignores. */
async function list(session: WorkspaceSession): Promise<PathIndex> {
  const { search } = (await session.runtime()).dependencies.experts.host;
  const query = { path: "", recursive: true, limit: mostFiles, hides: isOwn };
  const { paths } = await search.files(query, new AbortController().signal);
  return new PathIndex(paths);
}

function isOwn(path: string): boolean {
  return /^\.(git|rooroo)(\/|$)/.test(path);
}

/** Returns the files that are open in tabs, those in front first. */
function openFiles(folder: vscode.Uri): string[] {
  const front = vscode.window.visibleTextEditors.map(({ document }) => document.uri);
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) =>
    all.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
  const paths = [...front, ...tabs].map((uri) => folderPath(folder, uri));
  return [...new Set(paths.filter((path) => path !== undefined))].slice(0, 8);
}

async function symbols({ folder, files }: WorkspaceSession, query: string): Promise<Mention[]> {
  if (query === "") return [];
  const found = await vscode.commands.executeCommand<vscode.SymbolInformation[] | undefined>(
    "vscode.executeWorkspaceSymbolProvider",
    query,
  );
  const isHidden = await new IgnoredFiles(files).read();
  return (found ?? [])
    .flatMap(({ name, containerName, location: { uri, range } }): Mention[] => {
      const path = folderPath(folder, uri);
      if (path === undefined || isHidden(path) !== undefined || mayHoldSecrets(path)) return [];
      const [from, to] = [range.start.line + 1, range.end.line + 1];
      const description = [containerName, path].filter((part) => part !== "").join(" · ");
      return [{ name, description, attachment: { kind: "symbol", name, path, from, to } }];
    })
    .slice(0, most.symbol);
}

async function commits(session: WorkspaceSession, query: string): Promise<Mention[]> {
  const { host } = (await session.runtime()).dependencies.experts;
  const problem = await repositoryProblem(session.files);
  const all = problem === undefined ? await host.git?.commits(searchedCommits) : undefined;
  const typed = query.toLowerCase();
  return (all ?? [])
    .filter(({ hash, subject }) => hash.startsWith(typed) || subject.toLowerCase().includes(typed))
    .slice(0, most.commit)
    .map(({ hash, subject }) => ({
      name: subject.slice(0, 200),
      description: hash,
      attachment: { kind: "commit", hash, subject: subject.slice(0, 500) },
    }));
}

async function tasks(session: WorkspaceSession, query: string): Promise<Mention[]> {
  const { tasks: all } = await session.overview();
  const typed = query.toLowerCase();
  return all
    .filter(({ goal }) => goal.toLowerCase().includes(typed))
    .slice(0, most.task)
    .map(({ taskId, goal, state }) => ({
      name: goal.slice(0, 200),
      description: state,
      attachment: { kind: "task", taskId, goal: goal.slice(0, 500) },
    }));
}

async function resources(session: WorkspaceSession, query: string): Promise<Mention[]> {
  const { serverContent } = (await session.runtime()).dependencies.experts;
  const all = (await serverContent?.resources({ withinMs: menuWaitMs })) ?? [];
  const typed = query.toLowerCase();
  return all
    .filter((one) => [one.name, one.uri, one.server].join("\n").toLowerCase().includes(typed))
    .slice(0, most.resource)
    .map(({ server, uri, name }) => ({
      name: visibleLine(name, 200),
      description: visibleLine(`${server} · ${uri}`, 300),
      attachment: { kind: "resource", server, name: uri },
    }));
}
