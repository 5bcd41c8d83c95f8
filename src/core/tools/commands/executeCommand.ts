import * as z from "zod";
import type { CommandFacts } from "../../agent/commandFacts.js";
import type { BackgroundCommand } from "../../agent/taskCommands.js";
import type { CommandFields, Printed, Tool, ToolContext, ToolResult } from "../../agent/tool.js";
import { bind } from "../../commands/pinnedFiles.js";
import { messageOf } from "../../errors.js";
import type { ShellRequest, ShellResult } from "../../ports/shell.js";
import { plainOutput } from "../../text/plainOutput.js";
import { translatable } from "../../text/translator.js";
import { visibleLine, visibleText } from "../../text/visibleText.js";
import { visibleWords } from "../../text/visibleWords.js";
import { words } from "../../text/words.js";
import { failed } from "../calls/failed.js";
import { resolvePath, shownPath } from "../calls/resolvePath.js";
import { fileNameOf } from "../calls/spillOutput.js";
import { bareShell, type CommandShell, sandboxedShell } from "./sandboxedShell.js";

const defaultSeconds = 120;
const maxSeconds = 3600;
/** Milliseconds that a background command is watched before its first output is returned. */
const firstLookMs = 3000;

const parameters = z.object({
  command: z.string().trim().min(1),
  cwd: z.string().nullish(),
  timeout_seconds: z
    .number()
    .positive()
    .nullish()
    .describe(`Default ${defaultSeconds}; ended then, with its output so far`),
  background: z.boolean().nullish().describe("For servers: it runs on, see command_output"),
});
/** The parameter by which an expert asks to run a command outside the sandbox. */
export const outsideParameter = z
  .boolean()
  .nullish()
  .describe(
    "Run outside the sandbox, which asks the user: only when the sandbox is what makes it fail",
  );
const inSandbox = parameters.extend({ outside: outsideParameter });
type Arguments = z.infer<typeof inSandbox>;

const titles = {
  run: {
    here: translatable("Run {command}"),
    outside: translatable("Run outside the sandbox: {command}"),
  },
  start: {
    here: translatable("Start {command}"),
    outside: translatable("Start outside the sandbox: {command}"),
  },
} as const;

const bareCommand: Tool<Arguments> = {
  kind: "action",
  name: "execute_command",
  description:
    "Run a shell command in the workspace. It gets no input; background processes end with it.",
  parameters,
  access: "command",
  title: ({ command }) => visibleLine(command),

  async prepare({ command, cwd, timeout_seconds, background, outside }, context) {
    if (command === "") return failed("There is no command. Give one.");
    if (command.includes("\0"))
      return failed("A command cannot contain the character NUL. Write it without.");
    const resolved = await resolvePath(cwd ?? "", context.guard);
    if ("failure" in resolved) return resolved.failure;
    const { location } = resolved;
    const stat = await context.files.stat(location);
    if (stat?.kind !== "folder")
      return failed(`There is no folder ${shownPath(location.path)}. Name one that exists.`);
    const { facts, pinned } = await context.review(command, location.path);
    const seconds = Math.min(timeout_seconds ?? defaultSeconds, maxSeconds);
    const leaves = outside === true && context.sandbox !== undefined;
    return {
      action: {
        access: "command",
        title: words(titles[background === true ? "start" : "run"][leaves ? "outside" : "here"], {
          command: visibleLine(command),
        }),
        command,
        path: location.path,
        inside: location.inside,
        preview: { kind: "command", text: visibleText(command) },
        facts: shownFacts(facts),
        pinned,
        ...(background === true ? { background } : {}),
        ...(leaves ? { outside } : {}),
      },
      editable: {
        kind: "command",
        text: command,
        prepare: (edited) =>
          bareCommand.prepare(
            { command: edited.trim(), cwd, timeout_seconds, background, outside },
            context,
          ),
        note: (edited) => `The user changed the command. What ran instead:\n${edited.trim()}\n`,
      },
      run: async ({ sandbox: terms }) => {
        context.signal.throwIfAborted();
        for (const { path, hash } of pinned) {
          if ((await bind(path, context.files))?.hash === hash) continue;
          return failed(
            `It was not run: ${path}, which decides what it does, was changed while it waited for approval. Look at it, then call again.`,
          );
        }
        const { sandbox } = context;
        if (terms !== undefined && sandbox === undefined) {
          throw new Error("a command was allowed in a sandbox that is not there");
        }
        const own =
          terms === undefined || sandbox === undefined
            ? bareShell(context.shell)
            : await sandboxedShell(context.shell, sandbox, terms, { facts, folder: location.path });
        // Changes in a sandbox layer are recorded when they are put into the workspace.
        const isLayered = terms !== undefined && sandbox?.direct === false;
        const touched = isLayered ? [] : topmost(facts.writes);
        const timeout = background === true ? undefined : seconds;
        const mayWrite = !isLayered && !onlyReads(facts);
        return run({ command, folder: location.path, touched, mayWrite }, timeout, own, context);
      },
    };
  },
};

