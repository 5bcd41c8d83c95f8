import { type Words, words } from "../../text/words.js";
import { followPath, joinPath } from "../paths/followPath.js";
import type { ReviewedFiles } from "../paths/reviewedFiles.js";
import { readsOnly } from "../reading/gitReadOnly.js";
import type { GitRepository } from "./gitRepository.js";

/**
 * The keys that do not change what git's commands that only read do: they name no program, no other
 * file and no other repository. They count in a section with a name, too, as in `[remote
 * "origin"]`, except for `diff` and `merge`, whose names are drivers.
 */
const harmlessKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  core: keys(
    "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf compression abbrev quotepath untrackedcache preloadindex longpaths protecthfs protectntfs sharedrepository whitespace commentchar hidedotfiles checkstat trustctime fsmonitor editor sshcommand askpass gitproxy pager sparsecheckout sparsecheckoutcone multipackindex commitgraph fscache splitindex bigfilethreshold",
  ),
  remote: keys("url fetch pushurl push tagopt prune gh-resolved skipfetchall pushdefault"),
  branch: keys(
    "remote merge rebase pushremote description github-pr-owner-number vscode-merge-base autosetupmerge autosetuprebase sort",
  ),
  user: keys("name email signingkey useconfigonly"),
  author: keys("name email"),
  committer: keys("name email"),
  submodule: keys("url active branch update ignore path fetchrecursesubmodules"),
  extensions: keys("objectformat worktreeconfig"),
  init: keys("defaultbranch"),
  pull: keys("rebase ff"),
  push: keys("default autosetupremote followtags"),
  fetch: keys("prune prunetags parallel"),
  commit: keys("gpgsign verbose cleanup template"),
  log: keys("date decorate follow abbrevcommit"),
  merge: keys("conflictstyle ff log renames renamelimit stat"),
  tag: keys("gpgsign sort"),
  rebase: keys("autostash autosquash updaterefs stat"),
  rerere: keys("enabled autoupdate"),
  status: keys("short branch showuntrackedfiles relativepaths aheadbehind showstash renames"),
  gc: keys("auto autodetach autopacklimit pruneexpire reflogexpire reflogexpireunreachable"),
  maintenance: keys("auto strategy"),
  index: keys("version threads sparse"),
  gui: keys("encoding geometry wmstate diffcontext"),
  lfs: keys("repositoryformatversion url access locksverify fetchinclude fetchexclude"),
  diff: keys(
    "algorithm renames renamelimit colormoved mnemonicprefix noprefix context interhunkcontext",
  ),
};
/**
 * Sections of which every key is a color, a layout or a hint to suppress, is read by other programs only (git flow, Git Town,
 * GitButler, and the clients of GitHub and Gerrit), or counts only for commands that do more than read: those that reach
 * another machine, sign, edit, or clean up. Reading reaches one only in a partial clone, whose own keys are
 * none of these, and checks a signature only if its arguments or a format say so.
 */
const harmlessSections = keys(
  "advice color column credential http https url gpg sequence mergetool difftool sendemail gc maintenance i18n gitflow git-town gitbutler github hub gitreview",
);
/** Sections whose names are drivers, which run programs. */
const driverSections = keys("diff merge filter");

export const longestConfig = 200_000;

