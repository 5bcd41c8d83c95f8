import { type Words, words } from "../../text/words.js";
import type { ReviewedFiles } from "../paths/reviewedFiles.js";
import type { GitRepository } from "./gitRepository.js";
import { joinPath } from "../paths/followPath.js";

/**
 * The keys that do not change what git's commands that only read do: they name no program, no other
 * file and no other repository. They count in a section with a name, too, as in `[remote
 * "origin"]`, except for `diff` and `merge`, whose names are drivers.
 */
const harmlessKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  core: keys(
    "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf compression abbrev quotepath untrackedcache preloadindex longpaths protecthfs protectntfs sharedrepository whitespace commentchar hidedotfiles checkstat trustctime",
  ),
  remote: keys("url fetch pushurl push tagopt prune gh-resolved skipfetchall"),
  branch: keys(
    "remote merge rebase pushremote description github-pr-owner-number vscode-merge-base autosetupmerge autosetuprebase sort",
  ),
  user: keys("name email signingkey useconfigonly"),
  author: keys("name email"),
  committer: keys("name email"),
  submodule: keys("url active branch"),
  extensions: keys("objectformat"),
  init: keys("defaultbranch"),
  pull: keys("rebase ff"),
  push: keys("default autosetupremote followtags"),
  fetch: keys("prune prunetags parallel"),
  commit: keys("gpgsign verbose cleanup"),
  tag: keys("gpgsign sort"),
  rebase: keys("autostash autosquash updaterefs stat"),
  rerere: keys("enabled autoupdate"),
  status: keys("short branch showuntrackedfiles relativepaths aheadbehind showstash renames"),
  gc: keys("auto autodetach autopacklimit pruneexpire reflogexpire reflogexpireunreachable"),
  maintenance: keys("auto strategy"),
  index: keys("version threads"),
  gui: keys("encoding geometry wmstate diffcontext"),
  lfs: keys("repositoryformatversion url access locksverify fetchinclude fetchexclude"),
  diff: keys(
    "algorithm renames renamelimit colormoved mnemonicprefix noprefix context interhunkcontext",
  ),
};
/** Sections of which every key is a color, a layout or a hint to suppress. */
const harmlessSections = keys("advice color column");
/** Sections whose names are drivers, which run programs. */
const driverSections = keys("diff merge filter");

const longest = 200_000;

function keys(names: string): ReadonlySet<string> {
  return new Set(names.split(" "));
}

/**
 * Returns why a git command needs approval though it would only read: the repository's
 * configuration can name programs for showing differences, filtering files and fetching what is
 * missing, and a repository may have come from anywhere.
 */
export async function gitConfigProblem(
  { common }: GitRepository,
  files: ReviewedFiles,
): Promise<Words | undefined> {
  const path = joinPath(common, "config");
  const bytes = await files.readFile(path);
  if (bytes === undefined) return undefined;
  const key =
    bytes.length > longest ? words("too much") : unknownKey(new TextDecoder("utf-8").decode(bytes));
  return key === undefined
    ? undefined
    : words("{path} sets {key}, with which git may run other programs or show other files.", {
        path,
        key,
      });
}

/** Returns the first key that is not known to be harmless, or the first line that cannot be read. */
function unknownKey(text: string): string | undefined {
  let section = "";
  let hasName = false;
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*([\w.-]+)(?:\s+("(?:[^"\\]|\\.)*"))?\s*\]\s*(.*)$/.exec(line);
    const rest = (header?.[3] ?? line).trim();
    if (header !== null) {
      section = (header[1] ?? "").toLowerCase();
      hasName = header[2] !== undefined;
    }
    if (rest === "" || /^[#;]/.test(rest)) continue;
    const [key] = /^[A-Za-z][\w-]*(?=\s*(?:=|$))/.exec(rest) ?? [];
    if (key === undefined || rest.endsWith("\\")) return `“${rest.slice(0, 60)}”`;
    const isDriver = hasName && driverSections.has(section);
    const isKnown =
      harmlessSections.has(section) ||
      (Object.hasOwn(harmlessKeys, section) &&
        harmlessKeys[section]?.has(key.toLowerCase()) === true &&
        !isDriver);
    if (!isKnown) return `${section}.${key}`;
  }
  return undefined;
}
