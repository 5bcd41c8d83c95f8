import { spawn, type ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { basename, resolve } from "node:path";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as pause } from "node:timers/promises";
import { FileError } from "../../core/errors.js";
import type {
  SandboxAbility,
  SandboxProfile,
  Shell,
  ShellRequest,
  ShellResult,
} from "../../core/ports/shell.js";
import { errorCode } from "../files/fileError.js";
import { markerVariable, newCommandMarker } from "../processes/commandMarker.js";
import { findProgram } from "../processes/findProgram.js";
import { endOrphaned, ProcessTree } from "../processes/processTree.js";
import type { Sandbox, SandboxedCommand, SandboxOptions } from "../sandbox/sandbox.js";
import { commandEnvironment } from "./commandEnvironment.js";
import { OutputKeeper } from "./outputKeeper.js";

const longestTimer = 2 ** 31 - 1;

export interface ProcessShellOptions {
  /** Names of environment variables that commands must not see. */
  readonly secrets?: readonly string[];
  /** Milliseconds between asking a command to end and killing it. Default: 1 s (R-ENV-15). */
  readonly graceMs?: number;
  /**
   * Milliseconds in which the remaining processes of a command may still print after the shell has
   * ended. Default: 0.5 s.
   */
  readonly drainTimeoutMs?: number;
  /** Megabytes of a command's output that are kept; a command that prints more is ended. Default: 64. */
  readonly mostOutputMegabytes?: number;
  /** The options of the sandbox. Absent: no sandboxed command can be run. */
  readonly sandbox?: SandboxOptions;
}

interface Program {
  readonly path: string;
  readonly flags: readonly string[];
  /** The flags for a pipe of its own for each stream. */
  readonly separateStreamFlags: readonly string[];
}

/** A running command, with what is needed to supervise it. */
interface Attended {
  readonly request: ShellRequest;
  readonly signal: AbortSignal;
  readonly marker: string;
  /** The time at which the command was started, by the clock of `performance.now`. */
  readonly started: number;
  /** The sandbox that it runs in, if any. */
  readonly inside?: SandboxedCommand;
}

/** The end of a running command: by itself, or for the first reason that comes up. */
class CommandEnd {
  by: ShellResult["endedBy"] = "itself";
  /** The limit that was passed, if that ended the command. */
  limit: string | undefined;
  private ending: Promise<void> | undefined;

  constructor(
    private readonly tree: ProcessTree,
    private readonly graceMs: number,
  ) {}

  because(reason: Exclude<ShellResult["endedBy"], "itself">, limit?: string): void {
    if (this.ending) return;
    this.by = reason;
    this.limit = limit;
    // A command that uses too much gets no time to use even more.
    this.ending = this.tree.end(reason === "limit" ? 0 : this.graceMs);
  }

