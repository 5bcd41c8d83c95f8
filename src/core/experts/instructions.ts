import { type IgnoreSource, IgnoredFiles } from "../access/ignoredFiles.js";
import { readNamedFile } from "../access/namedFile.js";
import { belowPlaces, noUserPlaces, type UserPlaces } from "../access/userPlaces.js";
import { splitFrontMatter } from "../documents/frontMatter.js";
import { FileError } from "../errors.js";
import type { FileStat, FileSystem, ReadableFiles } from "../ports/files.js";
import { folderOf, lastPart } from "../text/pathParts.js";
import { formatSize } from "../text/textFile.js";
import { visibleLine } from "../text/visibleText.js";
import { visibleWords } from "../text/visibleWords.js";
import { spoken, type Words, words } from "../text/words.js";
import { builtInModes } from "./builtInModes.js";
import { fittingRules, roomForRules, type Rule } from "./fittingRules.js";
import type { Mode } from "./mode.js";
import { type ModeProblem, modeProblemWords } from "./modeProblem.js";
import { unusableCommands } from "./ownCommands.js";
import { type RepositoryAbove, repositoryAbove } from "./repositoryAbove.js";
import { readSkills, skillsText } from "./skills.js";

/** The most bytes that are read of one file. */
const maxFileSize = 64_000;

/** The most files and folders that are looked at in one rules folder. */
const maxEntries = 500;

/** The most folders that are looked into for rules of their own, and how deep they may lie. */
const maxFolders = 300;
const maxDepth = 4;

/** The most problems with modes, with skills, and with commands, that the user is told of in detail. */
const mostProblems = 10;

/** Files with rules for other agents, which apply to these experts as well. */
const others = [
  "CLAUDE.md",
  ".claude/CLAUDE.md",
  "CLAUDE.local.md",
  "GEMINI.md",
  "QWEN.md",
  ".github/copilot-instructions.md",
  ".windsurfrules",
  ".cursorrules",
];

/**
 * Folders whose rules have front matter that says when they apply: the ending of their files, and the line of a rule
 * that always applies. Sources: https://cursor.com/docs/context/rules,
 * https://code.visualstudio.com/docs/copilot/customization/custom-instructions,
 * https://docs.windsurf.com/windsurf/cascade/memories.
 */
