import { type IgnoreSource, IgnoredFiles } from "../access/ignoredFiles.js";
import { readNamedFile } from "../access/namedFile.js";
import { noUserPlaces } from "../access/userPlaces.js";
import { splitFrontMatter } from "../documents/frontMatter.js";
import { UserError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import { formatSize } from "../text/textFile.js";
import { visibleLine } from "../text/visibleText.js";
import { visibleWords } from "../text/visibleWords.js";
import { isWords, type Words, words } from "../text/words.js";
import { readSkills, type Skill } from "./skills.js";

/**
 * Where a workspace has commands of its own; a name in one hides the same name in the later ones. Cline and Kilo Code
 * call them workflows: https://docs.cline.bot/customization/workflows, https://kilo.ai/docs/agent-behavior/workflows.
 */
const folders = [
  ".rooroo/commands",
  ".roo/commands",
  ".clinerules/workflows",
  ".kilocode/workflows",
  ".kilo/command",
  ".kilo/commands",
];

/** The most commands of a folder, and the most bytes of a command's file. */
const mostCommands = 200;
const longestCommand = 100_000;

/** The most characters of a description in lists. */
const longestDescription = 300;

/** A command of the workspace: a Markdown file whose text becomes a request, or a skill that a request names. */
export interface OwnCommand {
  /** The file's name without its ending, in lower case; the skill's name. */
  readonly name: string;
  readonly description: string;
  /** What may follow the command, for lists; may be empty. */
  readonly hint: string;
  readonly body: string;
}

/**
 * Reads the user's own commands and then the workspace's, by name; no workspace can put its own in place of one of the
 * user's. A file in a folder of commands hides the skill of the same name beside it. Files that experts could not read
 * without approval are left out.
 */
export async function readOwnCommands(
  files: FileSystem,
  places = noUserPlaces,
): Promise<readonly OwnCommand[]> {
  const skills = await skillsToName(files, places.skills);
  const isOwn = ({ path }: Skill) => places.skills.some((place) => path.startsWith(`${place}/`));
  const found = new Map<string, OwnCommand>();
  for (const command of [
    ...(await commandsIn(places.commands, files, places.commands)).commands,
    ...skills.filter(isOwn).map(commandFor),
    ...(await commandsIn(folders, files, places.commands)).commands,
    ...skills.map(commandFor),
  ]) {
    if (!found.has(command.name)) found.set(command.name, command);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns a sentence for the user about each file of a command that is not used. */
export async function unusableCommands(
  files: FileSystem,
  places = noUserPlaces,
): Promise<readonly Words[]> {
  const all = [...places.commands, ...folders];
  return (await commandsIn(all, files, places.commands)).problems;
}

/** The commands in some folders, in the folders' order, and the reasons why others are not used. */
interface FoundCommands {
  readonly commands: readonly OwnCommand[];
  readonly problems: readonly Words[];
}

/** Reads the commands of folders, without those that experts could not read unasked. */
async function commandsIn(
  places: readonly string[],
  files: FileSystem,
  own: readonly string[],
): Promise<FoundCommands> {
  const commands: OwnCommand[] = [];
  const problems: Words[] = [];
  const hidden = new IgnoredFiles(files).once();
  for (const folder of places) {
    const names = await commandFiles(folder, files, own.includes(folder));
    if (isWords(names)) {
      problems.push(
        words("The commands in {place} are not used. {problem}", { place: folder, problem: names }),
      );
      continue;
    }
    if (names.length > mostCommands) {
      problems.push(
        words("{folder} has more than {most} files. The rest is not used.", {
          folder,
          most: mostCommands,
        }),
      );
    }
    for (const name of names.slice(0, mostCommands)) {
      const path = `${folder}/${name}`;
      const command = await readCommand(path, name.slice(0, -3), files, hidden, own);
      if (command === undefined) continue;
      if (!isWords(command)) commands.push(command);
      else {
        const shown = visibleLine(path, 200);
        problems.push(
          words("The command {path} is not used. {problem}", { path: shown, problem: command }),
        );
      }
    }
  }
  return { commands, problems };
}

/** Returns the names of the files in a folder of commands, or why it cannot be read. */
async function commandFiles(
  folder: string,
  files: FileSystem,
  isOwn: boolean,
): Promise<readonly string[] | Words> {
  try {
    const { path: real, inside } = await files.locate(folder);
    if (!inside && !isOwn) return words("It leads to {path}.", { path: visibleLine(real, 200) });
    const entries = await files.readDirectory(folder);
    return entries
      .filter(({ name, kind }) => kind !== "folder" && /^[^.].*\.md$/i.test(name))
      .map(({ name }) => name);
  } catch (error) {
    if (error instanceof UserError) return visibleWords(error, 300);
    throw error;
  }
}

/** Returns the command, or why its file is not used and what to do; `undefined`: it is hidden, or gone. */
async function readCommand(
  path: string,
  name: string,
  files: FileSystem,
  hidden: IgnoreSource,
  own: readonly string[],
): Promise<OwnCommand | Words | undefined> {
  try {
    if ((await hidden.read())(path) !== undefined) return undefined;
    if (!/^[a-z][a-z0-9_-]{0,60}$/i.test(name)) {
      return words("Name its file with letters without accents, digits, - and _, a letter first.");
    }
    const file = await readNamedFile(path, files, longestCommand, hidden, own);
    if (file.type === "missing") return undefined;
    if (file.type === "refused") return words("It {why}.", { why: file.why });
    if (file.size > longestCommand) {
      const why = words("is longer than {size}", { size: formatSize(longestCommand) });
      return words("It {why}.", { why });
    }
    const command = parseOwnCommand(name.toLowerCase(), file.text);
    return command.body === "" ? words("Write a request into it.") : command;
  } catch (error) {
    if (error instanceof UserError) return visibleWords(error, 300);
    throw error;
  }
}

/** Returns the skills that can be typed as commands. Whoever is told of their problems is told when an expert begins. */
async function skillsToName(files: FileSystem, own: readonly string[]): Promise<readonly Skill[]> {
  try {
    const { skills } = await readSkills(files, undefined, own);
    return skills.filter(({ name }) => /^[a-z]/.test(name));
  } catch (error) {
    if (error instanceof UserError) return [];
    throw error;
  }
}

/**
 * Returns the command for a skill. The skill's own text does not become the user's words, because those count for more:
 * an address that they name may be fetched.
 */
function commandFor({ name, description, path }: Skill): OwnCommand {
  const body = `Use the skill ${name}: read ${path} and follow it.`;
  return { name, description: description.slice(0, longestDescription), hint: "", body };
}

/** Reads a command's file: front matter with `description` and `argument-hint`, then the text. */
function parseOwnCommand(name: string, text: string): OwnCommand {
  const { front, body: rest } = splitFrontMatter(text);
  const body = rest.trim();
  const value = (key: string): string => {
    const [, given = ""] = new RegExp(`^${key}:[ \\t]*(.*)$`, "m").exec(front) ?? [];
    const [, quoted] = /^(?:"(.*)"|'(.*)')$/.exec(given.trim())?.filter(Boolean) ?? [];
    return (quoted ?? given).trim().slice(0, longestDescription);
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
