import type { BoundFile, CommandReview, CommandVerdict } from "../agent/commandFacts.js";
import { protection } from "../approvals/protectedFiles.js";
import { boundFiles } from "./boundFiles.js";
import { type CommandLine, readCommandLine } from "./commandLine.js";
import { askRules } from "./commandRules.js";
import type { CommandWorld } from "./commandWorld.js";
import { followPath } from "./followPath.js";
import { joinPath } from "./joinPath.js";
import { hasUnseen } from "./plainLine.js";
import { judgeCommand } from "./judgeCommand.js";
import { resolveWrites } from "./resolveWrites.js";
import type { SimpleCommand } from "./simpleCommand.js";
import { unwrap } from "./wrappers.js";
import { writeTargets } from "./writeTargets.js";

const deepestNesting = 4;
const mostCommands = 200;
const mostLookedAt = 50;

/**
 * Finds out what a command line would do, without running anything.
 *
 * @param folder the folder that it runs in; canonical
 */
export async function reviewCommand(
  line: string,
  folder: string,
  world: CommandWorld,
): Promise<CommandReview> {
  const read = await readLine(line, folder, world);
  if (read === undefined || read.commands.length === 0) {
    return { facts: { commands: [], writes: [], unclear: notUnderstood }, boundTo: [] };
  }
  const verdicts: CommandVerdict[] = [];
  const writes = new Set<string>();
  const boundTo = new Map<string, BoundFile>();
  let unclear = hasUnseen(line) ? "The line has characters that cannot be seen." : undefined;

  const look = async (
    command: SimpleCommand,
    beyond: string | undefined,
    depth: number,
  ): Promise<void> => {
    if (verdicts.length >= mostCommands || depth > deepestNesting) {
      unclear ??= "There is more in it than can be looked through.";
      return;
    }
    const { words, folders } = command;
    const { verdict, why } = await judgeCommand(command, beyond, world);
    verdicts.push({ words: words.map(({ text }) => text), verdict, why });
    if (askRules(words, world.rules)?.type === "unsure") {
      unclear ??= "Whether your settings deny it shows only when it runs.";
    }
    for (const { operator, target } of command.redirects) {
      if (!operator.includes(">") || (operator === ">&" && /^(\d|-)+$/.test(target.text))) continue;
      await note({ files: [target] }, folders);
    }
    if (words[0]?.kind !== "literal") return;
    await note(writeTargets(words), folders);
    for (const file of await boundFiles(words, folders ?? [], world.files)) {
      boundTo.set(file.path, file);
    }
    unclear ??= (await leaves(command, world)) ?? (await namesHidden(command, world));
    const { commands, scripts, transparent, opaque } = unwrap(words);
    if (opaque && world.rules.deny.length > 0) {
      unclear ??= "Whether your settings deny what it runs shows only when it runs.";
    }
    const wrapped = "another command that runs it";
    for (const inner of commands) {
      const own = { words: inner, assigns: false, redirects: [], folders };
      if (inner.length > 0) await look(own, transparent ? beyond : wrapped, depth + 1);
    }
    for (const script of scripts) {
      const inner = folders?.length === 1 ? folders[0] : undefined;
      const parsed = await readLine(script, inner ?? "", world);
      if (parsed === undefined) unclear ??= notUnderstood;
      for (const one of parsed?.commands ?? []) {
        await look(inner === undefined ? { ...one, folders: undefined } : one, wrapped, depth + 1);
      }
    }
  };
  const note = async (
    targets: Parameters<typeof resolveWrites>[0],
    folders: SimpleCommand["folders"],
  ): Promise<void> => {
    const { paths, unnamed } = await resolveWrites(targets, folders, world.files);
    for (const path of paths) {
      const isNew = writes.size < mostLookedAt && !writes.has(path);
      if (isNew && protection(path) === undefined) unclear ??= await world.steers(path);
      writes.add(path);
    }
    if (unnamed !== undefined) unclear ??= unnamed;
  };

  for (const command of read.commands) await look(command, read.beyond, 0);
  return {
    facts: {
      commands: verdicts,
      writes: [...writes],
      ...(unclear === undefined ? {} : { unclear }),
    },
    boundTo: [...boundTo.values()],
  };
}

const notUnderstood = "It is not understood whole, so nobody can say what it would do.";

async function readLine(
  line: string,
  folder: string,
  { parser }: CommandWorld,
): Promise<CommandLine | undefined> {
  const tree = await parser.parse(line);
  return tree === undefined ? undefined : readCommandLine(line, tree, folder);
}

/** Whoever leaves the workspace does what follows outside of it. */
async function leaves(
  { words, folders }: SimpleCommand,
  { files }: CommandWorld,
): Promise<string | undefined> {
  const [name, target] = words;
  if (name?.text !== "cd" && name?.text !== "pushd") return undefined;
  if (target === undefined || target.text.startsWith("~")) return "It leaves the workspace.";
  if (target.kind !== "literal") return undefined;
  for (const folder of folders ?? [""]) {
    if (!(await files.locate(joinPath(folder, target.text))).inside)
      return "It leaves the workspace.";
  }
  return undefined;
}

/** What a person hides from experts is not for programs either that experts run. */
async function namesHidden(
  { words, folders }: SimpleCommand,
  { files, isHidden }: CommandWorld,
): Promise<string | undefined> {
  for (const { text } of words.slice(1, mostLookedAt)) {
    for (const folder of folders ?? [""]) {
      const { path, inside } = await files.locate(
        await followPath(folder, text.replace(/^-[\w-]*=/, ""), files),
      );
      if (inside && isHidden(path)) return `${path} is hidden from experts.`;
    }
  }
  return undefined;
}