const conditional = [
  { folder: ".cursor/rules", ending: ".mdc", always: /^alwaysApply:[ \t]*true[ \t]*$/im },
  {
    folder: ".github/instructions",
    ending: ".instructions.md",
    always: /^applyTo:[ \t]*(["']?)\*\*(?:\/\*)?\1[ \t]*$/m,
  },
  { folder: ".windsurf/rules", ending: ".md", always: /^trigger:[ \t]*always_on[ \t]*$/m },
];

/** The built-in modes of Roo Code and Kilo Code whose rules the experts follow that do the same work. */
export const counterparts: Readonly<Record<string, string>> = {
  "rooroo-developer": "code",
  "rooroo-planner": "architect",
  "rooroo-analyzer": "ask",
};

/** Folders below Cline's folder of rules that hold other things. */
const notRules = /^\.clinerules\/(?:workflows|hooks|skills)\//;

/** The file that takes the place of a folder's `AGENTS.md`. Source: https://developers.openai.com/codex/guides/agents-md. */
const override = "AGENTS.override.md";

/** Files that say in any folder what holds for what is in it, in their order. */
const ofFolders = [override, "AGENTS.md", "CLAUDE.md", "CLAUDE.local.md"];

/** A folder whose rules hold in the whole workspace: the workspace itself, or one above it. */
interface Base {
  readonly files: ReadableFiles;
  readonly hidden: IgnoreSource;
  /** What the paths of its files begin with: nothing, or its path and a slash. */
  readonly prefix: string;
  /** How many folders it lies above the workspace. */
  readonly distance: number;
  /** Returns a path of `files` as people and experts are told it. */
  readonly shown: (path: string) => string;
  /** Returns whether what was found may be used, whoever it belongs to. */
  readonly isOurs: (stat: FileStat) => boolean;
}

/** What the rules are for: it says which of them come first where there is not room for all. */
export interface InstructedWork {
  /** What the user or the plan wants. Rules of folders that it names come before others'. */
  readonly goal?: string;
  /** Tokens of the model's context window, if they are known. */
  readonly window?: number | undefined;
  /** Called with a sentence for the user if not all rules fit. */
  readonly onLeftOut?: (problem: Words) => void;
}

/**
 * Reads the instructions for a mode from the workspace's own files. The files may have come with the
 * workspace, so those that experts could not read without approval are left out, and the user is told of
 * each, once.
 */
export class Instructions {
  /** The problems that the user was told of: their kinds and paths. */
  readonly #told = new Set<string>();

  /**
   * @param tell called with a sentence for the user about each file that is left out or cut
   * @param modeProblems returns what cannot be used of the mode file, which is told as well; called at each use
   */
  constructor(
    private readonly files: FileSystem,
    private readonly tell: (problem: Words) => void,
    private readonly places = noUserPlaces,
    private readonly modeProblems: () => readonly ModeProblem[] = () => [],
  ) {}

  /**
   * Returns the rules for a mode, and the names and descriptions of the skills that it may use. A mode that reads no
   * files is told of no skills, because it could not use them.
   *
   * @returns Markdown; empty when there are neither
   */
  async read(
    mode: Pick<Mode, "slug" | "tools" | "ignores">,
    { goal = "", window, onLeftOut }: InstructedWork = {},
  ): Promise<string> {
    this.#tellFirst(this.modeProblems().map(modeProblemWords), (count) =>
      words(
        "{count, plural, one {# more problem is in the mode file.} other {# more problems are in the mode file.}}",
        { count },
      ),
    );
    await this.#tellOverrides(mode.slug);
    const found = await this.#rulesFor(mode.slug);
    const { text: rules, problem } = fittingRules(found, roomForRules(window), goal);
    if (problem !== undefined) onLeftOut?.(problem);
    const commands = await unusableCommands(this.files, this.places);
    this.#tellFirst(commands, (count) =>
      words(
        "{count, plural, one {# more command is not used.} other {# more commands are not used.}}",
        { count },
      ),
    );
    if (!mode.tools.includes("read_file")) return rules;
    const { skills, problems, notes } = await readSkills(this.files, mode, this.places.skills);
    this.#tellFirst(problems, (count) =>
      words(
        "{count, plural, one {# more skill is not used.} other {# more skills are not used.}}",
        { count },
      ),
    );
    this.#tellFirst(notes, (count) =>
      words(
        "{count, plural, one {Something is wrong with # more skill, which is used all the same.} other {Something is wrong with # more skills, which are used all the same.}}",
        { count },
      ),
    );
    return [rules, skillsText(skills)].filter((text) => text !== "").join("\n\n");
  }

  /**
   * Reads, in this order, the user's own rules, those of the workspace ({@link #rulesOf}), the `AGENTS.md` and `CLAUDE.md`
   * of folders, and the rules of the folders above the workspace up to its repository's, the nearest first. A text that is
   * there twice is read once, so that the nearest stays.
   * Throws a {@link FileError} when the files that are hidden from experts cannot be determined.
   */
  async #rulesFor(slug: string): Promise<Rule[]> {
    const base = this.#workspace();
    const { folders: places, paths: own } = await this.#ownRules(slug, base);
    const texts = new RuleTexts();
    const rules: Rule[] = [];
    const ofWorkspace = [
      ...(await this.#rulesOf(base, slug)),
      ...(await this.#ofFolders(await base.hidden.read())),
    ];
    for (const path of [...own, ...ofWorkspace]) {
      const text = await this.#textOf(path, base, texts, places);
      if (text === undefined) continue;
      const kind = own.includes(path) ? "user" : kindByFolder(path);
      rules.push({
        path,
        kind: isOfMode(path, slug) ? "mode" : kind,
        distance: 0,
        text: `From ${path}${scopeOf(path)}:\n${text}`,
      });
    }
    for (const above of await this.#basesAbove(base.hidden)) {
      for (const path of await this.#rulesOf(above, slug)) {
        const text = await this.#textOf(path, above, texts);
        if (text === undefined) continue;
        const shown = above.shown(path);
        const folder = visibleLine(above.shown(above.prefix.slice(0, -1)), 200);
        rules.push({
          path: shown,
          kind: isOfMode(path, slug) ? "mode" : "above",
          distance: above.distance,
          text: `From ${shown}, for all that is in ${folder}, where the rules of folders below come before it:\n${text}`,
        });
      }
    }
    return rules;
  }

  #workspace(): Base {
    return {
      files: this.files,
      hidden: new IgnoredFiles(this.files).once(),
      prefix: "",
      distance: 0,
      shown: (path) => path,
      isOurs: () => true,
    };
  }

  /** Returns the folders above the workspace up to its repository's, the nearest first. */
  async #basesAbove(hidden: IgnoreSource): Promise<Base[]> {
    const { home } = this.places;
    if (home === undefined) return [];
    const find = () => repositoryAbove(this.files, hidden, home);
    const found = await this.#unlessBroken("..", find);
    if (found === undefined || !(await this.#isKnown(found))) return [];
    const { root, folders, ...rest } = found;
    const shown = (path: string) =>
      path === "" ? root : isAbsolute(path) ? path : `${root}/${path}`;
    return folders.map((folder, at) => ({
      ...rest,
      prefix: folder === "" ? "" : `${folder}/`,
      distance: at + 1,
      shown,
    }));
  }

  /** Returns whether it is known what a repository hides. If not, the user is told: the workspace can be used all the same. */
  async #isKnown({ root, hidden }: RepositoryAbove): Promise<boolean> {
    try {
      await hidden.read();
      return true;
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      const text = words(
        "The rules above the workspace are not used, because {file}, which lists the ignored files, cannot be read. Repair the file or remove it.",
        { file: visibleLine(`${root}/${error.path}`, 200) },
      );
      this.#tellOnce("hidden", root, text);
      return false;
    }
  }

  /**
   * Returns the paths of the rules that hold in a whole folder, in this order: `AGENTS.md`, or the file that takes its
   * place, `AGENT.md`, `AGENTS.local.md`, `.roo/rules/`, `.roo/rules-<slug>/`, those of the mode's counterpart,
   * `.rooroo/rules/`, the same of `.kilocode`, `.clinerules` (a file or a folder), `.cline/rules/`, the files of other
   * agents, and the rules of {@link conditional}; the files of a rules folder by path. Where a folder is empty, the older
   * single file, such as `.roorules` or `.roorules-<slug>`, is named instead. There need not be such files.
   */
  async #rulesOf(base: Base, slug: string): Promise<string[]> {
    const { prefix } = base;
    const of = (name: string) => `${prefix}${name}`;
    return [
      ...[override, "AGENTS.md", "AGENT.md", "AGENTS.local.md"].map(of),
      ...(await this.#modeRules(of(".roo/rules"), of(".roorules"), slug, base)),
      ...(await this.#below(of(".rooroo/rules"), base)),
      ...(await this.#modeRules(of(".kilocode/rules"), of(".kilocoderules"), slug, base)),
      ...(await this.#fileOrBelow(of(".clinerules"), base)).filter(
        (path) => !notRules.test(path.slice(prefix.length)),
      ),
      ...(await this.#below(of(".cline/rules"), base)),
      ...others.map(of),
      ...(await this.#conditional(base)),
    ];
  }

  /**
   * Returns the text of a file with rules, as it is quoted; `undefined` if there is none to quote. What is wrong with the
   * file is told to the user.
   *
   * @param texts what was read before
   * @param places absolute paths of folders outside the workspace that count as it does
   */
  async #textOf(
    path: string,
    { files, hidden, prefix, shown, isOurs }: Base,
    texts: RuleTexts,
    places: readonly string[] = [],
  ): Promise<string | undefined> {
    const named = visibleLine(shown(path), 200);
    const refused = (why: Words) => {
      const text = words("The rules file {path} is not used: it {why}.", { path: named, why });
      this.#tellOnce("refused", shown(path), text);
    };
    const file = await this.#unlessBroken(shown(path), async () => {
      const stat = await files.stat(path);
      return stat === undefined || isOurs(stat)
        ? readNamedFile(path, files, maxFileSize, hidden, places)
        : ({ type: "refused", why: words("belongs to another user of this machine") } as const);
    });
    if (file === undefined || file.type === "missing") return undefined;
    if (file.type === "refused") {
      refused(file.why);
      return undefined;
    }
    const unreadable = unreadableIn(shown(path), file.text);
    if (unreadable !== undefined) this.#tellOnce("unreadable", shown(path), unreadable.problem);
    if (unreadable?.isUsed === false) return undefined;
    const isCut = file.size > maxFileSize;
    if (isCut) {
      const text = words(
        "The rules file {path} is too long: it has {size}, of which {used} are used.",
        { path: named, size: formatSize(file.size), used: formatSize(maxFileSize) },
      );
      this.#tellOnce("cut", shown(path), text);
    }
    const text = alwaysApplied(path.slice(prefix.length), file.text).trim();
    if (!texts.add(shown(path), text)) return undefined;
    return isCut ? `${text}\n(The rest of this file is left out.)` : text;
  }

  /**
   * Tells the user of a file that replaces a mode's whole prompt in Roo Code or Kilo Code. It is not used: it takes the
   * place of what keeps an agent within its rights, and names tools that experts do not have. Source:
   * https://docs.roocode.com/advanced-usage/footgun-prompting.
   */
  async #tellOverrides(slug: string): Promise<void> {
    for (const folder of [".roo", ".kilocode"]) {
      for (const ending of endingsFor(slug).slice(1)) {
        const path = `${folder}/system-prompt${ending}`;
        const stat = await this.#unlessBroken(path, () => this.files.stat(path));
        if (stat?.kind !== "file" || stat.size === 0) continue;
        const text = words(
          "The file {path} is not used: it replaces a mode's whole prompt in other tools, and tells of tools that are not here. Put what is to hold here into {rules}.",
          { path, rules: `${folder}/rules${ending}/` },
        );
        this.#tellOnce("override", path, text);
      }
    }
  }

  /** Returns the paths of the rules for all modes, for one, and for its counterpart. */
  async #modeRules(folder: string, older: string, slug: string, base: Base): Promise<string[]> {
    const found: string[] = [];
    for (const ending of endingsFor(slug)) {
      found.push(...(await this.#rules(`${folder}${ending}`, `${older}${ending}`, base)));
    }
    return found;
  }

  /** Returns the user's own folders with rules for a mode, and the paths of the files in them. */
  async #ownRules(slug: string, base: Base): Promise<{ folders: string[]; paths: string[] }> {
    const folders = this.places.rules.flatMap((place) =>
      endingsFor(slug).map((ending) => `${place}${ending}`),
    );
    const found: string[] = [];
    for (const folder of folders) found.push(...(await this.#below(folder, base, folders)));
    // Cline keeps its hooks among its rules.
    return { folders, paths: found.filter((path) => !path.includes("/Rules/Hooks/")) };
  }

  /** Returns the paths of the rules that may apply always. */
  async #conditional(base: Base): Promise<string[]> {
    const found: string[] = [];
    for (const { folder, ending } of conditional) {
      const paths = await this.#below(`${base.prefix}${folder}`, base);
      found.push(...paths.filter((path) => path.endsWith(ending)));
    }
    return found;
  }

  async #rules(folder: string, older: string, base: Base): Promise<string[]> {
    const found = await this.#below(folder, base);
    return found.length > 0 ? found : [older];
  }

  async #fileOrBelow(path: string, base: Base): Promise<string[]> {
    const stat = await this.#unlessBroken(base.shown(path), () => base.files.stat(path));
    return stat?.kind === "folder" ? this.#below(path, base) : [path];
  }

  /** Returns the paths of the {@link ofFolders} of folders, those that lie less deep first. */
  async #ofFolders(isHidden: (path: string) => string | undefined): Promise<string[]> {
    const found: string[] = [];
    let folders = [""];
    let looked = 0;
    for (let depth = 0; depth <= maxDepth && folders.length > 0; depth++) {
      const next: string[] = [];
      for (const folder of folders) {
        if (++looked > maxFolders) return found;
        const list = () => this.files.readDirectory(folder);
        const names = new Set<string>();
        for (const { name, kind } of (await this.#unlessBroken(folder, list)) ?? []) {
          const path = folder === "" ? name : `${folder}/${name}`;
          if (isHidden(path) !== undefined) continue;
          if (kind !== "folder") {
            names.add(name);
          } else if (!name.startsWith(".") && !notOurs.has(name)) next.push(path);
        }
        if (folder === "") continue;
        found.push(
          ...ofFolders.filter((name) => names.has(name)).map((name) => `${folder}/${name}`),
        );
      }
      folders = next;
    }
    return found;
  }

  /**
   * Returns the paths of all files below a folder; each folder is visited once, wherever links lead.
   *
   * @param own absolute paths of folders outside the workspace that count as it does
   */
  async #below(folder: string, base: Base, own: readonly string[] = []): Promise<string[]> {
    const { files, shown } = base;
    const found: string[] = [];
    const visited = new Set<string>();
    let looked = 0;
    const look = (at: string) => this.#unlessBroken(shown(at), () => lookInto(at));
    const lookInto = async (at: string): Promise<void> => {
      const { path: real, inside } = await files.locate(at);
      if (visited.has(real)) return;
      visited.add(real);
      const isOwn = own.includes(at) || (await belowPlaces(real, own, files)) !== undefined;
      if (!inside && !isOwn) {
        const text = words("The rules in {path} are not used: it leads to {target}.", {
          path: visibleLine(shown(at), 200),
          target: real,
        });
        this.#tellOnce("outside", shown(at), text);
        return;
      }
      for (const { name, kind } of await files.readDirectory(at)) {
        if (++looked > maxEntries) {
          this.#tellOnce(
            "tooMany",
            shown(folder),
            words("{folder} has more than {most} files. The rest is not used.", {
              folder: shown(folder),
              most: maxEntries,
            }),
          );
          return;
        }
        const path = `${at}/${name}`;
        if (kind === "folder") await look(path);
        else if (!isNoRule(name)) found.push(path);
      }
    };
    await look(folder);
    return found;
  }

  /**
   * Skips a file or folder that the system cannot read, such as a link to itself, and tells the user.
   */
  async #unlessBroken<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      // If the files that are hidden from experts are unknown, nothing may be read.
      if (!(error instanceof FileError) || error.code === "EHIDDEN") throw error;
      const text = words("The rules in {path} are not used: {problem}", {
        path: visibleLine(path, 200),
        problem: error,
      });
      this.#tellOnce(error.code, path, text);
      return undefined;
    }
  }

  /** Tells the user of the first problems, each once, and how many more there are. */
  #tellFirst(problems: readonly Words[], moreOf: (count: number) => Words): void {
    for (const problem of problems.slice(0, mostProblems)) {
      this.#tellOnce("unusable", spoken(problem), problem);
    }
    const more = problems.length - mostProblems;
    if (more > 0) this.#tellOnce("more", moreOf(0).template, moreOf(more));
  }

  /** Tells the user of a problem, unless it was told before that this path has a problem of this kind. */
  #tellOnce(kind: string, path: string, problem: Words): void {
    const key = JSON.stringify([kind, path]);
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.tell(problem);
  }
}

