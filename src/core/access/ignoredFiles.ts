import { FileError, messageOf } from "../errors.js";
import type { ReadableFiles } from "../ports/files.js";
import { IgnoreRules } from "../text/ignoreRules.js";
import { foldedPath } from "./foldedPath.js";

/** Workspace path of the file, in the syntax of `.gitignore`, that says which files experts must not see. */
export const ignoreFilePath = ".rooignore";

const maxBytes = 1_000_000;

/** Returns why a canonical path is hidden, as in `hidden by a person`; `undefined` if it is not. */
export type IgnoreTest = (path: string) => string | undefined;

/** The source of what is hidden from experts. */
export interface IgnoreSource {
  /**
   * Reads what is hidden.
   *
   * @throws a {@link FileError} when that cannot be told
   */
  read(): Promise<IgnoreTest>;
}

/**
 * The files that `.rooignore` hides from experts, in the syntax of `.gitignore`. It counts for the
 * whole workspace, and only in its root. Its current content counts; if it exists but cannot be
 * read, everything is hidden.
 */
export class IgnoredFiles implements IgnoreSource {
  private text: string | undefined;
  private test: IgnoreTest = () => undefined;

  /** @param own says what else is hidden from this expert, whatever `.rooignore` says */
  constructor(
    private readonly files: ReadableFiles,
    private readonly own: IgnoreTest = () => undefined,
  ) {}

  /**
   * Returns a view that reads the file only once, when it is first asked: for one call, which asks
   * about each path that it comes to.
   */
  once(): IgnoreSource {
    let read: Promise<IgnoreTest> | undefined;
    return { read: () => (read ??= this.read()) };
  }

  /**
   * Reads the ignore file, and parses it if it has changed.
   *
   * @throws {FileError} if the file cannot be read, because nothing may be used then
   */
  async read(): Promise<IgnoreTest> {
    let text: string | undefined;
    try {
      text = await this.readText();
    } catch (error) {
      throw new FileError(
        "EHIDDEN",
        ignoreFilePath,
        "Nothing in the workspace can be used, because {file}, which lists the ignored files, cannot be read: {problem} Repair the file or remove it.",
        { file: ignoreFilePath, problem: messageOf(error) },
      );
    }
    if (text !== this.text) {
      this.test = text === undefined ? () => undefined : hiddenBy(text);
      this.text = text;
    }
    const { test, own } = this;
    return (path) => own(path) ?? test(path);
  }

  private async readText(): Promise<string | undefined> {
    const { path } = await this.files.locate(ignoreFilePath);
    const stat = await this.files.stat(path);
    if (stat === undefined) {
      if (path.toLowerCase() === ignoreFilePath) return undefined;
      throw new Error(`it is a link to ${path}, which is not there.`);
    }
    if (stat.kind !== "file") throw new Error("it is not a file.");
    if (stat.size > maxBytes) throw new Error("it is too large.");
    const bytes = await this.files.readFile(path);
    if (bytes === undefined) return undefined;
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  }
}

/**
 * Checks that a path is not hidden.
 *
 * @throws a {@link FileError} when it is
 */
export function checkNotIgnored(path: string, isHidden: IgnoreTest): void {
  const why = isHidden(path);
  if (why === undefined) return;
  throw new FileError("EHIDDEN", path, "{path} is {reason}. Do without it.", { path, reason: why });
}

function hiddenBy(text: string): IgnoreTest {
  const patterns = new IgnoreRules(text.normalize("NFC"), { ignorecase: true });
  return (path) => {
    // The folder `.rooroo` cannot be hidden, because experts have folders of their own there.
    if (path === "" || path.startsWith("/") || /^[a-z]:/i.test(path)) return undefined;
    const folded = foldedPath(path);
    if (folded !== undefined && /^\.rooroo(\/|$)/.test(folded)) return undefined;
    const isHidden = [path.normalize("NFC"), folded].some(
      (spelling) => spelling !== undefined && isIgnored(patterns, spelling),
    );
    return isHidden
      ? `hidden by ${ignoreFilePath}: a person does not want experts to see or change it`
      : undefined;
  };
}

/**
 * Returns whether rules match a path as a file or as a folder; a path that cannot be matched counts
 * as hidden.
 */
function isIgnored(patterns: IgnoreRules, path: string): boolean {
  try {
    return patterns.ignores(path) || patterns.ignores(`${path}/`);
  } catch {
    return true;
  }
}

interface Places {
  /**
   * The beginnings of paths below which each folder has an owner. What is in such a folder is
   * hidden.
   */
  readonly all: readonly string[];
  /** The beginnings of the expert's own paths, which are not hidden. */
  readonly own: readonly string[];
  /** Paths that are visible all the same, and so are the folders on the way there. */
  readonly open: readonly string[];
}

/**
 * Returns a test that hides the folders of other owners, however a path to them is spelled.
 *
 * @param why the reason, as in `of another run`
 */
export function ignoredPlaces({ all, own, open }: Places, why: string): IgnoreTest {
  const [places, mine] = [all.map(folded), own.map(folded)];
  const known = new Set<string>();
  for (const path of open) {
    const names = folded(path).split("/");
    for (let depth = 1; depth <= names.length; depth++) known.add(names.slice(0, depth).join("/"));
  }
  return (path) => {
    const name = folded(path);
    const isIn = (place: string) => name.startsWith(place) && name.includes("/", place.length);
    const isOthers = places.some(isIn) && !mine.some((place) => name.startsWith(place));
    return isOthers && !known.has(name) ? why : undefined;
  };
}

function folded(path: string): string {
  const isFolder = path.endsWith("/");
  const plain = isFolder ? path.slice(0, -1) : path;
  return (foldedPath(plain) ?? plain.toLowerCase()) + (isFolder ? "/" : "");
}
