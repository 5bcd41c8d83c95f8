import type { ChildProcess } from "node:child_process";
import { once } from "../../core/once.js";
import { shellWord } from "../../core/text/shellWord.js";
import { markerVariable, newCommandMarker } from "../processes/commandMarker.js";
import { ProcessTree } from "../processes/processTree.js";
import type { Sandbox, SandboxedRequest } from "./sandbox.js";

/** Milliseconds that it has to end by itself. */
const graceMs = 1_000;

/** A command in the sandbox that runs until it is ended. */
export interface LongCommand {
  readonly child: ChildProcess;
  /** Ends it with all that it has started. What it has written is thrown away. */
  readonly end: () => Promise<void>;
}

interface LongRequest extends Pick<SandboxedRequest, "profile" | "shell" | "folder" | "env"> {
  /** The program and its arguments. */
  readonly words: readonly string[];
  /** The variables that it sees beside `env`, secrets or not. Their names are identifiers of a shell. */
  readonly given: Readonly<Record<string, string>>;
}

/** Starts a program that talks over its standard streams until it is ended. Throws what `Sandbox.start` throws. */
export async function startLongCommand(
  sandbox: Sandbox,
  { words, given, ...request }: LongRequest,
): Promise<LongCommand> {
  const marker = newCommandMarker();
  const { variables, setting } = carried(given);
  const command = await sandbox.start({
    ...request,
    command: `${setting}exec ${words.map((word) => shellWord(word, false)).join(" ")}`,
    env: { ...request.env, ...variables, [markerVariable]: marker },
    marker,
    hasInput: true,
    separateStreams: true,
    drainTimeoutMs: 0,
  });
  const tree = new ProcessTree(command.child, marker, command.isAround);
  const end = once(async () => {
    await tree.end(graceMs);
    await command.discard();
  });
  command.watch(() => void end());
  return { child: command.child, end };
}

/**
 * Returns variables under names without a meaning, and the part of a command line that gives them their own names. The
 * environment of a command is also that of the programs which set its sandbox up, and variables such as `LD_PRELOAD` or
 * `PATH` make these run other code, outside.
 */
function carried(given: Readonly<Record<string, string>>): {
  readonly variables: Readonly<Record<string, string>>;
  readonly setting: string;
} {
  const pairs = Object.entries(given).map(([name, value], index) => {
    return [`ROOROO_GIVEN_${index}`, `${name}=${value}`] as const;
  });
  const names = pairs.map(([name]) => name);
  const setting = `export ${names.map((name) => `"$${name}"`).join(" ")}; unset ${names.join(" ")}; `;
  return { variables: Object.fromEntries(pairs), setting: pairs.length === 0 ? "" : setting };
}
