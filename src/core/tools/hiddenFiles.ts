import { hiddenFilesPath } from "../approvals/hiddenFilesPath.js";
import { foldedPath } from "../approvals/foldedPath.js";
import { FileError, messageOf } from "../errors.js";
import type { FileSystem } from "../ports.js";
import { IgnoreRules } from "../ignoreRules.js";

const maxBytes = 1_000_000;

/** Returns why a canonical path is hidden, as in `hidden by a person`; `undefined` if it is not. */
export type HiddenTest = (path: string) => string | undefined;

/** The source of what is hidden from experts. */
export interface Hidden {
  /**
   * Reads what is hidden.
   *
   * @throws a {@link FileError} when that cannot be told
   */
  read(): Promise<HiddenTest>;
}

/**
 * The files that `.rooignore` hides from experts, in the syntax of `.gitignore`. It counts for the
 * whole workspace, and only in its root. Its current content counts; if it exists but cannot be
 * read, everything is hidden.
 */
export class HiddenFiles implements Hidden {
  private text: string | undefined;
  private test: HiddenTest = () => undefined;

  /** @param own says what else is hidden from this expert, whatever `.rooignore` says */
  constructor(
    private readonly files: FileSystem,
    private readonly own: HiddenTest = () => undefined,
  ) {}

  /**
   * Returns a view that reads the file only once, when it is first asked: for one call, which asks
   * about each path that it comes to.
   */
  once(): Hidden {
    let read: Promise<HiddenTest> | undefined;
    return { read: () => (read ??= this.read()) };
  }

  async read(): Promise<HiddenTest> {
    let text: string | undefined;
    try {
      text = await this.readText();
    } catch (error) {
      throw new FileError(
        "EHIDDEN",
        hiddenFilesPath,
        `Nothing in the workspace can be used, because ${hiddenFilesPath}, which says what is hidden, cannot be read: ${messageOf(error)} A person has to repair or remove it.`,
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
    const { path } = await this.files.locate(hiddenFilesPath);
    const stat = await this.files.stat(path);
    if (stat === undefined) {
      if (path.toLowerCase() === hiddenFilesPath) return undefined;
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
export function checkVisible(path: string, isHidden: HiddenTest): void {
  const why = isHidden(path);
  if (why === undefined) return;
  throw new FileError("EHIDDEN", path, `${path} is ${why}. Do without it.`);
}

function hiddenBy(text: string): HiddenTest {
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
      ? `hidden by ${hiddenFilesPath}: a person does not want experts to see or change it`
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
