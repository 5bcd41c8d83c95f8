import { IgnoredFiles } from "../access/ignoredFiles.js";
import { readNamedFile } from "../access/namedFile.js";
import { FileError, UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import { formatSize } from "../text/textFile.js";
import { words } from "../text/words.js";
import type { FoundFile, LeftOut } from "./importPlan.js";

/** The most bytes of a file with settings. */
const maxSize = 2_000_000;

/**
 * Files of a workspace with settings that are not read where they are. Sources: https://docs.roocode.com/features/mcp/using-mcp-in-roo,
 * https://kilo.ai/docs/automate/mcp/using-in-kilo-code; Kilo-Org/kilocode, `src/core/config/CustomModesManager.ts`.
 */
const inWorkspace = [
  ".kilocodemodes",
  ".kilocode/mcp.json",
  "kilo.json",
  "kilo.jsonc",
  ".kilo/kilo.json",
  ".kilo/kilo.jsonc",
];

/** The same of the user's home folder. Source: https://docs.cline.bot/mcp/configuring-mcp-servers. */
const inHome = [
  ".cline/data/settings/cline_mcp_settings.json",
  ".cline/mcp.json",
  ".kilocode/cli/global/settings/mcp_settings.json",
  ".config/kilo/kilo.json",
  ".config/kilo/kilo.jsonc",
];

/**
 * The same of the folders in which VS Code keeps the files of extensions. Secrets are not among them: these are kept
 * elsewhere, and never read. Sources: RooCodeInc/Roo-Code and Kilo-Org/kilocode, `src/shared/globalFileNames.ts`;
 * cline/cline, `src/core/storage/disk.ts`.
 */
const inStorage = [
  "rooveterinaryinc.roo-cline",
  "saoudrizwan.claude-dev",
  "kilocode.kilo-code",
].flatMap((extension) =>
  [
    "mcp_settings.json",
    "cline_mcp_settings.json",
    "custom_modes.yaml",
    "custom_modes.json",
    "cline_custom_modes.json",
  ].map((name) => `${extension}/settings/${name}`),
);

/** Paths that Rooroo reads where they are, so that they need not be imported. */
const readInPlace = [
  ".roomodes",
  ".roo/rules",
  ".roorules",
  ".roo/commands",
  ".roo/skills",
  ".roo/mcp.json",
  ".clinerules",
  ".cline/rules",
  ".kilocode/rules",
  ".kilocode/workflows",
  ".kilocode/skills",
  "AGENTS.md",
  "AGENTS.override.md",
  "CLAUDE.md",
  ".claude/CLAUDE.md",
  "CLAUDE.local.md",
  "GEMINI.md",
  "QWEN.md",
  ".github/copilot-instructions.md",
  ".cursorrules",
  ".cursor/rules",
  ".windsurfrules",
];
const readInHome = [
  ".roo/rules",
  ".roo/commands",
  ".roo/skills",
  "Documents/Cline/Rules",
  "Documents/Cline/Workflows",
  ".kilocode/rules",
  ".kilocode/workflows",
];

/** Where other tools may keep their settings. */
export interface ForeignPlaces {
  /** The absolute path of the user's home folder. */
  readonly home: string;
  /** Absolute paths of folders in which editors keep the files of extensions. */
  readonly storage: readonly string[];
  /** Absolute paths of files that the user names. */
  readonly named: readonly string[];
}

export interface Foreign {
  readonly found: readonly FoundFile[];
  readonly asItIs: readonly LeftOut[];
}

/**
 * Finds the settings of other tools. Throws a {@link UserError} if a file that the user names cannot be read; others
 * that cannot be read are left out.
 *
 * @param files reads absolute paths
 * @param hasWorkspace whether relative paths of `files` are those of a workspace
 */
export async function findForeign(
  files: FileSystem,
  hasWorkspace: boolean,
  { home, storage, named }: ForeignPlaces,
): Promise<Foreign> {
  const found: FoundFile[] = [];
  const hidden = hasWorkspace ? new IgnoredFiles(files).once() : undefined;
  const add = async (
    path: string,
    shown: string,
    origin: FoundFile["origin"],
    place: readonly string[],
  ): Promise<void> => {
    const file = await readNamedFile(path, files, maxSize, hidden, place).catch(unlessRefused);
    if (file?.type !== "text" || file.size > maxSize) return;
    found.push({ shown, origin, text: file.text });
  };
  for (const path of named) {
    const { path: real, inside } = await files.locate(path);
    const shown = path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
    found.push(await namedFile(path, inside && hasWorkspace ? real : shown, files));
  }
  if (hasWorkspace) for (const path of inWorkspace) await add(path, path, "workspace", []);
  for (const path of inHome) await add(`${home}/${path}`, `~/${path}`, "user", [home]);
  for (const folder of storage) {
    for (const path of inStorage) await add(`${folder}/${path}`, path, "user", [folder]);
  }
  const asItIs: LeftOut[] = [];
  const look = async (path: string, shown: string): Promise<void> => {
    const stat = await files.stat(path).catch(unlessRefused);
    if (stat === undefined || stat.kind === "other") return;
    asItIs.push({ name: shown, from: shown, why: words("It is read where it is.") });
  };
  if (hasWorkspace) for (const path of readInPlace) await look(path, path);
  for (const path of readInHome) await look(`${home}/${path}`, `~/${path}`);
  return { found, asItIs };
}

async function namedFile(path: string, shown: string, files: FileSystem): Promise<FoundFile> {
  const stat = await files.stat(path);
  if (stat?.kind !== "file") {
    throw new UserError(
      "importFileMissing",
      "There is no file {path} to import from. Name one that exists.",
      { path },
    );
  }
  if (stat.size > maxSize) {
    throw new UserError(
      "importFileTooLong",
      "{path} is longer than {most}, so it is no file of settings. Choose another file.",
      { path, most: formatSize(maxSize) },
    );
  }
  const bytes = await files.readRange(path, 0, maxSize);
  return { shown, origin: "chosen", text: new TextDecoder().decode(bytes) };
}

function unlessRefused(error: unknown): undefined {
  if (error instanceof FileError) return undefined;
  throw error;
}