/**
 * Returns what cannot be used of the rules, skills and commands of the built-in modes and others: sentences for the user.
 *
 * @param own the other modes
 */
export async function instructionProblems(
  files: FileSystem,
  places: UserPlaces,
  own: readonly { readonly slug: string }[] = [],
): Promise<readonly Words[]> {
  const problems: Words[] = [];
  const instructions = new Instructions(files, (problem) => problems.push(problem), places);
  const slugs = [...builtInModes.keys(), ...own.map(({ slug }) => slug)];
  try {
    for (const slug of slugs) await instructions.read({ slug, tools: ["read_file"] });
  } catch (error) {
    // Nobody knows which files are hidden from experts, so no task can begin.
    if (!(error instanceof FileError)) throw error;
    problems.push(visibleWords(error, 300));
  }
  return problems;
}

/** Returns what the names of folders with rules for a mode end with: nothing for all modes, its slug, its counterpart. */
function endingsFor(slug: string): string[] {
  const counterpart = counterparts[slug];
  return ["", `-${slug}`, ...(counterpart === undefined ? [] : [`-${counterpart}`])];
}

/** Returns whether a path is in a folder of rules for one mode, or is the older file of such rules. */
function isOfMode(path: string, slug: string): boolean {
  return endingsFor(slug)
    .slice(1)
    .some((ending) => path.includes(`rules${ending}/`) || path.endsWith(`rules${ending}`));
}

