import { controlFileContent } from "../access/controlFileContent.js";
import { foldedPath } from "../access/foldedPath.js";
import {
  gitLayout,
  gitStage,
  inGitFolder,
  type InGitFolder,
  isRebasePlan,
  runsPrograms,
} from "../access/gitFolder.js";
import type { IgnoreTest } from "../access/ignoredFiles.js";
import type { PathGuard } from "../access/locatedPath.js";
import { protection } from "../access/protectedFiles.js";
import { mayHoldSecrets } from "../access/secretFiles.js";
import type { DroppedChange } from "../agent/commandSandbox.js";
import { messageOf, UserError } from "../errors.js";
import type { EditorDocuments } from "../ports/editor.js";
import type { FileSystem } from "../ports/files.js";
import type { Search } from "../ports/search.js";
import type { LayerChange, LayerLeft, SandboxLayer } from "../ports/shell.js";
import { folderOf, lastPart } from "../text/pathParts.js";
import { decodeText } from "../text/textFile.js";
import { spoken, type Words } from "../text/words.js";

/** Bytes. The content of a larger file is not looked at. */
const mostLookedAt = 20_000_000;
/** The most files of a removed folder that are looked through; a folder with more is not removed. */
const mostRemoved = 20_000;

/** Dependencies for judging the changes of one expert's command. */
export interface LayerServices {
  /** The workspace's files, including those that are ignored. */
  readonly files: FileSystem;
  readonly isHidden: IgnoreTest;
  readonly guard: PathGuard;
  readonly documents: EditorDocuments;
  readonly search: Pick<Search, "ignored">;
  /** Returns whether a path is in a place of the expert's own. */
  isOwn(path: string): boolean;
  /** Returns a sentence why the expert may not change a path at all; `undefined` when it may. */
  beyond(path: string): string | undefined;
}

/** A change that may stay. */
export interface JudgedChange {
  readonly change: LayerChange;
  /** Git ignores the file, so it is not kept for review and undo. */
  readonly ignored: boolean;
  /** The stage at which a change of git's own files is applied, as `gitStage` returns it. */
  readonly gitStage?: number;
}

export interface JudgedLayer {
  /** The changes that may stay, sorted by path. */
  readonly kept: readonly JudgedChange[];
  readonly dropped: readonly DroppedChange[];
}

/**
 * Decides for each change that a sandboxed command made whether it may stay. In doubt, it may not.
 */
export async function judgeLayer(
  layer: SandboxLayer,
  services: LayerServices,
): Promise<JudgedLayer> {
  return new LayerJudge(layer, services).judge();
}

class LayerJudge {
  readonly #kept: JudgedChange[] = [];
  readonly #dropped: DroppedChange[] = [];
  readonly #judged = new Set<string>();
  readonly #parents = new Map<string, Promise<string | undefined>>();
  /** Folders whose own change is dropped, so that no change in them can stay. */
  readonly #closed = new Set<string>();
  /** New folders that the expert may make only for files in them. */
  readonly #waiting = new Map<string, JudgedChange>();

  /** Whether something of git's may be missing, so that no name of a commit can stay. */
  readonly #isGitCut: boolean;

