import type { ChildProcess } from "node:child_process";
import { once } from "../../core/once.js";
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

/** Starts a command that talks over its standard streams until it is ended. Throws what `Sandbox.start` throws. */
export async function startLongCommand(
  sandbox: Sandbox,
  request: Pick<SandboxedRequest, "profile" | "shell" | "command" | "folder" | "env" | "given">,
): Promise<LongCommand> {
  const marker = newCommandMarker();
  const command = await sandbox.start({
    ...request,
    env: { ...request.env, [markerVariable]: marker },
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
