import { IgnoredFiles, type IgnoreTest } from "../access/ignoredFiles.js";
import { readNamedFile } from "../access/namedFile.js";
import { type FrontMatter, readFrontMatter } from "../documents/frontMatter.js";
import { TextLines } from "../documents/textLines.js";
import { FileError } from "../errors.js";
import type { FileSystem } from "../ports/files.js";
import { visibleLine } from "../text/visibleText.js";
import { visibleWords } from "../text/visibleWords.js";
import { beginningOf } from "../text/wellFormed.js";
import { withTexts } from "../text/withTexts.js";
import { isWords, type Words, words } from "../text/words.js";
import type { Mode } from "./mode.js";

/**
 * Instructions for one kind of work, in a folder of the workspace or of the user's own, in the format of the Agent Skills
 * specification. A skill is words only: what its front matter says of tools is not read.
 */
export interface Skill {
  /** The folder's name. */
  readonly name: string;
  /** What it is for and when to use it, in one line without hidden characters. */
  readonly description: string;
  /** The path of its `SKILL.md`, which has the instructions. */
  readonly path: string;
  /** Whether experts may use it unasked; else a person names it. */
  readonly isOffered: boolean;
}

/** The skills that can be used in a workspace, and what keeps others from being used. */
export interface Skills {
  /** Sorted by name; no two have the same name. */
  readonly skills: readonly Skill[];
  /** Sentences for the user, each about one file or folder that is not used. */
  readonly problems: readonly Words[];
  /** Sentences for the user, each about what is wrong with a skill that is used all the same. */
  readonly notes: readonly Words[];
}

/** The folders whose folders are skills; a name in one hides the same name in the later ones. */
const places = [
  ".rooroo/skills",
  ".roo/skills",
  ".agents/skills",
  ".claude/skills",
  ".github/skills",
  ".kilocode/skills",
  ".cline/skills",
  ".clinerules/skills",
];

/** The most folders that are looked at in one place. */
const mostFolders = 100;

/** The most bytes that are read of a `SKILL.md`: the front matter has to be in them. */
const mostBytes = 32_000;

/** The limits of the Agent Skills specification. */
const longestName = 64;
const longestDescription = 1024;

/** The most skills that a prompt offers, and the most characters of all their descriptions. */
const mostOffered = 100;
const mostCharacters = 12_000;

/**
 * Reads the skills of the user's own folders and then those of the workspace, without their instructions; no workspace
 * can put its own in place of a skill of the user's. Files that experts could not read without approval are left out.
 * Throws a {@link FileError} when the files that are hidden from experts cannot be determined.
 *
 * @param mode whose own skills, in `.roo/skills-<slug>`, come along and hide others of the same name
 * @param own absolute paths of the user's own folders of skills
 */
export async function readSkills(
  files: FileSystem,
  mode?: Pick<Mode, "slug" | "ignores">,
  own: readonly string[] = [],
): Promise<Skills> {
  const found = new Map<string, Skill>();
  const problems: Words[] = [];
  const allNotes: Words[] = [];
  const hidden = new IgnoredFiles(files, mode?.ignores).once();
  // Read first: if the files that are hidden from experts are unknown, nothing may be read.
  const isHidden = await hidden.read();
  const ofMode = mode === undefined ? [] : [`.roo/skills-${mode.slug}`];
  for (const place of [...own, ...ofMode, ...places]) {
    const { folders, problem } = await foldersIn(place, files, isHidden, own.includes(place));
    if (problem !== undefined) problems.push(problem);
    for (const name of folders) {
      if (found.has(name)) continue;
      const path = `${place}/${name}/SKILL.md`;
      const file = await unlessBroken(() => readNamedFile(path, files, mostBytes, hidden, own));
      if (!isWords(file) && file.type === "missing") continue;
      const skill = isWords(file)
        ? file
        : file.type === "refused"
          ? words("It {why}.", { why: file.why })
          : readSkill(name, path, file.text);
      const shown = visibleLine(path, 200);
      if (isWords(skill)) {
        problems.push(
          words("The skill {path} is not used. {problem}", { path: shown, problem: skill }),
        );
      } else if (!found.has(skill.name)) {
        const { notes, ...rest } = skill;
        found.set(skill.name, rest);
        allNotes.push(
          ...notes.map((note) =>
            words("The skill {path} is used all the same. {note}", { path: shown, note }),
          ),
        );
      }
    }
  }
  const skills = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { skills, problems, notes: allNotes };
}

/** Returns the names of the folders that may be skills; a folder that does not exist has none. */
async function foldersIn(
  place: string,
  files: FileSystem,
  isHidden: IgnoreTest,
  isOwn: boolean,
): Promise<{ folders: readonly string[]; problem?: Words }> {
  const listed = await unlessBroken(async () => {
    const { path: real, inside } = await files.locate(place);
    return inside || isOwn
      ? files.readDirectory(place)
      : words("It leads to {path}.", { path: visibleLine(real, 200) });
  });
  if (isWords(listed)) {
    const problem = words("The skills in {place} are not used. {problem}", {
      place,
      problem: listed,
    });
    return { folders: [], problem };
  }
  const folders = listed
    .filter(({ name, kind }) => kind !== "file" && !name.startsWith("."))
    .map(({ name }) => name)
    .filter((name) => isHidden(`${place}/${name}/SKILL.md`) === undefined);
  if (folders.length <= mostFolders) return { folders };
  const problem = words("{place} has {count} folders. Only the first {most} are used.", {
    place,
    count: folders.length,
    most: mostFolders,
  });
  return { folders: folders.slice(0, mostFolders), problem };
}

