import type { FileSystem } from "../ports.js";
import { followPath } from "./followPath.js";
import { joinPath } from "./joinPath.js";
import { repositoryFolder } from "./repositoryFolder.js";

/** Of these sections nothing makes a command that only reads run a program. */
const harmlessSections = new Set(
  "branch user pull push fetch init gc advice color column status submodule log alias commit rebase rerere stash index feature merge mergetool tag maintenance blame format gui github-pr-owner-number vscode-merge-base".split(
    " ",
  ),
);
/** Of others only these keys are harmless. */
const harmlessKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  core: new Set(
    "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf compression abbrev quotepath untrackedcache preloadindex longpaths protecthfs protectntfs sharedrepository whitespace commentchar hidedotfiles checkstat trustctime".split(
      " ",
    ),
  ),
  remote: new Set("url fetch pushurl push tagopt prune gh-resolved skipfetchall".split(" ")),
  extensions: new Set(["objectformat", "refstorage"]),
  // Not extensions of its own, nor transfer agents: programs.
  lfs: new Set(
    "repositoryformatversion url access locksverify fetchinclude fetchexclude".split(" "),
  ),
  diff: new Set(
    "algorithm renames renamelimit colormoved mnemonicprefix noprefix context interhunkcontext".split(
      " ",
    ),
  ),
};

const longest = 200_000;

/**
 * Why git is asked about in a folder though it would only read: a repository's own configuration can
 * name programs for showing differences, filtering files and fetching what is missing, and a
 * repository may have come from anywhere.
 */
export async function gitConfigProblem(
  folder: string,
  files: FileSystem,
): Promise<string | undefined> {
  const place = await repositoryFolder((await files.locate(folder)).path, files);
  if (place === undefined) return undefined;
  if ((await files.stat(joinPath(place, ".git")))?.kind === "file") return elsewhere(place, files);
  const path = joinPath(place, ".git/config");
  if (!(await files.locate(path)).inside) return `${path} is a link out of the workspace.`;
  const bytes = await files.readFile(path);
  if (bytes === undefined) return undefined;
  const key =
    bytes.length > longest ? "too much" : unknownKey(new TextDecoder("utf-8").decode(bytes));
  return key === undefined
    ? undefined
    : `${path} sets ${key}, with which git may run other programs.`;
}

/** Of a worktree or a submodule. */
async function elsewhere(place: string, files: FileSystem): Promise<string | undefined> {
  const bytes = await files.readFile(joinPath(place, ".git"));
  const [, path] = /^gitdir: (.+)/.exec(new TextDecoder("utf-8").decode(bytes)) ?? [];
  const way = path === undefined ? undefined : await followPath(place, path.trim(), files);
  // What these lead to is for each process another place.
  const isOwn = way !== undefined && /^\/+(proc|dev)\//.test(way);
  const isInside = way === undefined || isOwn || (await files.locate(way)).inside;
  return isInside ? `${joinPath(place, ".git")} names another place of the workspace.` : undefined;
}

/** The first key that is not known to be harmless, or what cannot be read. */
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
    const isKnown =
      harmlessSections.has(section) ||
      (harmlessKeys[section]?.has(key.toLowerCase()) === true && (section !== "diff" || !hasName));
    if (!isKnown) return `${section}.${key}`;
  }
  return undefined;
}