  constructor(
    private readonly layer: SandboxLayer,
    private readonly services: LayerServices,
  ) {
    this.#isGitCut = layer.left.some(
      ({ path, why }) => why === "tooMany" || inGitFolder(path) !== undefined,
    );
  }

  async judge(): Promise<JudgedLayer> {
    const { changes, left } = this.layer;
    for (const { path, why } of left) this.#dropped.push({ path, why: leftReasons[why] });
    const ignored = await this.services.search.ignored(changes.map(spelled));
    for (const folder of brokenRepositories(changes)) {
      this.#closed.add(folder);
      this.#dropped.push({ path: folder, why: "It would not be a repository any more." });
    }
    for (const change of changes) await this.#one(change, ignored.has(spelled(change)));
    const kept = this.#kept.sort((a, b) => (a.change.path < b.change.path ? -1 : 1));
    return { kept, dropped: this.#dropped };
  }

  async #one(change: LayerChange, ignored: boolean): Promise<void> {
    // What is below a removed folder may be listed as well.
    if (this.#judged.has(change.path)) return;
    this.#judged.add(change.path);
    let why: string | undefined;
    try {
      why = await this.#refusal(change, ignored);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      why = messageOf(error);
    }
    if (why === undefined) return;
    if (change.kind === "folder") this.#closed.add(change.path);
    this.#dropped.push({ path: change.path, why });
  }

  /**
   * Keeps a change, or returns why it does not stay. What is below a removed folder is judged by
   * itself.
   */
  async #refusal(change: LayerChange, ignored: boolean): Promise<string | undefined> {
    const { path, kind } = change;
    if (isOdd(path)) return "Its name cannot be read with certainty.";
    if (foldersOf(path).some((folder) => this.#closed.has(folder))) return undefined;
    const there = await this.#kindOf(path);
    if (kind === "folder" && there === "folder") return undefined;
    const git = inGitFolder(path);
    if (git !== undefined) return this.#inGit(change, git, there);
    const why = await this.#problemOf(change, ignored);
    if (why !== undefined) return why;
    const beyond = this.services.beyond(path);
    if (there === "folder") return this.#inPlaceOfFolder(change, ignored, beyond);
    if (beyond !== undefined) {
      if (kind !== "folder" || there !== "absent") return beyond;
      this.#waiting.set(path, { change, ignored });
      return undefined;
    }
    return this.#keep({ change, ignored });
  }

  async #inPlaceOfFolder(
    change: LayerChange,
    ignored: boolean,
    beyond: string | undefined,
  ): Promise<string | undefined> {
    const { path, kind } = change;
    const isEmptied = isPackage(path, ignored) || (await this.#empty(path));
    if (kind !== "removed") {
      if (!isEmptied) return "There is a folder of this name, which has to stay.";
      return beyond ?? this.#keep({ change, ignored });
    }
    if (isEmptied && beyond === undefined) this.#kept.push({ change, ignored });
    return undefined;
  }

  /** Returns why a change cannot stay, apart from what `beyond` says of the expert. */
  async #problemOf(change: LayerChange, ignored: boolean): Promise<string | undefined> {
    const { path, kind } = change;
    const { services } = this;
    const parent = await this.#parentProblem(path);
    if (parent !== undefined) return parent;
    if (services.isHidden(path) !== undefined) return "It is hidden from experts.";
    const name = services.isOwn(path) ? path.replace(/^\.rooroo\//i, "") : path;
    if (isPackage(path, ignored)) {
      // Packages bring many files for editors and agents, which are not read there.
      if (isHead(path)) return asText(protection(path));
    } else {
      const why = asText(protection(name));
      if (why !== undefined) return why;
      if (mayHoldSecrets(path)) return "It may hold keys or passwords.";
    }
    if (kind === "link") return this.#linkProblem(change);
    return kind === "file" && !ignored ? this.#contentProblem(change) : undefined;
  }

  #parentProblem(path: string): Promise<string | undefined> {
    const parent = folderOf(path);
    const known = this.#parents.get(parent);
    if (known !== undefined) return known;
    const look = async () => {
      const { files } = this.services;
      if (parent !== "" && (await files.locate(parent)).path !== parent) {
        return "A link on the way to it leads elsewhere.";
      }
      return asText(await gitLayout(path, files));
    };
    const looked = look();
    this.#parents.set(parent, looked);
    return looked;
  }

  async #linkProblem({ path, target }: LayerChange): Promise<string | undefined> {
    if (target === undefined) return "It cannot be told where this link leads.";
    const { guard, files } = this.services;
    const parent = folderOf(path);
    const isAbsolute = /^([A-Za-z]:)?[/\\]/.test(target);
    const looked = await guard.locate(isAbsolute || parent === "" ? target : `${parent}/${target}`);
    const { inside, ignored, secret, path: real } = looked;
    if (!inside) return "It is a link that leads out of the workspace.";
    const isClosed = ignored !== undefined || secret || looked.protection !== undefined;
    if (isClosed || (await gitLayout(`${real}/x`, files))) {
      return `It is a link to ${real === "" ? "the workspace" : real}, which commands may not reach.`;
    }
    return undefined;
  }

  async #contentProblem(change: LayerChange): Promise<string | undefined> {
    const { path, size } = change;
    if (size > mostLookedAt) {
      return /\.(json[c5]?|ya?ml|toml)$/i.test(path) ? "It is too large to look at." : undefined;
    }
    const text = decodeText(await this.layer.read(change))?.text;
    if (text === undefined) return undefined;
    const stat = await this.services.files.stat(path);
    const before =
      stat?.kind === "file" && stat.size <= mostLookedAt
        ? await this.services.files.readFile(path)
        : undefined;
    return asText(controlFileContent(path, before && decodeText(before)?.text, text));
  }

  async #inGit(
    change: LayerChange,
    { folder, part }: InGitFolder,
    there: Kind,
  ): Promise<string | undefined> {
    const { path, kind } = change;
    const { files } = this.services;
    const beyond = this.services.beyond(path);
    if (beyond !== undefined) return beyond;
    const stage = gitStage(part);
    if (stage === undefined || kind === "link") return asText(protection(".git/config"));
    const isRepository =
      (await this.#kindOf(folder)) === "folder" &&
      (await this.#kindOf(`${folder}/HEAD`)) === "file";
    if (!isRepository) return "There was no repository before.";
    if (this.services.isHidden(folder) !== undefined) return "It is hidden from experts.";
    const parent = folderOf(path);
    if ((await files.locate(parent)).path !== parent) {
      return "A link on the way to it leads elsewhere.";
    }
    // Stored objects are never changed or removed, only added.
    if (stage === 0 && !part.startsWith("objects/info/") && there !== "absent") {
      if (kind !== "file" || there !== "file") return undefined;
      const [known, now] = [await files.stat(path), change.size];
      return known?.size === now ? undefined : "Git never changes what it has stored.";
    }
    if (kind === "file" && isRebasePlan(part)) {
      if (change.size > mostLookedAt) return "It is too large to look at.";
      const plan = new TextDecoder().decode(await this.layer.read(change));
      if (runsPrograms(plan)) return "Going on with this rebase would run programs.";
    }
    if (stage > 0 && this.#isGitCut) return "Other files of git's could not be written.";
    const judged = { change, ignored: true, gitStage: stage };
    if (there !== "folder" || ((await this.#empty(path)) && kind === "removed")) {
      this.#kept.push(judged);
    }
    return undefined;
  }

  /** Judges the removal of each file below a folder. Returns whether nothing is left in it. */
  async #empty(folder: string): Promise<boolean> {
    const below = await this.#below(folder);
    if (below === undefined) {
      this.#dropped.push({ path: folder, why: "It has more files than can be looked through." });
      return false;
    }
    const removals = below.map((path): LayerChange => ({ path, kind: "removed", size: 0 }));
    const ignored = await this.services.search.ignored(below);
    for (const change of removals) await this.#one(change, ignored.has(change.path));
    return !this.#dropped.some(({ path }) => path.startsWith(`${folder}/`));
  }

  /** Returns the files, links and git folders below a folder; `undefined` when there are too many. */
  async #below(folder: string): Promise<string[] | undefined> {
    const { files } = this.services;
    const found: string[] = [];
    const folders = [folder];
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      for (const { name, kind } of await files.readDirectory(at)) {
        const path = `${at}/${name}`;
        const isReal = (await files.locate(path)).path === path;
        const isGit = inGitFolder(path)?.part === "";
        if (kind === "folder" && isReal && !isGit) folders.push(path);
        else found.push(path);
        if (found.length + folders.length > mostRemoved) return undefined;
      }
    }
    return found;
  }

  async #keep(judged: JudgedChange): Promise<string | undefined> {
    const { path } = judged.change;
    if ((await this.services.documents.unsaved(path)) !== undefined) {
      return "An editor has unsaved changes of it.";
    }
    for (const folder of foldersOf(path)) {
      const made = this.#waiting.get(folder);
      if (made === undefined) continue;
      this.#waiting.delete(folder);
      this.#kept.push(made);
    }
    this.#kept.push(judged);
    return undefined;
  }

  async #kindOf(path: string): Promise<Kind> {
    const { files } = this.services;
    // This is checked first: a link may lead outside, where nothing is looked at.
    if ((await files.locate(path)).path !== path) return "link";
    return (await files.stat(path))?.kind ?? "absent";
  }
}

