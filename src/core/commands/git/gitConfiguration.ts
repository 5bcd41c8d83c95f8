import { sha256 } from "../../text/sha256.js";
import { visibleText } from "../../text/visibleText.js";
import { isWords, type Said, type Words, words } from "../../text/words.js";
import { followPath, joinPath } from "../paths/followPath.js";
import type { ReviewedFiles } from "../paths/reviewedFiles.js";
import {
  type ConfigEntry,
  configPaths,
  entriesOf,
  longestConfig,
  setsProgram,
} from "./gitConfigProblem.js";
import type { GitRepository } from "./gitRepository.js";

const mostIncluded = 50;
const mostWords = 500;

/** A repository's configuration as a person accepts it. */
export interface GitConfiguration {
  /** The absolute path of the repository's folder that holds it. */
  readonly folder: string;
  /** The settings with which git may run programs or show other files, each in a line. */
  readonly settings: readonly Said[];
  /** The workspace's files that these settings name. */
  readonly files: readonly string[];
  /** A hash of all that the configuration says, in files that it includes too, and of the files that it names. */
  readonly bound: string;
}

/**
 * Reads all that a repository's configuration says that is not known to be harmless.
 *
 * @returns why not, where it cannot be told what it says: nobody can accept it then
 */
export async function gitConfiguration(
  repository: GitRepository,
  files: ReviewedFiles,
): Promise<GitConfiguration | Words> {
  const settings: Said[] = [];
  const texts: [path: string, text: string | null][] = [];
  const named = new NamedFiles(repository, files);
  const waiting = [...configPaths(repository)];
  const seen = new Set<string>();
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue;
    seen.add(path);
    if (seen.size > mostIncluded) return words("{path} cannot be read whole.", { path });
    const bytes = await files.readFile(path);
    if (bytes !== undefined && bytes.length > longestConfig) {
      return words("{path} cannot be read whole.", { path });
    }
    const text = bytes === undefined ? null : new TextDecoder("utf-8").decode(bytes);
    // A worktree has a place of its own for the second of them.
    const isOwn = path === joinPath(repository.folder, "config.worktree");
    texts.push([isOwn ? "" : files.absolute(path), text]);
    for (const entry of entriesOf(text ?? "")) {
      if (!setsProgram(entry)) continue;
      const value = entry.key === undefined ? undefined : valueOf(entry.text);
      if (value === undefined) {
        return words("{path} has a line that cannot be told: {line}", {
          path,
          line: visibleText(entry.text.slice(0, 60)),
        });
      }
      settings.push(
        words("{path} sets {key} to {value}.", {
          path,
          key: visibleText(keyOf(entry)),
          value: visibleText(JSON.stringify(value)),
        }),
      );
      if (/^include(if)?$/.test(entry.section)) {
        const included = await includedFile(path, value, files);
        if (isWords(included)) return included;
        waiting.push(included);
      } else if (!(await named.add(value))) return words("{path} cannot be read whole.", { path });
    }
  }
  const folder = files.absolute(repository.common);
  const there = [...named.hashes].sort(([one], [other]) => (one < other ? -1 : 1));
  const bound = await sha256(new TextEncoder().encode(JSON.stringify([folder, texts, there])));
  const found = there.flatMap(([path, hash]) => (hash === null ? [] : [path]));
  return { folder, settings, files: found, bound };
}

/** The files of the workspace that values of a configuration name. */
class NamedFiles {
  /** The hash of each; `null`: it is not there yet. */
  readonly hashes = new Map<string, string | null>();
  private wordsLeft = mostWords;

  constructor(
    private readonly repository: GitRepository,
    private readonly files: ReviewedFiles,
  ) {}

  /** Adds the files that a value names. Returns `false` if the values have too many words to be looked at. */
  async add(value: string): Promise<boolean> {
    const { repository, files, hashes } = this;
    for (const word of [value, ...value.split(/[\s'"`=:;,|&()<>$]+/)]) {
      if (word === "" || hashes.has(word)) continue;
      if (this.wordsLeft-- === 0) return false;
      // Programs run in the folder of the repository's files.
      const found = await followPath(repository.place, word, files).catch(() => undefined);
      if (found?.inside !== true) continue;
      const kind = (await files.stat(found.path))?.kind;
      if (kind !== undefined && kind !== "file") continue;
      // One that is not there yet counts, too: it may come.
      const bytes = kind === undefined ? undefined : await files.readFile(found.path);
      hashes.set(word, bytes === undefined ? null : await sha256(bytes));
    }
    return true;
  }
}

/** Returns the path of a file that a configuration includes, as git finds it; why not where that depends on who asks. */
async function includedFile(
  from: string,
  value: string,
  files: ReviewedFiles,
): Promise<string | Words> {
  const folder = from.slice(0, Math.max(0, from.lastIndexOf("/")));
  const found = /^[~%]/.test(value) ? undefined : await followPath(folder, value, files);
  return (
    found?.path ??
    words("{path} includes {file}, which cannot be told from here.", {
      path: from,
      file: visibleText(value),
    })
  );
}

function keyOf({ section, name, key = "" }: ConfigEntry): string {
  return [section, ...(name === undefined ? [] : [name]), key].join(".");
}

/** Returns the value of a line as git reads it; `undefined` if it cannot be told. */
export function valueOf(line: string): string | undefined {
  const [, after] = /^[A-Za-z][\w-]*\s*=\s*(.*)/s.exec(line) ?? [];
  // A key alone stands for true.
  if (after === undefined) return "true";
  let value = "";
  let kept = 0;
  let isQuoted = false;
  for (let at = 0; at < after.length; at++) {
    const one = after.charAt(at);
    if (one === '"') isQuoted = !isQuoted;
    else if (one === "\\") {
      const escaped = { n: "\n", t: "\t", b: "\b", '"': '"', "\\": "\\" }[after.charAt(++at)];
      if (escaped === undefined) return undefined;
      value += escaped;
    } else if (!isQuoted && /[#;]/.test(one)) break;
    else value += one;
    if (isQuoted || !/\s/.test(one)) kept = value.length;
  }
  return isQuoted ? undefined : value.slice(0, kept);
}
