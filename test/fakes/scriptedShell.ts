import type {
  SandboxAbility,
  Shell,
  ShellRequest,
  ShellResult,
} from "../../src/core/ports/shell.js";
import { scripted } from "./assertedInScript.js";

/** The script of a command: its result but for what is as usual, or a function that makes one. */
export type ShellScript =
  | Partial<ShellResult>
  | ((request: ShellRequest, signal: AbortSignal) => Promise<ShellResult>);

/** Answers each command line as scripted; an unknown one with exit code 127, as a shell does. */
export class ScriptedShell implements Shell {
  readonly description = "bash on linux";
  readonly requests: ShellRequest[] = [];
  ability: SandboxAbility = { available: false, reason: "There is none in tests." };

  /** The number of times that what is left behind was asked to end. */
  sweeps = 0;

  constructor(private readonly scripts: Readonly<Record<string, ShellScript>> = {}) {}

  endOrphaned(): Promise<void> {
    this.sweeps++;
    return Promise.resolve();
  }

  sandbox(): Promise<SandboxAbility> {
    return Promise.resolve(this.ability);
  }

  async run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult> {
    this.requests.push(request);
    await Promise.resolve();
    if (signal.aborted) return shellResult({ exitCode: null, signal: "SIGTERM", endedBy: "stop" });
    const script = this.scripts[request.command] ?? {
      exitCode: 127,
      output: `bash: ${request.command}: command not found\n`,
    };
    if (typeof script === "function") return scripted(() => script(request, signal));
    const filter = request.filter?.();
    const whole = shellResult(script);
    const output = filter === undefined ? whole.output : filter.add(whole.output) + filter.finish();
    const result = { ...whole, output };
    if (result.output !== "") request.onOutput(result.output);
    if (request.separateStreams !== true) return result;
    return { streams: { stdout: result.output, stderr: "" }, ...result };
  }
}

/** Returns a command that runs until it is stopped. */
export function runsUntilStopped(started?: () => void): ShellScript {
  return (_request, signal) =>
    new Promise((resolve) => {
      const stopped = shellResult({ exitCode: null, signal: "SIGTERM", endedBy: "stop" });
      signal.addEventListener("abort", () => {
        resolve(stopped);
      });
      started?.();
    });
}

export function shellResult(parts: Partial<ShellResult> = {}): ShellResult {
  return {
    exitCode: 0,
    signal: null,
    endedBy: "itself",
    output: "",
    omitted: 0,
    durationMs: 5,
    ...parts,
  };
}