  /** Waits for something of the command, and ends the command when that takes too long or the signal aborts. */
  async within<T>(ms: number, signal: AbortSignal, wait: () => Promise<T>): Promise<T> {
    const stop = () => {
      this.because("stop");
    };
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    const timer = setTimeout(
      () => {
        this.because("timeout");
      },
      Math.min(ms, longestTimer),
    );
    try {
      return await wait();
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  /** Resolves when all processes of the command have ended, with whether some had to be ended that it had left. */
  async ofAll(): Promise<boolean> {
    const isLeft = this.ending === undefined && this.tree.isAlive;
    await (this.ending ?? this.tree.end(this.graceMs));
    return isLeft;
  }
}

/** Runs command lines in the system's shell. */
export class ProcessShell implements Shell {
  private found: Program | undefined;
  private sandboxFound: Promise<Sandbox> | undefined;

  /** @param root the workspace folder's absolute path */
  constructor(
    private readonly root: string,
    private readonly options: ProcessShellOptions = {},
  ) {}

  get description(): string {
    return `${basename(this.program.path).replace(/\.exe$/i, "")} on ${process.platform}`;
  }

  async run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult> {
    const started = performance.now();
    if (signal.aborted) {
      const none = { exitCode: null, signal: null, output: "", omitted: 0, durationMs: 0 };
      return { ...none, endedBy: "stop" };
    }
    const marker = newCommandMarker();
    const { sandbox: profile } = request;
    if (profile === undefined) {
      return this.attend(await this.start(request, marker), { request, signal, marker, started });
    }
    const inside = await this.startInside(profile, request, marker);
    try {
      const ended = await this.attend(inside.child, { request, signal, marker, started, inside });
      const { layer, limit, leftRunning } = await inside.finish();
      const durationMs = performance.now() - started;
      const result = {
        ...withSignal(ended),
        durationMs,
        ...(layer === undefined ? {} : { layer }),
        ...(leftRunning === true && ended.endedBy === "itself"
          ? { leftRunning: true as const }
          : {}),
      };
      return limit === undefined || ended.endedBy !== "itself"
        ? result
        : { ...result, endedBy: "limit", limit };
    } catch (error) {
      await inside.discard();
      throw error;
    }
  }

  /**
   * Reads what the command prints and ends it on an abort, a timeout or a passed limit. Resolves when
   * no process of it is left.
   */
  private async attend(child: ChildProcess, attended: Attended): Promise<ShellResult> {
    const { request, signal, marker, started, inside } = attended;
    const { graceMs = 1000, drainTimeoutMs = 500, mostOutputMegabytes = 64 } = this.options;
    const end = new CommandEnd(new ProcessTree(child, marker, inside?.isAround), graceMs);
    // A command may end without having read its input.
    child.stdin?.on("error", () => undefined).end(request.input);
    const keeper = new OutputKeeper({
      root: this.root,
      path: request.outputPath,
      mostMegabytes: mostOutputMegabytes,
      onLimit: (limit) => {
        end.because("limit", limit);
      },
    });
    const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
    const own = streams.map(() =>
      request.separateStreams === true ? new OutputKeeper() : undefined,
    );
    const printed = Promise.all(
      streams.map((stream, index) => read(stream, [keeper, own[index]], request)),
    );
    inside?.watch((limit) => {
      end.because("limit", limit);
    });
    // If its output cannot be read, the command must not go on. The error is thrown below.
    printed.catch(() => {
      end.because("stop");
    });
    const exit = await end.within(request.timeoutMs, signal, () => exitOf(child));

    const settled = printed.catch(() => undefined);
    // Processes that the shell started may outlive it.
    await Promise.race([settled, pause(drainTimeoutMs, undefined, { ref: false })]);
    const isLeft = await end.ofAll();
    await Promise.race([settled, pause(drainTimeoutMs, undefined, { ref: false })]);
    for (const stream of streams) stream.destroy();
    await printed;
    const { output, omitted } = await keeper.finish();
    const [stdout = "", stderr = ""] = await Promise.all(
      own.map(async (one) => (await one?.finish())?.output),
    );
    return {
      ...exit,
      endedBy: end.by,
      output,
      omitted,
      durationMs: performance.now() - started,
      ...(request.separateStreams === true ? { streams: { stdout, stderr } } : {}),
      ...(isLeft && inside?.isAround !== true ? { leftRunning: true as const } : {}),
      ...(end.limit === undefined ? {} : { limit: end.limit }),
    };
  }

  /** The path of the shell that reads the command lines. */
  get path(): string {
    return this.program.path;
  }

  async sandbox(): Promise<SandboxAbility> {
    const sandbox = await this.sandboxHere();
    return sandbox.ability();
  }

  endOrphaned(): Promise<void> {
    endOrphaned();
    return Promise.resolve();
  }

  private environment(request: ShellRequest, marker: string): NodeJS.ProcessEnv {
    const { secrets = [] } = this.options;
    const usual = commandEnvironment(process.env, { secrets, workspace: this.root });
    return { ...usual, ...request.env, [markerVariable]: marker };
  }

  private async startInside(
    profile: SandboxProfile,
    request: ShellRequest,
    marker: string,
  ): Promise<SandboxedCommand> {
    const { path } = this.program;
    const folder = resolve(this.root, request.cwd);
    try {
      const sandbox = await this.sandboxHere();
      if (!existsSync(folder)) throw Object.assign(new Error("no folder"), { code: "ENOENT" });
      return await sandbox.start({
        profile,
        shell: path,
        command: request.command,
        folder,
        env: this.environment(request, marker),
        marker,
        hasInput: request.input !== undefined,
        separateStreams: request.separateStreams === true,
        drainTimeoutMs: this.options.drainTimeoutMs ?? 500,
      });
    } catch (error) {
      throw error instanceof FileError ? error : cannotStart(error, path, folder, request.cwd);
    }
  }

  /** Returns the sandbox, which is loaded when it is first needed. */
  private sandboxHere(): Promise<Sandbox> {
    this.sandboxFound ??= import("../sandbox/systemSandbox.js").then(({ systemSandbox }) =>
      systemSandbox(this.root, this.options.sandbox),
    );
    return this.sandboxFound;
  }

  private get program(): Program {
    this.found ??= findShell(this.root);
    return this.found;
  }

  private async start(request: ShellRequest, marker: string): Promise<ChildProcess> {
    const { command, cwd, separateStreams } = request;
    const { path, flags, separateStreamFlags } = this.program;
    const folder = resolve(this.root, cwd);
    try {
      const child = spawn(
        path,
        [...(separateStreams === true ? separateStreamFlags : flags), command],
        {
          cwd: folder,
          env: this.environment(request, marker),
          stdio: [request.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
          // A process group of its own, so that everything it starts can be ended with it.
          detached: process.platform !== "win32",
          windowsHide: true,
        },
      );
      await new Promise((started, failed) => {
        child.once("spawn", started);
        child.once("error", failed);
      });
      return child;
    } catch (error) {
      throw cannotStart(error, path, folder, cwd);
    }
  }
}

function findShell(root: string): Program {
  if (process.platform === "win32") {
    const path = findProgram(["pwsh", "powershell"], root) ?? "powershell.exe";
    const flags = ["-NoProfile", "-NonInteractive", "-Command"];
    return { path, flags, separateStreamFlags: flags };
  }
  const path = findProgram(["bash", "sh"], root) ?? "/bin/sh";
  // Both streams share one pipe: with two, the order of the output would be lost.
  return { path, flags: ["-c", 'exec "$0" -c "$1" 2>&1', path], separateStreamFlags: ["-c"] };
}

/**
 * Reads a stream to its end. Decodes characters that chunks split, and reads on only when the disk has
 * caught up.
 */
async function read(
  stream: Readable,
  keepers: readonly (OutputKeeper | undefined)[],
  request: ShellRequest,
): Promise<void> {
  const decoder = new StringDecoder("utf8");
  const filter = request.filter?.();
  const pass = async (text: string): Promise<void> => {
    if (text === "") return;
    request.onOutput(text);
    for (const keeper of keepers) await keeper?.add(text);
  };
  const take = (decoded: string) => pass(filter === undefined ? decoded : filter.add(decoded));
  try {
    for await (const chunk of stream) await take(decoder.write(chunk as Buffer));
  } catch (error) {
    // The stream was destroyed before its end, because another process still holds the other side.
    if (errorCode(error) !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
  }
  await take(decoder.end());
  await pass(filter?.finish() ?? "");
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) {
      resolve({ exitCode: child.exitCode, signal: child.signalCode });
    }
    child.once("exit", (exitCode, signal) => {
      resolve({ exitCode, signal });
    });
  });
}

/**
 * Replaces an exit code above 128 by the signal that it stands for. A sandbox reports signals as shells
 * do, and a command that was ended from outside was certainly ended by one.
 */
function withSignal(ended: ShellResult): ShellResult {
  const { exitCode, endedBy } = ended;
  if (endedBy === "itself" || exitCode === null || exitCode <= 128) return ended;
  const [name] =
    Object.entries(constants.signals).find(([, number]) => number === exitCode - 128) ?? [];
  return name === undefined ? ended : { ...ended, exitCode: null, signal: name };
}

function cannotStart(error: unknown, path: string, folder: string, cwd: string): unknown {
  const code = errorCode(error);
  if (code === undefined) return error;
  if (!existsSync(folder)) {
    return new FileError(code, cwd, "There is no folder {folder}. Name one that exists.", {
      folder: cwd,
    });
  }
  return code === "E2BIG"
    ? new FileError(code, path, "The command is too long. Write it to a script file and run that.")
    : new FileError(
        code,
        path,
        "The shell {path} could not be started ({code}). Check that it is installed and may be run.",
        { path, code },
      );
}