function keys(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

/**
 * Returns why a git command needs approval though it would only read: the repository's
 * configuration can name programs for showing differences, filtering files and fetching what is
 * missing, and a repository may have come from anywhere. What commands' environment switches off,
 * such as a file system monitor, does not count.
 */
export async function gitConfigProblem(
  repository: GitRepository,
  files: ReviewedFiles,
): Promise<Words | undefined> {
  for (const path of configPaths(repository)) {
    const bytes = await files.readFile(path);
    if (bytes === undefined) continue;
    const key =
      bytes.length > longestConfig
        ? words("too much")
        : unknownKey(new TextDecoder("utf-8").decode(bytes));
    if (key === undefined) continue;
    return words(
      "{path} sets {key}, with which git may run other programs or show other files. To allow this configuration as it is: “Rooroo: Review Git Configuration…”, or rooroo git allow.",
      { path, key },
    );
  }
  return undefined;
}

/** Returns the folders in which git looks for the repository's hooks. */
export async function hookFolders(
  repository: GitRepository,
  files: ReviewedFiles,
): Promise<readonly string[]> {
  const found = [joinPath(repository.common, "hooks")];
  for (const path of configPaths(repository)) {
    const text = new TextDecoder("utf-8").decode(await files.readFile(path));
    for (const entry of entriesOf(text)) {
      const folder = hooksFolder(entry);
      const followed =
        folder === undefined ? undefined : await followPath(repository.place, folder, files);
      if (followed !== undefined) found.push(followed.path);
    }
  }
  return found;
}

/** Returns the files of a repository's own configuration, as they may be there. */
export function configPaths({ common, folder }: GitRepository): readonly string[] {
  return [joinPath(common, "config"), joinPath(folder, "config.worktree")];
}

/** A line of a configuration that sets something. */
export interface ConfigEntry {
  /** In small letters. */
  readonly section: string;
  /** The name behind the section, as in `[remote "origin"]`, with its quotes. */
  readonly name: string | undefined;
  /** `undefined`: the line cannot be read. */
  readonly key: string | undefined;
  readonly text: string;
}

export function* entriesOf(text: string): Generator<ConfigEntry> {
  let section = "";
  let name: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*([\w.-]+)(?:\s+("(?:[^"\\]|\\.)*"))?\s*\]\s*(\S.*)?$/.exec(line);
    const rest = (header === null ? line : (header[3] ?? "")).trim();
    if (header !== null) {
      section = (header[1] ?? "").toLowerCase();
      name = header[2];
    }
    if (rest === "" || /^[#;]/.test(rest)) continue;
    const [key] = /^[A-Za-z][\w-]*(?=\s*(?:=|$))/.exec(rest) ?? [];
    yield { section, name, key: rest.endsWith("\\") ? undefined : key, text: rest };
  }
}

/** Returns the first key that is not known to be harmless, or the first line that cannot be read. */
function unknownKey(text: string): string | undefined {
  for (const entry of entriesOf(text)) {
    if (entry.key === undefined) return `“${entry.text.slice(0, 60)}”`;
    if (setsProgram(entry)) return `${entry.section}.${entry.key}`;
  }
  return undefined;
}

/** Returns whether a line may have git run a program or show other files, or cannot be told. */
export function setsProgram(entry: ConfigEntry): boolean {
  return entry.key === undefined || !isHarmless(entry, entry.key.toLowerCase());
}

function isHarmless(entry: ConfigEntry, key: string): boolean {
  const { section, name, text } = entry;
  const hasName = name !== undefined;
  if (section === "core" && key === "hookspath") return hooksFolder(entry) !== undefined;
  // Git itself has the commands of which it is known that they only read, but it may give up the name of one.
  if (section === "alias") return !hasName && !readsOnly(key);
  // Sorting by signatures checks them.
  if (key === "sort" && /signature/i.test(text)) return false;
  if (harmlessSections.has(section)) return true;
  // Programs keep there what they know of a branch, as GitLens does; git reads no program's name there.
  if (section === "branch" && hasName) return true;
  if (hasName && driverSections.has(section)) return false;
  return Object.hasOwn(harmlessKeys, section) && harmlessKeys[section]?.has(key) === true;
}

/** Returns the folder of hooks that a line names; `undefined` if it names none, or not plainly. */
function hooksFolder({ section, name, key, text }: ConfigEntry): string | undefined {
  if (section !== "core" || name !== undefined || key?.toLowerCase() !== "hookspath")
    return undefined;
  return /^\w+\s*=\s*([\w./-]+)$/.exec(text)?.[1];
}
