import { type IgnoreTest, IgnoredFiles } from "../access/ignoredFiles.js";
import { readNamedFile } from "../access/namedFile.js";
import { mayHoldSecrets } from "../access/secretFiles.js";
import { parseJson } from "../documents/parseJson.js";
import { UserError } from "../errors.js";
import type { EditorFocus, Problem } from "../ports/editor.js";
import type { FileSystem } from "../ports/files.js";
import type { Clock } from "../ports/system.js";
import { tagged } from "../text/tagged.js";
import { visibleLine } from "../text/visibleText.js";
import { repositoryProblem } from "./repositoryProblem.js";
import type { WorkspaceHost } from "./workspaceHost.js";

/** The most names, changed files, scripts and problems that the environment lists. */
const most = { topLevel: 30, changed: 12, scripts: 20, problems: 6, open: 6 };
/** The most bytes that are read of a manifest. */
const maxManifest = 200_000;

type Place = Pick<WorkspaceHost, "files" | "shell" | "search" | "git" | "editor">;

/**
 * Returns where an agent begins, as one block for its first message: date, system, workspace, git's branch and
 * short status, the top level, the project's own scripts, and what the editor shows. Files that are hidden from
 * experts are not named. A part that cannot be told is left out.
 */
export async function environmentText(host: Place, clock: Clock): Promise<string> {
  const { files } = host;
  const fixed = [
    `Date: ${clock.now().toISOString().slice(0, 10)} (UTC)`,
    `Shell: ${host.shell.description}`,
    `Workspace: ${visibleLine(files.absolute(""), 300)}`,
  ];
  const found = await unlessHidden(files, async (isHidden) => [
    ...(await gitLines(host, isHidden)),
    ...listed("Top level", await topLevel(host), most.topLevel, " "),
    ...(await scriptLines(files, isHidden)),
    ...editorLines(visibleFocus(host.editor?.focus(), isHidden)),
  ]);
  return tagged("environment", [...fixed, ...(found ?? [])].join("\n"));
}

/**
 * Returns what the user looks at in the editor, without what is hidden from experts and what may hold secrets;
 * `undefined` where nothing is left, or there is no editor.
 */
export async function editorFocus(
  host: Pick<WorkspaceHost, "files" | "editor">,
): Promise<EditorFocus | undefined> {
  const focus = host.editor?.focus();
  if (focus === undefined) return undefined;
  return unlessHidden(host.files, (isHidden) => Promise.resolve(visibleFocus(focus, isHidden)));
}

/** Returns what is in the workspace's root, without what git ignores; folders end with `/`. */
export async function topLevel({
  files,
  search,
}: Pick<WorkspaceHost, "files" | "search">): Promise<string[]> {
  const own = [".git", ".rooroo"];
  const isHidden = await new IgnoredFiles(files).read();
  const entries = (await files.readDirectory("")).filter(
    ({ name }) => !own.includes(name) && isHidden(name) === undefined,
  );
  const paths = entries.map(({ name, kind }) => (kind === "folder" ? `${name}/` : name));
  const ignored = await search.ignored(paths).catch(() => new Set<string>());
  return paths.filter((path) => !ignored.has(path));
}

/** Does the work with the test of what is hidden; `undefined` where that, or the work's files, cannot be read. */
async function unlessHidden<T>(
  files: FileSystem,
  work: (isHidden: IgnoreTest) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work(await new IgnoredFiles(files).read());
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return undefined;
  }
}

/** Asks git only where the repository is the workspace's own. */
async function gitLines({ files, git }: Place, isHidden: IgnoreTest): Promise<string[]> {
  if (git === undefined) return [];
  const isHiddenPath = (path: string) => isHidden(path) !== undefined;
  const problem = await repositoryProblem(files);
  const status = problem === undefined ? await git.status() : undefined;
  if (status === undefined) return [];
  const lines = status.split(/\r?\n/).filter((line) => line !== "");
  const branch = lines.find((line) => line.startsWith("## "))?.slice(3) ?? "";
  // Names in quotes have escapes, by which a rule for hidden files would not know them.
  const changed = lines.filter((line) => {
    const path = /^[^#]. ([^"].*)$/.exec(line)?.[1];
    return path !== undefined && !path.startsWith(".rooroo/") && !isHiddenPath(path);
  });
  const texts = changed.length === 0 ? ["nothing changed"] : changed.map((line) => line.trim());
  return listed(`Git, on ${visibleLine(branch, 120)}`, texts, most.changed, ", ");
}

const manifests: readonly (readonly [path: string, key: string])[] = [
  ["package.json", "scripts"],
  ["composer.json", "scripts"],
  ["deno.json", "tasks"],
];

/** Returns the names of what the project's manifests can run. */
async function scriptLines(files: FileSystem, isHidden: IgnoreTest): Promise<string[]> {
  const hidden = { read: () => Promise.resolve(isHidden) };
  const read = async (path: string): Promise<string> => {
    const file = await readNamedFile(path, files, maxManifest, hidden);
    return file.type === "text" ? file.text : "";
  };
  const lines: string[] = [];
  for (const [path, key] of manifests) {
    const json = parseJson(await read(path));
    const named = json.ok ? (json.value as Record<string, unknown> | null)?.[key] : undefined;
    const names = typeof named === "object" && named !== null ? Object.keys(named) : [];
    lines.push(...listed(`Scripts of ${path}`, names, most.scripts, ", "));
  }
  const targets = [...(await read("Makefile")).matchAll(/^([A-Za-z0-9][\w.-]*)\s*:(?!=)/gm)];
  const names = [...new Set(targets.map(([, name = ""]) => name))];
  return [...lines, ...listed("Targets of Makefile", names, most.scripts, ", ")];
}

function visibleFocus(
  focus: EditorFocus | undefined,
  isHidden: IgnoreTest,
): EditorFocus | undefined {
  const isVisible = (path: string) => isHidden(path) === undefined && !mayHoldSecrets(path);
  if (focus === undefined || !isVisible(focus.path)) return undefined;
  return {
    ...focus,
    others: focus.others.filter(isVisible),
    problems: focus.problems.filter(({ path }) => isVisible(path)),
  };
}

function editorLines(focus: EditorFocus | undefined): string[] {
  if (focus === undefined) return [];
  return [
    `Editor: ${focusPlace(focus)}`,
    ...listed("Also open", focus.others, most.open, ", "),
    ...listed("Problems", focus.problems.map(problemText), most.problems, "; "),
  ];
}

/** Returns where the user is in the editor, as in `src/cart.js, line 12, with lines 10 to 14 selected`. */
export function focusPlace({ path, line, selection }: EditorFocus): string {
  const at = `${visibleLine(path, 200)}, line ${line}`;
  if (selection === undefined) return at;
  const { from, to } = selection;
  return `${at}, with ${from === to ? `line ${from}` : `lines ${from} to ${to}`} selected`;
}

function problemText({ path, line, severity, message }: Problem): string {
  return `${path}:${line} ${severity}: ${visibleLine(message, 150)}`;
}

/** Returns one line with the first of these texts and how many more there are; nothing if there are none. */
function listed(name: string, texts: readonly string[], count: number, between: string): string[] {
  if (texts.length === 0) return [];
  const shown = texts.slice(0, count).map((text) => visibleLine(text, 240));
  const left = texts.length - shown.length;
  return [`${name}: ${shown.join(between)}${left > 0 ? `${between}… ${left} more` : ""}`];
}
