import type { BoundFile } from "../agent/commandFacts.js";
import type { FileSystem } from "../ports.js";
import { followPath } from "./followPath.js";
import { joinPath } from "./joinPath.js";
import type { Word } from "./word.js";
import { programName } from "./wrappers.js";

const interpreters =
  /^(?:(?:ba|da|z|k|mk|a|fi)?sh|source|\.|node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|ruby|perl|php|lua|Rscript|pwsh|osascript)$/i;
const scripts = /\.(?:[cm]?[jt]sx?|py|rb|sh|bash|zsh|pl|php|lua|r|ps1)$/i;
/** Files in which programs look up what to do, in the folder or above it. */
const recipes: Readonly<Record<string, readonly string[]>> = {
  npm: ["package.json"],
  npx: ["package.json"],
  pnpm: ["package.json"],
  yarn: ["package.json"],
  bun: ["package.json"],
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile"],
  rake: ["Rakefile"],
  mvn: ["pom.xml"],
  gradle: ["build.gradle", "build.gradle.kts"],
  composer: ["composer.json"],
};

/** The workspace's files whose content decides what a command does, as scripts that it runs. */
export async function boundFiles(
  words: readonly Word[],
  folders: readonly string[],
  files: FileSystem,
): Promise<BoundFile[]> {
  const [program, ...args] = words;
  const name = programName(program);
  const named: string[] = [];
  if (program?.kind === "literal" && program.text.includes("/")) named.push(program.text);
  if (interpreters.test(name)) {
    const first = args.findIndex(({ text }) => !text.startsWith("-"));
    for (const [index, { text }] of args.entries()) {
      const value = text.replace(/^--?[\w-]+=/, "");
      if (index === first || scripts.test(value)) named.push(value);
    }
  }
  const bound = new Map<string, BoundFile>();
  for (const folder of folders) {
    const places = await Promise.all(named.map((path) => followPath(folder, path, files)));
    for (const recipe of recipes[name] ?? []) places.push(...upwards(folder, recipe));
    for (const place of places) {
      const file = await bind(place, files);
      if (file !== undefined) bound.set(file.path, file);
    }
  }
  return [...bound.values()];
}

/** `undefined` for what is no file of the workspace. */
export async function bind(place: string, files: FileSystem): Promise<BoundFile | undefined> {
  const { path, inside } = await files.locate(place);
  if (!inside || (await files.stat(path))?.kind !== "file") return undefined;
  const content = await files.readFile(path);
  if (content === undefined) return undefined;
  const digest = await crypto.subtle.digest("SHA-256", content);
  const hash = [...new Uint8Array(digest)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return { path, hash };
}

function upwards(folder: string, name: string): string[] {
  const places = [joinPath(folder, name)];
  for (let at = folder; at !== "" && !at.startsWith("/");) {
    at = at.includes("/") ? at.replace(/\/[^/]*$/, "") : "";
    places.push(joinPath(at, name));
  }
  return places;
}