/**
 * The tool that runs shell commands. Where they are sandboxed, experts can ask to run one outside.
 */
export const executeCommand: Tool<Arguments> = {
  ...bareCommand,
  inSandbox: {
    ...bareCommand,
    description:
      "Run a shell command in the workspace. It gets no input; background processes end with it. Unless the user is asked, it runs in a sandbox, where the network can be closed and protected files stay as they are.",
    parameters: inSandbox,
  },
};

/** Returns whether a command is known to only read, so that it cannot change a file. */
function onlyReads({ commands, writes, runsUnknown }: CommandFacts): boolean {
  return (
    commands.length > 0 &&
    writes.length === 0 &&
    runsUnknown !== true &&
    commands.every(({ verdict }) => verdict === "reads")
  );
}

interface Running {
  readonly command: string;
  /** Canonical path of the folder that it runs in. */
  readonly folder: string;
  /** Canonical paths of the files and folders that it is known to write. */
  readonly touched: readonly string[];
  /** Whether it may write any file of the workspace. */
  readonly mayWrite: boolean;
}

/**
 * Runs a command, and records how it changes the files that it is known to write.
 *
 * @param seconds how long it may run; `undefined`: it runs in the background
 */
async function run(
  { command, folder, touched, mayWrite }: Running,
  seconds: number | undefined,
  own: CommandShell,
  context: ToolContext,
): Promise<ToolResult> {
  const { changes, commands, callId, signal, onOutput } = context;
  for (const path of touched) await changes.before(path);
  const watch = mayWrite ? await changes.watch() : undefined;
  const settle = async () => {
    for (const path of touched) await changes.after(path);
    return (await watch?.settle()) ?? [];
  };
  const outputPath = `${context.taskFolder}/output/${fileNameOf(callId)}.log`;
  const request = { command, cwd: folder, onOutput, outputPath };
  if (seconds === undefined) return runOn(request, own, context, settle);
  const timed = { ...request, timeoutMs: seconds * 1000 };
  let result: ShellResult;
  try {
    result = await commands.run(callId, own.shell, timed, signal);
  } catch (error) {
    await settle();
    throw error;
  }
  const others = [...own.words(result), ...(await settle())];
  return resultOf(result, seconds, { outputPath, others, fields: context.commandFields });
}

/**
 * Starts a background command. Resolves when it has had time to fail at once or to print where it
 * listens.
 */
async function runOn(
  request: Omit<ShellRequest, "timeoutMs"> & { readonly outputPath: string },
  own: CommandShell,
  context: ToolContext,
  settle: () => Promise<readonly string[]>,
): Promise<ToolResult> {
  const { commands, callId, clock, signal, onEvent } = context;
  onEvent({ type: "commandRunsOn", callId });
  const unlimited = { ...request, timeoutMs: Infinity };
  const command = commands.start(callId, own.shell, unlimited, async (end) => {
    // The only loss is that what is not recorded cannot be undone.
    const unrecorded = await settle().catch((error: unknown) => [
      `What it changed could not be recorded: ${messageOf(error)}`,
    ]);
    const { ok, content } =
      end instanceof Error
        ? failed(end.message)
        : resultOf(end, Infinity, {
            outputPath: request.outputPath,
            others: [...own.words(end), ...unrecorded],
          });
    const durationMs = end instanceof Error ? 0 : end.durationMs;
    onEvent({ type: "commandEnded", callId, ok, output: content, durationMs });
  });
  await command.wait(firstLookMs, { clock, signal, forOutput: false });
  return newOutputOf(command);
}