const leftReasons: Readonly<Record<LayerLeft["why"], string>> = {
  notUtf8: "Its name is not valid UTF-8.",
  tooLong: "Its path is too long.",
  tooMuch: "The command wrote more than fits into its disk space.",
  tooMany: "The command changed more files than it may.",
};

type Kind = "file" | "folder" | "other" | "link" | "absent";

/** Returns a change's path as `Search.ignored` expects it: folders end with `/`. */
function spelled({ path, kind }: LayerChange): string {
  return kind === "folder" ? `${path}/` : path;
}

/** Returns the git folders that lose something by which git recognizes them. */
function brokenRepositories(changes: readonly LayerChange[]): ReadonlySet<string> {
  const broken = new Set<string>();
  for (const { path, kind } of changes) {
    const git = inGitFolder(path);
    if (git === undefined || kind === "folder") continue;
    const isVital = git.part === "objects" || git.part === "refs";
    if (isVital || (git.part === "HEAD" && kind !== "file")) broken.add(git.folder);
  }
  return broken;
}

/** Returns whether a package manager has installed a file. Git's own files are judged there, too. */
function isPackage(path: string, ignored: boolean): boolean {
  return ignored && /(^|\/)node_modules(\/|$)/.test(path);
}

/**
 * Returns whether a file may be called `HEAD`: a folder with such a file can be taken for a
 * repository.
 */
function isHead(path: string): boolean {
  const name = foldedPath(lastPart(path));
  return name === undefined || name === "head";
}

function isOdd(path: string): boolean {
  if (path === "" || /^([A-Za-z]:)?[/\\]/.test(path) || path.includes("\0")) return true;
  return path.split("/").some((name) => name === "" || name === "." || name === "..");
}

/** Returns the folders above a path, the outermost first. */
function foldersOf(path: string): string[] {
  const names = path.split("/");
  return names.slice(1).map((_, index) => names.slice(0, index + 1).join("/"));
}

/** Returns a reason as a model reads it. */
function asText(why: Words | undefined): string | undefined {
  return why && spoken(why);
}
