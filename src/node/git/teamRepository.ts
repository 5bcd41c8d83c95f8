import { existsSync } from "node:fs";
import { lstat, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { UserError } from "../../core/errors.js";
import type { SentFile } from "../../core/experts/artifacts.js";
import type { TaskId } from "../../core/ids.js";
import { imagesFolder, keptImagePattern } from "../../core/images/keptImagePath.js";
import type { Signer } from "../../core/ports/system.js";
import { commitName } from "../../core/ports/teamQueue.js";
import type { FileLeft } from "../../core/ports/worktrees.js";
import {
  formatTeamState,
  readTeamState,
  type TeamState,
  teamStateFile,
} from "../../core/team/teamState.js";
import { KeyedQueue } from "../../core/text/keyedQueue.js";
import { inFolderOf, makeFolder } from "../files/directoryHandle.js";
import { removeAll } from "../files/directoryTree.js";
import { realLocation } from "../files/realLocation.js";
import { GitProcess, printed, refused, zeroSeparated } from "./gitProcess.js";
import { listProgramsToReach, programsToReach } from "./programsOff.js";
import { stateFiles } from "./stateFiles.js";
import { withTemporaryFolder } from "./temporaryFolder.js";
import { copyIndex, treeOfFiles, type WrittenTree } from "./treeOfFiles.js";

/** Protocols by which a remote is reached: none that is in plain text on its way, and no program that one names. */
const protocols = "file:https:ssh";

/** The folder of the images, in that of the state. */
const attachments = basename(imagesFolder);

/** An entry of `ls-tree -l`. */
const stateEntry = /^(?<mode>\d{6}) \w+ (?<blob>[0-9a-f]{40,64}) +(?<bytes>\d+|-)\t(?<path>[^]+)$/;

type Settings = readonly (readonly [key: string, value: string])[];

/** A checkout of a team commit, which a worker works in. */
export interface TeamCheckout {
  /** The absolute path of its folder. */
  readonly root: string;
  /** The commit that the next one follows. */
  readonly head: string;
  /** The tree of the project's files in it. */
  readonly files: string;
}

/** Whose commits are made and read: the signer is that of the plan. */
export interface TeamPlace {
  readonly planId: string;
  readonly signer: Signer;
}

/**
 * The commits of a team's plans, in one repository of this machine and its remote. A team commit has the project's files
 * as its tree; its last parent has the state of the work as its own.
 */
export class TeamRepository {
  readonly #git: GitProcess;
  readonly #turns = new KeyedQueue();

  /**
   * @param gitDir the absolute path of the repository's folder, as in `.git`
   * @param remote the remote's address, or its name in that repository
   */
  constructor(
    private readonly gitDir: string,
    private readonly remote: string,
  ) {
    this.#git = new GitProcess(gitDir);
  }

  /** Makes an empty repository, if it is not there, for what a worker fetches. */
  static async cache(gitDir: string, remote: string): Promise<TeamRepository> {
    if (!existsSync(join(gitDir, "HEAD"))) {
      await makeFolder(gitDir);
      await new GitProcess(gitDir).run(["init", "--quiet", "--bare", gitDir]);
    }
    return new TeamRepository(gitDir, remote);
  }

  /**
   * Has a commit here, fetching it if need be.
   *
   * @param refs the patterns of the refs at which it can be
   * @throws {UserError} if the remote does not have it there
   */
  async fetch(commit: string, refs: readonly string[]): Promise<void> {
    await this.#alone(async () => {
      if (await this.#has(commit)) return;
      const all = refs.map((ref) => `+${ref}:${ref}`);
      await this.#remote(["fetch", "--quiet", "--no-tags", "--no-write-fetch-head"], all);
      if (await this.#has(commit)) return;
      throw new UserError(
        "teamCommitMissing",
        "The commit {commit} is not on the remote any more, so nothing can go on from it.",
        { commit },
      );
    });
  }

  /** Returns whether the remote has a commit at a ref. */
  async isAt(ref: string, commit: string): Promise<boolean> {
    return (await this.#remoteRefs([ref])).get(ref) === commit;
  }

  /**
   * Deletes refs here and on the remote.
   *
   * @param patterns those that they match
   * @param isMeant whether one that matches is meant
   * @throws {UserError} if the remote cannot be reached, or refuses
   */
  async deleteRefs(patterns: readonly string[], isMeant: (ref: string) => boolean): Promise<void> {
    const there = [...(await this.#remoteRefs(patterns)).keys()].filter(isMeant);
    if (there.length > 0) {
      const gone = there.map((ref) => `:${ref}`);
      await this.#remote(["push", "--quiet", "--no-verify"], gone);
    }
    await this.#alone(async () => {
      const list = ["for-each-ref", "--format=%(refname)", "--", ...patterns];
      const listed = printed(await this.#git.run(list, this.#options()));
      const here = listed.split("\n").filter(isMeant);
      const input = here.map((ref) => `delete ${ref}\n`).join("");
      if (input === "") return;
      await this.#git.run(["update-ref", "--stdin"], { ...this.#options(), input });
    });
  }

  /** Pushes a commit to a ref that only it and what follows it are pushed to. */
  async push(commit: string, ref: string): Promise<void> {
    await this.#remote(["push", "--quiet", "--no-verify"], [`${commit}:${ref}`]);
  }

  /**
   * Makes a ref on the remote unless it has that already, so that of several who do one is the first.
   *
   * @param text what the ref's commit says; no two who make the ref say the same
   * @returns whether it was made by this call
   */
  async pushFirst(ref: string, text: string): Promise<boolean> {
    const commit = await this.fileCommit("closed.json", text);
    try {
      // Nothing is expected there: the server refuses when something is.
      const isNew = `--force-with-lease=${ref}:`;
      await this.#remote(["push", "--quiet", "--no-verify", isNew], [`${commit}:${ref}`]);
      return true;
    } catch (error) {
      const there = (await this.#remoteRefs([ref])).get(ref);
      if (there === undefined) throw error;
      return there === commit;
    }
  }

  /** Returns what the remote has at refs of these patterns. */
  async #remoteRefs(patterns: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const listed = await this.#remote(["ls-remote", "--refs"], patterns);
    const lines = listed === "" ? [] : listed.split("\n");
    return new Map(
      lines.map((line) => {
        const [commit = "", ref = ""] = line.split("\t");
        return [ref, commit];
      }),
    );
  }

  /**
   * Makes a team commit of a tree of files that the repository has.
   *
   * @param state the absolute path of a folder whose `tasks` are the state
   */
  async commit(
    given: { files: string; parent: string; state: string; task: string | null; attempt: number },
    { planId, signer }: TeamPlace,
  ): Promise<string> {
    const { files, parent, state, task, attempt } = given;
    const said = { plan: planId, task, attempt, files };
    const tree = await this.#stateTree(state, (tasks) =>
      formatTeamState({ ...said, tasks }, signer),
    );
    const own = await this.#commitTree(tree, [], `rooroo: state of ${planId}`);
    const about = task === null ? "the start" : `${task}, attempt ${attempt}`;
    return this.#commitTree(files, [parent, own], `rooroo: ${planId}, ${about}`);
  }

  /** Makes a commit of a commit's files only, as a person would make it. Returns its full name. */
  async plainCommit(commit: string, parents: readonly string[], message: string): Promise<string> {
    return this.#commitTree(await this.#named(`${commit}^{tree}`), parents, message);
  }

  /** Returns the full name of a commit's first parent; `undefined` if it has none. */
  async parentOf(commit: string): Promise<string | undefined> {
    const asked = ["rev-parse", "--verify", "--quiet", `${checked(commit)}^1`];
    const found = await this.#git.try(asked, this.#options());
    return found.code === 0 ? printed(found) : undefined;
  }

  /** Returns the full name of the tree of a commit's files. */
  filesOf(commit: string): Promise<string> {
    return this.#named(`${checked(commit)}^{tree}`);
  }

  /**
   * Returns what a team commit is about.
   *
   * @throws {UserError} if the team key has not signed it for this plan, these files and these folders of tasks
   */
  async stateOf(commit: string, { planId, signer }: TeamPlace): Promise<TeamState> {
    const text = await this.readState(commit, teamStateFile);
    const state = text === undefined ? undefined : readTeamState(text, signer);
    if (
      state?.plan === planId &&
      state.files === (await this.filesOf(commit)) &&
      state.tasks === (await this.#tasksOf(`${commit}^2`))
    ) {
      return state;
    }
    throw new UserError(
      "teamCommitForeign",
      "The commit {commit} was not made by a machine that has the team's key, so it is not used.",
      { commit },
    );
  }

  /** Returns the text of a file of a commit's state; `undefined` if there is none. */
  async readState(commit: string, path: string): Promise<string | undefined> {
    const name = `${checked(commit)}^2:${path}`;
    const found = await this.#git.try(["cat-file", "blob", name], this.#options());
    return found.code === 0 ? found.stdout.toString("utf8") : undefined;
  }

  /** Returns what a task has in its folder in a commit's state, whoever has put it there. */
  async taskFiles(commit: string, taskId: TaskId): Promise<SentFile[]> {
    const list = ["ls-tree", "-r", "-l", "-z", "--full-tree", `${checked(commit)}^2`];
    const listed = await this.#git.run([...list, "--", `tasks/${taskId}/`], this.#options());
    return zeroSeparated(listed).flatMap((entry): SentFile[] => {
      const { mode = "", blob = "", bytes, path = "" } = stateEntry.exec(entry)?.groups ?? {};
      if (path === "") return [];
      return [
        {
          path: `.rooroo/${path}`,
          kind: /^100(644|755)$/.test(mode) ? "file" : "other",
          bytes: Number(bytes),
          isExecutable: mode === "100755",
          read: async () =>
            (await this.#git.run(["cat-file", "blob", blob], this.#options())).stdout,
        },
      ];
    });
  }

  /** Makes a commit that holds one file. Returns its full name. */
  async fileCommit(name: string, text: string): Promise<string> {
    const options = { ...this.#options(), input: text };
    const blob = printed(await this.#git.run(["hash-object", "-w", "--stdin"], options));
    const input = `100644 blob ${blob}\t${name}\n`;
    const tree = printed(await this.#git.run(["mktree"], { ...this.#options(), input }));
    return this.#commitTree(tree, [], `rooroo: ${name}`);
  }

  /** Returns the text of a file of {@link fileCommit}; `undefined` if there is none. */
  async readFile(commit: string, name: string): Promise<string | undefined> {
    const asked = ["cat-file", "blob", `${checked(commit)}:${name}`];
    const found = await this.#git.try(asked, this.#options());
    return found.code === 0 ? found.stdout.toString("utf8") : undefined;
  }

  /**
   * Makes a checkout of a team commit, with its state in `.rooroo`.
   *
   * @param root the absolute path of its folder, which is not there yet
   */
  async checkOut(commit: string, root: string, place: TeamPlace): Promise<TeamCheckout> {
    const { files } = await this.stateOf(commit, place);
    await this.#checkState(commit);
    const settings = await this.#plain();
    await this.#alone(async () => {
      const add = ["worktree", "add", "--quiet", "--detach", root, checked(commit)];
      await this.#git.run(add, { ...this.#options(), settings });
    });
    const admin = printed(
      await this.#git.run(["rev-parse", "--path-format=absolute", "--git-path", "index"], {
        cwd: root,
      }),
    );
    await copyIndex(admin, indexOf(root));
    await this.#putState(commit, root, settings);
    return { root, head: commit, files };
  }

  /**
   * Makes a team commit of a checkout as it is; `undefined` if no file of the project has changed since the last one.
   *
   * @param always makes one in any case, because the state counts
   */
  async save(
    checkout: TeamCheckout,
    work: { task: string; attempt: number; always: boolean },
    place: TeamPlace,
  ): Promise<TeamCheckout | undefined> {
    const { root, head, files } = checkout;
    const { task, attempt, always } = work;
    const { tree } = await this.#written(root);
    if (tree === files && !always) return undefined;
    const made = { files: tree, parent: head, state: join(root, ".rooroo"), task, attempt };
    return { root, head: await this.commit(made, place), files: tree };
  }

  /** Returns the files of a checkout, and of a task's folder in it, that {@link save} does not take along. */
  async leftOut({ root }: TeamCheckout, taskId: TaskId): Promise<readonly FileLeft[]> {
    const { leftOut } = await this.#written(root);
    const files = await Promise.all(
      leftOut.map(async (file) => {
        const { size = 0 } = (await lstat(join(root, file.path)).catch(() => undefined)) ?? {};
        return { ...file, bytes: size };
      }),
    );
    const { left } = await stateFiles(join(root, ".rooroo"));
    return [...files, ...left.filter(({ path }) => path.startsWith(`.rooroo/tasks/${taskId}/`))];
  }

  async #written(root: string): Promise<WrittenTree> {
    const from = { gitDir: this.gitDir, files: root, index: indexOf(root), prefix: "" };
    const settings = await this.#plain();
    return withTemporaryFolder("rooroo-files-", (folder) =>
      treeOfFiles(this.#git, from, join(folder, "index"), settings),
    );
  }

  /** Removes a checkout, also one that was left by a process that ended. */
  async remove(root: string): Promise<void> {
    await removeAt(root);
    await removeAt(indexOf(root));
    await this.#alone(() => this.#git.run(["worktree", "prune"], this.#options()));
  }

  /** Returns the tree of the state below a folder. */
  async #stateTree(folder: string, say: (tasks: string | null) => string): Promise<string> {
    const settings = await this.#plain();
    return withTemporaryFolder("rooroo-state-", async (temporary) => {
      const index = join(temporary, "index");
      const env = { ...this.#options().env, GIT_WORK_TREE: folder, GIT_INDEX_FILE: index };
      const options = { cwd: folder, env, settings };
      const paths = [...(await stateFiles(folder)).paths, ...(await imagesIn(folder))];
      const add = ["update-index", "--add", "-z", "--stdin"];
      const input = paths.map((path) => `${path}\0`).join("");
      await this.#git.run(add, { ...options, input });
      const said = say(await this.#tasksOf(printed(await this.#git.run(["write-tree"], options))));
      const hash = ["hash-object", "-w", "--stdin"];
      const blob = printed(await this.#git.run(hash, { ...options, input: said }));
      const put = ["update-index", "--add", "--cacheinfo", `100644,${blob},${teamStateFile}`];
      await this.#git.run(put, options);
      return printed(await this.#git.run(["write-tree"], options));
    });
  }

  /** Returns the full name of the tree of the tasks' folders in a state; `null`: it has none. */
  async #tasksOf(state: string): Promise<string | null> {
    const asked = ["rev-parse", "--verify", "--quiet", `${state}:tasks`];
    const found = await this.#git.try(asked, this.#options());
    return found.code === 0 ? printed(found) : null;
  }

  /** @throws {UserError} if the state of a commit has anything but the files of tasks and images */
  async #checkState(commit: string): Promise<void> {
    const list = ["ls-tree", "-r", "-z", `${checked(commit)}^2`];
    const entries = zeroSeparated(await this.#git.run(list, this.#options()));
    const isPlain = (entry: string) => /^100(644|755) blob /.test(entry) && isOfState(entry);
    if (entries.every(isPlain)) return;
    throw new UserError(
      "teamStateInvalid",
      "The state in the commit {commit} has more than files of tasks, so it is not used.",
      { commit },
    );
  }

  async #putState(commit: string, root: string, settings: Settings): Promise<void> {
    const folder = join(root, ".rooroo");
    for (const path of [folder, join(folder, "tasks"), join(folder, attachments)]) {
      const found = await lstat(path).catch(() => undefined);
      if (found === undefined || (found.isDirectory() && !found.isSymbolicLink())) continue;
      throw new UserError(
        "teamStateBlocked",
        "The repository has a file or link at .rooroo, so no task can be worked on in it. Remove it from the repository.",
      );
    }
    // What the repository itself has there is of no task of this plan.
    await removeAt(join(folder, "tasks"));
    await makeFolder(folder);
    await withTemporaryFolder("rooroo-state-", async (temporary) => {
      const index = join(temporary, "index");
      const env = { ...this.#options().env, GIT_WORK_TREE: folder, GIT_INDEX_FILE: index };
      const options = { cwd: folder, env, settings };
      await this.#git.run(["read-tree", `${checked(commit)}^2`], options);
      await this.#git.run(["checkout-index", "--all", "--force"], options);
    });
  }

  async #has(commit: string): Promise<boolean> {
    const asked = ["cat-file", "-e", `${checked(commit)}^{commit}`];
    return (await this.#git.try(asked, this.#options())).code === 0;
  }

  async #named(revision: string): Promise<string> {
    const asked = ["rev-parse", "--verify", "--quiet", revision];
    return printed(await this.#git.run(asked, this.#options()));
  }

  async #commitTree(tree: string, parents: readonly string[], message: string): Promise<string> {
    const own = parents.flatMap((parent) => ["-p", checked(parent)]);
    const env = {
      ...this.#options().env,
      GIT_AUTHOR_NAME: "Rooroo",
      GIT_AUTHOR_EMAIL: "rooroo@localhost",
      GIT_COMMITTER_NAME: "Rooroo",
      GIT_COMMITTER_EMAIL: "rooroo@localhost",
    };
    const made = await this.#git.run(["commit-tree", tree, ...own, "-F", "-"], {
      env,
      input: message,
    });
    return printed(made);
  }

  async #remote(command: readonly string[], refs: readonly string[]): Promise<string> {
    const env = { ...this.#options().env, GIT_ALLOW_PROTOCOL: protocols };
    const listed = await this.#git.try(listProgramsToReach, { env, settings: [] });
    // With 1 it says that there are none.
    if (listed.code > 1) throw refused(listed);
    const [key] = programsToReach(listed.stdout.toString("utf8"));
    if (key !== undefined) {
      throw new UserError(
        "remoteProgram",
        "The repository's own configuration names a program to reach its remote ({key}), and Rooroo runs no program that a repository names. Set it in your own git configuration, for this folder only by includeIf, and unset it in the repository.",
        { key },
      );
    }
    // Of several settings of a remote's programs the first counts, which is the repository's own; an argument counts before it.
    const kind = command[0] === "push" ? "receive-pack" : "upload-pack";
    const plain = [...command, `--${kind}=git-${kind}`, "--", this.remote, ...refs];
    const result = await this.#git.try(plain, { env });
    if (result.code !== 0) throw refused(result);
    return printed(result);
  }

  /** Returns the settings by which git runs no filter and reads and writes content as it is. */
  async #plain(): Promise<Settings> {
    return [
      ...(await this.#git.driversOff("all", this.#options())),
      ["core.autocrlf", "false"],
      ["core.untrackedCache", "false"],
      ["core.sparseCheckout", "false"],
    ];
  }

  #options(): { readonly env: NodeJS.ProcessEnv } {
    return { env: { GIT_DIR: this.gitDir } };
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run("", work);
  }
}

/** Returns the absolute paths of the checkouts that are in a folder. */
export async function checkoutsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

/** Removes a file, or a folder with all that is in it, if it is there. */
async function removeAt(absolute: string): Promise<void> {
  if (!existsSync(absolute)) return;
  await inFolderOf(await realLocation(absolute), { make: false }, (folder, name) =>
    removeAll(folder, name),
  );
}

function indexOf(root: string): string {
  return `${root}.index`;
}

/** Returns the paths of the images that people have attached, from the folder of the state. */
async function imagesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, attachments), { withFileTypes: true }).catch(() => []);
  const paths = entries.flatMap((entry) =>
    entry.isFile() ? [`${attachments}/${entry.name}`] : [],
  );
  return paths.filter(isImage);
}

function isImage(path: string): boolean {
  return keptImagePattern.test(`.rooroo/${path}`);
}

/** Returns whether an entry of `ls-tree` is the file about the commit, an image, or in a task's folder. */
function isOfState(entry: string): boolean {
  const path = entry.slice(entry.indexOf("\t") + 1);
  return path === teamStateFile || isImage(path) || path.startsWith("tasks/");
}

/** Returns a commit's name. Throws for anything else, which git could take for an option or another revision. */
function checked(commit: string): string {
  if (!commitName.test(commit)) throw new Error(`no commit: ${commit}`);
  return commit;
}
