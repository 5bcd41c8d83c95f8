import { FileError } from "../../core/errors.js";
import { type Words, words } from "../../core/text/words.js";
import { BubblewrapSandbox } from "./bubblewrapSandbox.js";
import type { Sandbox, SandboxOptions } from "./sandbox.js";
import { SeatbeltSandbox } from "./seatbeltSandbox.js";

export { startLongCommand } from "./longCommand.js";

/**
 * Returns the sandbox that this system has.
 *
 * @param root the workspace's absolute path
 * @param options absent: no sandbox is wanted
 */
export function systemSandbox(root: string, options: SandboxOptions | undefined): Sandbox {
  if (options === undefined) return new NoSandbox(words("No folder for a sandbox was given."));
  if (process.platform === "linux") return new BubblewrapSandbox(root, options);
  if (process.platform === "darwin") return new SeatbeltSandbox(root, options);
  const systems = words("There is a sandbox on Linux (bubblewrap) and on macOS only.");
  return new NoSandbox(systems);
}

/** Stands for a missing sandbox: says why there is none, and runs nothing. */
class NoSandbox implements Sandbox {
  constructor(private readonly reason: Words) {}

  ability(): ReturnType<Sandbox["ability"]> {
    return Promise.resolve({ available: false, reason: this.reason });
  }

  start({ folder }: Parameters<Sandbox["start"]>[0]): ReturnType<Sandbox["start"]> {
    return Promise.reject(new FileError("ENOTSUP", folder, "{reason}", { reason: this.reason }));
  }
}
