import { protection } from "../access/protectedFiles.js";
import type {
  PinnedFile,
  CommandPart,
  CommandReview,
  CommandVerdict,
} from "../agent/commandFacts.js";
import { type Words, words } from "../text/words.js";
import { hidesCommands, ruleProblem } from "./commandRules.js";
import { type CommandServices, judgeCommand } from "./judgeCommand.js";
import { type CommandLine, readCommandLine, type SimpleCommand } from "./line/commandLine.js";
import { hasUnseen } from "./line/plainLine.js";
import { unwrap } from "./line/wrappers.js";
import { followPath, isTooLong } from "./paths/followPath.js";
import { lookingOnce } from "./paths/reviewedFiles.js";
import { boundFiles, readsInput, setsControlVariable } from "./pinnedFiles.js";
import { systemProblem } from "./systemPrograms.js";
import { resolveWrites, throughNewLinks, type Writes } from "./writing/resolveWrites.js";
import type { WriteTargets } from "./writing/writes.js";
import { writeTargets } from "./writing/writeTargets.js";

const deepestNesting = 4;
const mostCommands = 200;
const mostLookedAt = 50;

/**
 * Finds out what a command line would do, without running anything.
 *
 * @param folder the canonical folder that the line runs in
 */
export async function reviewCommand(
  line: string,
  folder: string,
  given: CommandServices,
): Promise<CommandReview> {
  const services = { ...given, files: lookingOnce(given.files) };
  const read = await readLine(line, folder, services);
  if (read === undefined || read.commands.length === 0) {
    const facts = { commands: [], writes: [], unclear: notUnderstood, runsUnknown: true };
    return { facts, pinned: [] };
  }
  const review = new LineReview(services);
  if (hasUnseen(line)) review.doubt(words("The line has characters that cannot be seen."));
  review.doubt(hidesCommands(line, services.rules));
  const parts: CommandPart[] = [];
  for (const command of read.commands) {
    const part = await review.part(command, read.beyond);
    if (part !== undefined) parts.push(part);
  }
  return review.finish(read, parts);
}

/** Collects facts about a line while its commands are reviewed, one after the other. */
class LineReview {
  private readonly verdicts: CommandVerdict[] = [];
  private readonly writes: Writes[] = [];
  private readonly paths = new Set<string>();
  private readonly pinned = new Map<string, PinnedFile>();
  private runsUnknown = false;
  private unclear: Words | undefined;

  constructor(private readonly services: CommandServices) {}

  /** Records why it cannot be told what the line would do; the first reason is kept. */
  doubt(reason: Words | undefined): void {
    this.unclear ??= reason;
  }

  /**
   * Looks at a command of the line and at all that it runs. Resolves with the part of the review that is
   * about it; `undefined` if there is none.
   */
  async part(command: SimpleCommand, beyond: Words | undefined): Promise<CommandPart | undefined> {
    const at = this.verdicts.length;
    try {
      await this.look(command, beyond, 0);
      return partOf(command, this.verdicts[at]);
    } catch (error) {
      if (!isTooLong(error)) throw error;
      this.doubt({ template: error.template, params: error.params });
      return undefined;
    }
  }

  async finish(read: CommandLine, parts: readonly CommandPart[]): Promise<CommandReview> {
    const { verdicts, writes, paths, pinned, runsUnknown, services } = this;
    if (this.unclear === undefined) this.doubt(await throughNewLinks(writes, services.files));
    const { unclear } = this;
    const isPlain = read.beyond === undefined && unclear === undefined && paths.size === 0;
    const isWhole = isPlain && parts.length === read.commands.length && !runsUnknown;
    return {
      facts: {
        commands: verdicts,
        writes: [...paths],
        ...(unclear === undefined ? {} : { unclear }),
        ...(runsUnknown ? { runsUnknown } : {}),
        ...(isWhole ? { parts } : {}),
      },
      pinned: [...pinned.values()],
    };
  }

