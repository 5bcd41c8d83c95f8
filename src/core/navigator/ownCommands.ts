import { IgnoredFiles } from "../access/ignoredFiles.js";
import { readNamedFile } from "../access/namedFile.js";
import { UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";

/** Where a workspace has commands of its own; a name in the first one hides the same name in the second. */
const folders = [".rooroo/commands", ".roo/commands"];

/** The most commands of a folder, and the most bytes of a command's file. */
const mostCommands = 200;
const longestCommand = 100_000;

/** A command of the workspace: a Markdown file whose text becomes a request. */
export interface OwnCommand {
  /** The file's name without its ending, in lower case. */
  readonly name: string;
  readonly description: string;
  /** What may follow the command, for lists; may be empty. */
  readonly hint: string;
  readonly body: string;
}

/** Reads the workspace's own commands, by name. Files that experts could not read without approval are left out. */
export async function readOwnCommands(files: FileSystem): Promise<readonly OwnCommand[]> {
  const found = new Map<string, OwnCommand>();
  const hidden = new IgnoredFiles(files).once();
  for (const folder of folders) {
    const entries = (await files.readDirectory(folder)).slice(0, mostCommands);
    for (const { name: fileName } of entries) {
      const [, name] = /^([a-z0-9][a-z0-9_-]{0,60})\.md$/i.exec(fileName) ?? [];
      if (name === undefined || found.has(name.toLowerCase())) continue;
      const file = await readNamedFile(
        `${folder}/${fileName}`,
        files,
        longestCommand,
        hidden,
      ).catch((error: unknown) => {
        if (error instanceof UserError) return undefined;
        throw error;
      });
      if (file?.type !== "text" || file.size > longestCommand) continue;
      const command = parseOwnCommand(name.toLowerCase(), file.text);
      if (command.body !== "") found.set(command.name, command);
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Reads a command's file: front matter with `description` and `argument-hint`, then the text. */
function parseOwnCommand(name: string, text: string): OwnCommand {
  const [whole = "", front = ""] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  const body = text.slice(whole.length).trim();
  const value = (key: string): string => {
    const [, given = ""] = new RegExp(`^${key}:[ \\t]*(.*)$`, "m").exec(front) ?? [];
    const [, quoted] = /^(?:"(.*)"|'(.*)')$/.exec(given.trim())?.filter(Boolean) ?? [];
    return (quoted ?? given).trim().slice(0, 300);
  };
  const [firstLine = ""] = body.split("\n", 1);
  const description = value("description") || firstLine.replace(/^#+\s*/, "").slice(0, 120);
  return { name, description, hint: value("argument-hint"), body };
}

/** Returns the request that a command stands for; the arguments follow where the text has no place for them. */
export function expandCommand({ body }: OwnCommand, given: string): string {
  if (body.includes("$ARGUMENTS")) return body.replaceAll("$ARGUMENTS", () => given);
  return given === "" ? body : `${body}\n\n${given}`;
}