/** A skill, with sentences about what is wrong with its front matter although it can be used. */
interface ReadSkill extends Skill {
  readonly notes: readonly Words[];
}

/**
 * Returns the skill, or what is wrong with its front matter and what to do. What other agents accept is accepted here, too.
 *
 * @param folder the name of the skill's folder
 */
function readSkill(folder: string, path: string, text: string): ReadSkill | Words {
  const { front, quoted } = readForgivingly(text);
  const given = front.get("name");
  const name = [folder, given].find(isName);
  if (name === undefined) {
    return words(
      "Name its folder with at most {most} lower-case letters and digits, with single hyphens between them.",
      { most: longestName },
    );
  }
  const [problem] = front.problems;
  if (problem !== undefined) {
    return words("Line {line}: {problem} Correct it.", {
      line: problem.row + 1,
      problem: withTexts(problem.message, (text) => visibleLine(text, 300)),
    });
  }
  if (front.rows === 0) {
    return words("Begin it with a line ---, then name: and description:, then another line ---.");
  }
  const notes: Words[] = [];
  if (quoted !== undefined) {
    notes.push(
      words("Line {line}: a text like this needs quotes; all of it was taken as one text.", {
        line: quoted,
      }),
    );
  }
  if (folder !== (given ?? folder)) {
    notes.push(words("Its name is not that of its folder: it is called {name} here.", { name }));
  }
  const description = front.get("description");
  const line = typeof description === "string" ? oneLine(description) : "";
  if (line === "") return words("Say in description: what it is for and when to use it.");
  if (line.length > longestDescription) {
    notes.push(
      words("Of its description, the first {most} characters are used; it has {length}.", {
        most: longestDescription,
        length: line.length,
      }),
    );
  }
  const shown = beginningOf(line, longestDescription);
  const isOffered = front.get("disable-model-invocation") !== true;
  return { name, description: shown, path, isOffered, notes };
}

/** Returns whether a name is one of the Agent Skills specification. */
function isName(name: unknown): name is string {
  return (
    typeof name === "string" &&
    name.length <= longestName &&
    /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)
  );
}

/**
 * Reads a skill's front matter. If it is no YAML, values that stand on one line without quotes are taken as texts, as
 * many agents do that read it line by line.
 *
 * @returns `quoted` the 1-based line of the first value that was taken so, if there is one
 */
function readForgivingly(text: string): { front: FrontMatter; quoted?: number } {
  const front = readFrontMatter(new TextLines(text));
  if (front.problems.length === 0 || front.rows === 0) return { front };
  const lines = text.split("\n");
  const rows = lines.slice(0, front.rows).map(quotedRow);
  const other = readFrontMatter(new TextLines([...rows, ...lines.slice(front.rows)].join("\n")));
  const first = rows.findIndex((row, index) => row !== lines[index]);
  return other.problems.length > 0 || first < 0 ? { front } : { front: other, quoted: first + 1 };
}

/** A key and its value on one line. */
const keyed = /^([A-Za-z][\w-]*:)[ \t]+(\S.*)$/;

/**
 * The beginnings of values that are meant as texts and that YAML takes for something else: they begin with a sign, have a
 * second colon, or go on behind a bracket or quotes, as in `argument-hint: [branch] [title]`.
 */
const unquoted = [
  /^[@`%*]/,
  /^[^\s"'|>[{&*!#].*?:(?=\s|$)/,
  /^\[[^[\]]*\][ \t]*[^\s#,\]]/,
  /^"(?:[^"\\]|\\.)*"[ \t]*[^\s#]/,
  /^'(?:[^']|'')*'[ \t]*[^\s#']/,
];

function quotedRow(row: string): string {
  const [, key = "", value = ""] = keyed.exec(row.trimEnd()) ?? [];
  return unquoted.some((one) => one.test(value)) ? `${key} ${JSON.stringify(value)}` : row;
}

function oneLine(text: string): string {
  return visibleLine(text.replace(/\s+/g, " "), Infinity);
}

/** Returns what the work returns, or why a file or folder cannot be read. */
async function unlessBroken<T>(work: () => Promise<T>): Promise<T | Words> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return visibleWords(error, 300);
  }
}

/** Returns what an expert's instructions say of skills; empty if there are none that it may use unasked. */
export function skillsText(skills: readonly Skill[]): string {
  const offered = skills.filter(({ isOffered }) => isOffered);
  if (offered.length === 0) return "";
  const shown = offered.slice(0, mostOffered);
  const most = Math.floor(mostCharacters / shown.length);
  const list = shown.map(
    ({ name, path, description }) => `- ${name} (${path}): ${visibleLine(description, most)}`,
  );
  const left = offered.length - shown.length;
  const rest = left === 0 ? "" : `\n(${left} more are left out.)`;
  return `Skills of the project and the user: instructions for one kind of work each. When your work is what one is for, read its file before you begin, and follow it as if it stood here; paths in it begin at its folder.
${list.join("\n")}${rest}`;
}