  private async look(command: SimpleCommand, beyond: Words | undefined, depth: number) {
    if (this.verdicts.length >= mostCommands || depth > deepestNesting) {
      this.doubt(words("There is more in it than can be looked through."));
      return;
    }
    const { words: typed, folders } = command;
    const { verdict, why } = await judgeCommand(command, beyond, this.services);
    this.verdicts.push({ words: typed.map(({ text }) => text), verdict, why });
    this.doubt(ruleProblem(typed, this.services.rules));
    for (const { operator, target } of command.redirects) {
      if (!operator.includes(">") || (operator === ">&" && /^(\d|-)+$/.test(target.text))) continue;
      await this.note({ files: [target] }, folders);
    }
    const [name] = typed;
    if (name === undefined) {
      if (command.assignments.some(({ text }) => setsControlVariable(text)))
        this.runsUnknown = true;
      return;
    }
    // The brackets of a test are one word where the line has more than plain commands.
    if (/^\[\[?\s/.test(name.text)) return;
    if (name.kind !== "literal") {
      this.doubt(
        words("Which program {word} stands for shows only when it runs.", { word: name.text }),
      );
      this.runsUnknown = true;
      return;
    }
    this.doubt(systemProblem(typed));
    await this.note(writeTargets(typed), folders);
    const bound = await boundFiles(command, this.services.files);
    if (bound.runsUnknown) this.runsUnknown = true;
    for (const file of bound.files) this.pinned.set(file.path, file);
    if (this.unclear === undefined) {
      this.doubt(
        (await leaves(command, this.services)) ?? (await namesHidden(command, this.services)),
      );
    }
    await this.lookInside(command, beyond, depth);
  }

  /** Looks at the commands and scripts that a command runs. */
  private async lookInside(command: SimpleCommand, beyond: Words | undefined, depth: number) {
    const { words: typed, folders } = command;
    const { commands, scripts, transparent, opaque } = unwrap(typed);
    if (opaque) {
      const program = typed[0]?.text ?? "";
      this.doubt(words("What {program} runs shows only when it runs.", { program }));
      if (!readsInput(command)) this.runsUnknown = true;
    }
    const wrapped = words("another command that runs it");
    for (const inner of commands) {
      const own = { words: inner, assigns: false, assignments: [], redirects: [], folders };
      if (inner.length > 0) await this.look(own, transparent ? beyond : wrapped, depth + 1);
    }
    for (const script of scripts) {
      const inner = folders?.length === 1 ? folders[0] : undefined;
      const parsed = await readLine(script, inner ?? "", this.services);
      if (parsed === undefined) this.doubt(notUnderstood);
      for (const one of parsed?.commands ?? []) {
        const own = inner === undefined ? { ...one, folders: undefined } : one;
        await this.look(own, wrapped, depth + 1);
      }
    }
  }

  /** Records what a command writes. */
  private async note(targets: WriteTargets, folders: SimpleCommand["folders"]): Promise<void> {
    const found = await resolveWrites(targets, folders, this.services.files);
    this.writes.push(found);
    for (const path of found.paths) {
      const isNew = this.paths.size < mostLookedAt && !this.paths.has(path);
      if (isNew && protection(path) === undefined && this.unclear === undefined) {
        this.doubt(await this.services.protection(path));
      }
      this.paths.add(path);
    }
    this.doubt(found.unnamed);
  }
}

/**
 * Returns the part of a review that is about one command; `undefined` if its words are not all
 * known, its output goes into a file, or it sets variables that change what programs run.
 */
function partOf(
  { words, assignments, redirects }: SimpleCommand,
  verdict: CommandVerdict | undefined,
): CommandPart | undefined {
  const isKnown = [...words, ...assignments].every(({ kind }) => kind === "literal");
  const isNowhere = redirects.every(({ operator, target: { kind, text } }) => {
    return (
      kind === "literal" && (text === "/dev/null" || (operator === ">&" && /^[12]$/.test(text)))
    );
  });
  if (!isKnown || !isNowhere || words.length === 0 || verdict === undefined) return undefined;
  if (assignments.some(({ text }) => setsControlVariable(text))) return undefined;
  const { verdict: type } = verdict;
  return {
    assignments: assignments.map(({ text }) => text),
    words: words.map(({ text }) => text),
    isFree: assignments.length === 0 && (type === "reads" || type === "allowed"),
  };
}

const notUnderstood = words("It is not understood whole, so nobody can say what it would do.");

async function readLine(
  line: string,
  folder: string,
  { parser }: CommandServices,
): Promise<CommandLine | undefined> {
  const tree = await parser.parse(line);
  return tree === undefined ? undefined : readCommandLine(line, tree, folder);
}

/**
 * Returns why, if a command leaves the workspace, because what follows would run outside of
 * it.
 */
async function leaves(
  { words: typed, folders }: SimpleCommand,
  { files }: CommandServices,
): Promise<Words | undefined> {
  const [name, target] = typed;
  if (name?.text !== "cd" && name?.text !== "pushd") return undefined;
  if (target === undefined || target.text.startsWith("~")) return words("It leaves the workspace.");
  if (target.kind !== "literal") return undefined;
  for (const folder of folders ?? [""]) {
    if ((await followPath(folder, target.text, files))?.inside === false)
      return words("It leaves the workspace.");
  }
  return undefined;
}

/**
 * Returns why, if a command names a hidden file: what is hidden from experts is not for the
 * programs that they run, either.
 */
async function namesHidden(
  { words: typed, folders }: SimpleCommand,
  { files, isHidden }: CommandServices,
): Promise<Words | undefined> {
  for (const { text } of typed.slice(1, mostLookedAt)) {
    for (const folder of folders ?? [""]) {
      const found = await followPath(folder, text.replace(/^-[\w-]*=/, ""), files);
      if (found?.inside === true && isHidden(found.path))
        return words("{path} is hidden from experts.", { path: found.path });
    }
  }
  return undefined;
}