/** What was read of rules, so that the same text is quoted once. */
class RuleTexts {
  readonly #seen = new Set<string>();
  /** Folders whose `AGENTS.md` something else takes the place of, and what it says, behind its folder. */
  readonly #replaced = new Set<string>();

  /**
   * Returns whether a text is to be quoted, and remembers it.
   *
   * @param path of the file, distinct among all
   */
  add(path: string, text: string): boolean {
    // Some files only lead to another one, or are a link to it.
    if (text === "" || /^@(?:\.{1,2}\/)*AGENTS\.md$/.test(text)) return false;
    const name = lastPart(path);
    const folder = folderOf(path).replace(/(?:^|\/)\.claude$/, "");
    const same = text.replaceAll("\r\n", "\n");
    if (name === override) this.#replaced.add(folder);
    const isReplaced = /^AGENTS?\.md$/.test(name) && this.#replaced.has(folder);
    if (isReplaced) this.#replaced.add(`${folder}\n${same}`);
    if (this.#seen.has(same) || this.#replaced.has(`${folder}\n${same}`)) return false;
    this.#seen.add(same);
    return true;
  }
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[a-z]:[\\/])/i.test(path);
}

/** Folders of what others wrote. */
const notOurs = new Set(["node_modules", "vendor", "third_party"]);

