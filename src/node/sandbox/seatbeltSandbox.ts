import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { SandboxAbility } from "../../core/ports/shell.js";
import { words } from "../../core/text/words.js";
import { realLocation } from "../files/realLocation.js";
import { hiddenPlaces } from "./outsidePlaces.js";
import type { Sandbox, SandboxedCommand, SandboxedRequest, SandboxOptions } from "./sandbox.js";
import { sandboxEnvironment } from "./sandboxEnvironment.js";
import { type SandboxLimits, usualLimits } from "./sandboxLimits.js";
import { WorkspaceWalk } from "./workspaceWalk.js";

const program = "/usr/bin/sandbox-exec";

/**
 * Runs commands in the sandbox of macOS. They write to the workspace itself, so that there is no layer,
 * and a protected file that does not exist yet can be made. macOS cannot allow single hosts: a command
 * that may reach some hosts has no network. Memory and processes are not limited.
 *
 * This class follows descriptions of the sandbox and has not been tried on a Mac.
 */
export class SeatbeltSandbox implements Sandbox {
  private readonly limits: SandboxLimits;
  private walk: WorkspaceWalk | undefined;

  /** @param root the workspace's absolute path */
  constructor(
    private readonly root: string,
    private readonly options: SandboxOptions,
  ) {
    this.limits = { ...usualLimits, ...options.limits };
  }

  ability(): Promise<SandboxAbility> {
    return Promise.resolve(
      existsSync(program)
        ? { available: true, name: "sandbox-exec of macOS", direct: true }
        : {
            available: false,
            reason: words("The sandbox needs {program}, which is not there.", { program }),
          },
    );
  }

  async start(request: SandboxedRequest): Promise<SandboxedCommand> {
    const root = realpathSync(this.root);
    this.walk ??= new WorkspaceWalk(root);
    const { masked, readOnly, linkTargets } = await this.walk.places(request.profile);
    const { data, hidden = [], home = homedir() } = this.options;
    await mkdir(data, { recursive: true, mode: 0o700 });
    const temporary = await mkdtemp(join(realpathSync(data), "temporary-"));
    const hasNetwork = request.profile.network === "open";
    const outside = [...hiddenPlaces(await realLocation(home)), ...hidden];
    const profile = seatbeltProfile({
      writable: [root, temporary],
      readOnly: readOnly.map(({ path }) => join(root, path)),
      hidden: [...outside, ...linkTargets, ...masked.map(({ path }) => join(root, path))],
      hasNetwork,
    });
    const { shell, command, separateStreams, folder } = request;
    const args = separateStreams
      ? ["-c", command]
      : ["-c", 'exec "$0" -c "$1" 2>&1', shell, command];
    try {
      const child = spawn(program, ["-p", profile, shell, ...args], {
        cwd: folder,
        env: {
          ...sandboxEnvironment(request.env, hasNetwork ? "open" : "none"),
          TMPDIR: temporary,
          TMP: temporary,
          TEMP: temporary,
        },
        stdio: [request.hasInput ? "pipe" : "ignore", "pipe", "pipe"],
        detached: true,
      });
      await new Promise((resolve, reject) => {
        child.once("spawn", resolve);
        child.once("error", reject);
      });
      return new SeatbeltCommand(child, temporary, this.limits);
    } catch (error) {
      await rm(temporary, { recursive: true, force: true });
      throw error;
    }
  }
}

class SeatbeltCommand implements SandboxedCommand {
  readonly isAround = false;

  constructor(
    readonly child: ChildProcess,
    private readonly temporary: string,
    private readonly limits: SandboxLimits,
  ) {}

  /** Does nothing: there are no limits other than the system's own. */
  watch(): void {
    return;
  }

  async finish(): ReturnType<SandboxedCommand["finish"]> {
    await this.discard();
    return {};
  }

  async discard(): Promise<void> {
    await rm(this.temporary, { recursive: true, force: true });
  }
}

/** The places that one command may use, as absolute paths without links. */
interface SeatbeltRules {
  /** Folders in which it may write. */
  readonly writable: readonly string[];
  /** Paths that it may read but not write, even in a writable folder. */
  readonly readOnly: readonly string[];
  /** Paths that it may not even read. */
  readonly hidden: readonly string[];
  readonly hasNetwork: boolean;
}

/** Services of macOS that hand out passwords, the clipboard, or start programs outside of the sandbox. */
const services = [
  "com.apple.SecurityServer",
  "com.apple.securityd.xpc",
  "com.apple.security.agent",
  "com.apple.pasteboard.1",
  "com.apple.coreservices.launchservicesd",
  "com.apple.coreservices.appleevents",
];

const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"];

/** Returns the profile for `sandbox-exec`. Of two rules for the same thing, the later one counts. */
export function seatbeltProfile(rules: SeatbeltRules): string {
  const lines = [
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    ...devices.map((path) => `(allow file-write* (literal ${quoted(path)}))`),
    ...rules.writable.map((path) => `(allow file-write* (subpath ${quoted(path)}))`),
    ...rules.readOnly.map((path) => `(deny file-write* (subpath ${quoted(path)}))`),
    ...rules.hidden.map((path) => `(deny file-read* file-write* (subpath ${quoted(path)}))`),
    ...services.map((name) => `(deny mach-lookup (global-name ${quoted(name)}))`),
    "(deny appleevent-send)",
    "(deny lsopen)",
    "(deny signal)",
    "(allow signal (target same-sandbox))",
    "(deny process-info*)",
    "(allow process-info* (target same-sandbox))",
    ...(rules.hasNetwork ? [] : ["(deny network*)"]),
  ];
  return `${lines.join("\n")}\n`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}