/** Returns the state of a background command, and its output since the last call. */
export function newOutputOf(command: BackgroundCommand): ToolResult {
  const { id, result, outputPath } = command;
  const taken = command.take();
  const output = plainOutput(taken.output).trimEnd();
  const lines = [result === undefined ? `${id} runs on.` : `${id}: ${endOf(result, Infinity)}`];
  if (taken.omitted > 0) {
    lines.push(`(${taken.omitted} characters are left out; all of it is in ${outputPath}.)`);
  }
  if (output === "") lines.push("It printed nothing new.");
  else lines.push("New output:", output);
  const ok = result === undefined || (result.endedBy === "itself" && result.exitCode === 0);
  return { ok, worked: true, content: lines.join("\n") };
}

/** Returns the paths without those that are below another one. */
function topmost(paths: readonly string[]): string[] {
  const all = new Set(paths);
  const isBelow = (path: string) =>
    all.has("") ||
    path
      .split("/")
      .some((_, index, parts) => index > 0 && all.has(parts.slice(0, index).join("/")));
  return [...all].filter((path) => path === "" || !isBelow(path));
}

/** Returns the facts with all invisible characters in their words made visible for the user. */
function shownFacts(facts: CommandFacts): CommandFacts {
  const commands = facts.commands.map(({ words, verdict, why }) => ({
    words: words.map((word) => visibleLine(word, 1000)),
    verdict,
    why: visibleWords(why, 300),
  }));
  return { ...facts, commands };
}

const ownFields: CommandFields = { timeout: "timeout_seconds", background: "background: true" };

function leftWords({ background }: CommandFields): string {
  const ended = "Processes that it left running were ended with it.";
  if (background === undefined) return ended;
  return `${ended} To keep one until your work ends, start it by a call of its own with ${background}, without & or nohup.`;
}

interface RunWords {
  readonly outputPath: string;
  /** Further lines about the run. */
  readonly others: readonly string[];
  readonly fields?: CommandFields | undefined;
}

function resultOf(
  result: ShellResult,
  seconds: number,
  { outputPath, others, fields = ownFields }: RunWords,
): ToolResult {
  const output = plainOutput(result.output).trimEnd();
  const lines = [endOf(result, seconds, fields)];
  if (output === "") lines.push("It printed nothing.");
  else lines.push("Output:", output);
  if (result.omitted > 0) {
    lines.push(`(${result.omitted} characters are left out; all of it is in ${outputPath}.)`);
  }
  const left = result.leftRunning === true ? [leftWords(fields)] : [];
  const words = [...left, ...others];
  lines.push(...words);
  const worked = result.endedBy === "itself";
  const ok = worked && result.exitCode === 0;
  const { streams } = result;
  return {
    ok,
    worked,
    content: lines.join("\n"),
    ...(others.length > 0 && { notes: others }),
    ...(streams && { printed: printedBy({ ...result, streams }, ok, lines[0] ?? "", words) }),
  };
}

/** Returns what a command printed. The streams are told apart only where it failed (R-ENV-15). */
function printedBy(
  result: ShellResult & Required<Pick<ShellResult, "streams">>,
  ok: boolean,
  end: string,
  words: readonly string[],
): Printed {
  const { output, streams, exitCode, omitted, endedBy } = result;
  const killed = endedBy !== "itself" || exitCode === null;
  const errors = ok ? "" : plainOutput(streams.stderr).trimEnd();
  const note = [...(killed ? [end] : []), ...words].join("\n");
  return {
    stdout: plainOutput(ok ? output : streams.stdout).trimEnd(),
    stderr: errors,
    ...(note === "" ? {} : { note }),
    exitCode: exitCode ?? 1,
    truncated: omitted > 0,
    killed,
  };
}

function endOf(result: ShellResult, seconds: number, { timeout } = ownFields): string {
  const { endedBy, exitCode, signal, durationMs, limit } = result;
  const took = `after ${(durationMs / 1000).toFixed(1)} s`;
  switch (endedBy) {
    case "timeout":
      return `Ended because it took longer than ${seconds} s. Set ${timeout} if it needs more.`;
    case "stop":
      return `Stopped ${took}, before it had ended.`;
    case "limit":
      return `Ended ${took}, because it used too much: ${limit ?? "a limit was reached"}.`;
    case "itself":
      return exitCode === null
        ? `Ended by the signal ${signal ?? "?"} ${took}.`
        : `Exit code ${exitCode} ${took}.`;
  }
}
