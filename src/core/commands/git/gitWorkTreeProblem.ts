import { mayHoldSecrets } from "../../access/secretFiles.js";
import { isWords, type Words, words } from "../../text/words.js";
import { folderTree, joinPath } from "../paths/followPath.js";
import type { ReviewedFiles } from "../paths/reviewedFiles.js";
import { hookFolders } from "./gitConfigProblem.js";
import type { GitRepository } from "./gitRepository.js";

const largest = 50_000_000;
const mostFiles = 20_000;

/**
 * Returns why a git command that compares the files with a repository needs approval: it may then
 * write down what it found, which runs a hook, and it looks into repositories inside of this one,
 * each by its own configuration.
 *
 * @param looksInside whether it does so for repositories of other commits, too, which its index
 *   does not list
 */
export async function gitWorkTreeProblem(
  repository: GitRepository,
  looksInside: boolean,
  files: ReviewedFiles,
): Promise<Words | undefined> {
  const { place } = repository;
  for (const folder of await hookFolders(repository, files)) {
    const hook = joinPath(folder, "post-index-change");
    if ((await files.stat(hook)) !== undefined) return words("Git may run {path}.", { path: hook });
  }
  const entries = await indexEntries(repository, files);
  if (isWords(entries)) return entries;
  if (!looksInside && !entries.some(({ isRepository }) => isRepository)) return undefined;
  const own = joinPath(place, ".git");
  for await (const entry of folderTree(place, files, mostFiles, (_, path) => path !== own)) {
    if (entry === undefined) {
      return words("{path} has too many files to look for repositories in it.", { path: place });
    }
    if (entry.name.toLowerCase() === ".git" && entry.path !== own) {
      return words("{path} is of a repository inside of this one, and may make git run programs.", {
        path: entry.path,
      });
    }
  }
  return undefined;
}

/**
 * Returns why a git command that shows the contents of committed files needs approval.
 *
 * @param only the files and folders of which it shows some
 */
export async function gitSecretsProblem(
  repository: GitRepository,
  only: readonly string[],
  files: ReviewedFiles,
): Promise<Words | undefined> {
  const entries = await indexEntries(repository, files);
  if (isWords(entries)) return entries;
  const isShown = (path: string) =>
    only.some((place) => place === "" || path === place || path.startsWith(`${place}/`));
  const secret = entries.find(({ path }) => {
    return mayHoldSecrets(path) && isShown(joinPath(repository.place, path));
  });
  return secret && words("Git may show {path}, which may hold secrets.", { path: secret.path });
}

async function indexEntries(
  { folder, common }: GitRepository,
  files: ReviewedFiles,
): Promise<readonly IndexEntry[] | Words> {
  const index = joinPath(folder, "index");
  const stat = await files.stat(index);
  if (stat === undefined) return [];
  if (stat.kind !== "file" || stat.size > largest) {
    return words("{path} is too large to look through.", { path: index });
  }
  const config = new TextDecoder("utf-8").decode(await files.readFile(joinPath(common, "config")));
  const hashLength = /objectformat\s*=\s*sha256/i.test(config) ? 32 : 20;
  const bytes = await files.readFile(index);
  return (
    readGitIndex(bytes ?? new Uint8Array(), hashLength) ??
    words("{path} cannot be read whole.", { path: index })
  );
}

/** An entry of a repository's index. */
interface IndexEntry {
  /** The path from the top of the repository's files. */
  readonly path: string;
  /** Whether the entry is a repository of its own, of which only the commit is recorded. */
  readonly isRepository: boolean;
}

const repositoryMode = 0o160000;
const folderMode = 0o040000;
const extended = 0x4000;

/**
 * Reads git's index of versions 2 to 4. Returns `undefined` if the bytes are no index, are damaged,
 * or do not list every file: a split index has its other half in another file, and a sparse one
 * lists folders.
 *
 * @param hashLength in bytes: 20 for SHA-1, 32 for SHA-256
 */
export function readGitIndex(bytes: Uint8Array, hashLength: number): IndexEntry[] | undefined {
  if (bytes.length < 12 + hashLength || ascii(bytes, 0, 4) !== "DIRC") return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = view.getUint32(4);
  if (version < 2 || version > 4) return undefined;
  const decoder = new TextDecoder("utf-8");
  const entries: IndexEntry[] = [];
  const end = bytes.length - hashLength;
  let name: Uint8Array = new Uint8Array();
  let at = 12;
  for (let left = view.getUint32(8); left > 0; left--) {
    const start = at;
    if (at + 42 + hashLength > end) return undefined;
    const mode = view.getUint32(at + 24);
    const flags = view.getUint16(at + 40 + hashLength);
    at += 42 + hashLength + ((flags & extended) === 0 ? 0 : 2);
    let kept = 0;
    if (version === 4) {
      const [cut, next] = offsetAt(bytes, at);
      if (cut > name.length) return undefined;
      [kept, at] = [name.length - cut, next];
    }
    const stop = bytes.indexOf(0, at);
    if (stop < 0 || stop >= end) return undefined;
    const whole = new Uint8Array(kept + stop - at);
    whole.set(name.subarray(0, kept));
    whole.set(bytes.subarray(at, stop), kept);
    name = whole;
    // Before version 4 each entry is filled up with zeros, one at least, to a multiple of eight.
    at = version === 4 ? stop + 1 : start + ((stop - start + 8) & ~7);
    if (mode === folderMode) return undefined;
    entries.push({ path: decoder.decode(name), isRepository: mode === repositoryMode });
  }
  for (; at + 8 <= end; at += 8 + view.getUint32(at + 4)) {
    // Extensions whose names begin with a capital letter may be skipped.
    if (/^[a-z]/.test(ascii(bytes, at, at + 4))) return undefined;
  }
  return entries;
}

/** Returns a number as git packs offsets, and the index behind it. */
function offsetAt(bytes: Uint8Array, start: number): readonly [value: number, next: number] {
  let at = start;
  let byte = bytes[at++] ?? 0;
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0 && at < bytes.length) {
    byte = bytes[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return [value, at];
}

function ascii(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, end));
}