/** Returns whether a file in a rules folder is a backup, or what an editor or a system leaves there. */
function isNoRule(name: string): boolean {
  return (
    /^(?:\.|#|thumbs\.db$|desktop\.ini$)/i.test(name) ||
    /(?:~|\.(?:bak|backup|old|orig|rej|tmp|temp|sw[a-p]|part|partial|log|lock|cache|pyc))$/i.test(
      name,
    )
  );
}

/**
 * Returns the text of a file with rules; of one whose front matter says when it applies, what comes after it, or nothing
 * unless it always applies. The front matter is looked at line by line, because Cursor writes globs in it that YAML does
 * not allow.
 */
function alwaysApplied(path: string, text: string): string {
  const rule = conditional.find(({ folder }) => path.startsWith(`${folder}/`));
  if (rule === undefined) return text;
  const { front, body } = splitFrontMatter(text);
  return rule.always.test(front) ? body : "";
}

/** Returns what cannot be read of a file's text, and whether the rest is used; `undefined` if all of it can be read. */
function unreadableIn(path: string, text: string): { problem: Words; isUsed: boolean } | undefined {
  // At the end, a character may have been cut.
  const at = text.slice(0, -1).search(/[\0\uFFFD]/);
  if (at < 0) return undefined;
  const values = { path: visibleLine(path, 200), line: text.slice(0, at).split("\n").length };
  return text.includes("\0")
    ? {
        problem: words(
          "The rules file {path} is not used: line {line} has characters that are in no text. Save it as UTF-8.",
          values,
        ),
        isUsed: false,
      }
    : {
        problem: words(
          "The rules file {path} is not in UTF-8: line {line} has characters that cannot be read. Save it as UTF-8.",
          values,
        ),
        isUsed: true,
      };
}

function kindByFolder(path: string): "root" | "folder" {
  return scopeOf(path) === "" ? "root" : "folder";
}

/** Returns what a folder's own file of {@link ofFolders} is about, in words behind its path. */
function scopeOf(path: string): string {
  const folder = /^([^./].*)\/(?:AGENTS|AGENTS\.override|CLAUDE|CLAUDE\.local)\.md$/.exec(
    path,
  )?.[1];
  return folder === undefined
    ? ""
    : `, for what is in ${visibleLine(folder, 200)}, where it comes before the rules of folders above`;
}
