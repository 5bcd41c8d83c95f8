import { resolve } from "node:path";
import { getDefaultEnvironment } from "@modelcontextprotocol/sdk/client/stdio.js";
import { IgnoredFiles } from "../../core/access/ignoredFiles.js";
import { UserError } from "../../core/errors.js";
import type { SandboxSettings } from "../../core/experts/expertSettings.js";
import { sandboxMasks } from "../../core/experts/sandboxMasks.js";
import { once } from "../../core/once.js";
import type { FileSystem } from "../../core/ports/files.js";
import type { SandboxAbility } from "../../core/ports/shell.js";
import { words } from "../../core/text/words.js";
import { findProgram } from "../processes/findProgram.js";
import type { LongCommand } from "../sandbox/longCommand.js";
import type { SandboxOptions } from "../sandbox/sandbox.js";
import type { McpServerEntry } from "./mcpConfig.js";

export interface ServerSandboxOptions {
  /** The workspace folder's absolute path. */
  readonly root: string;
  readonly files: FileSystem;
  readonly places: SandboxOptions;
  /** Returns the user's settings; called at each use. */
  readonly settings: () => SandboxSettings | undefined;
}

/** Runs the servers that a workspace names in the sandbox that commands run in. They change no file. */
export class ServerSandbox {
  private readonly loaded = once(async () => {
    const { systemSandbox, startLongCommand } = await import("../sandbox/systemSandbox.js");
    const { root, places } = this.options;
    return { sandbox: systemSandbox(root, places), startLongCommand };
  });

  constructor(private readonly options: ServerSandboxOptions) {}

  async ability(): Promise<SandboxAbility> {
    if (this.options.settings()?.enabled !== "off") return (await this.loaded()).sandbox.ability();
    const reason = words(
      "It is switched off by the setting rooroo.sandbox.enabled (or --sandbox off).",
    );
    return { available: false, reason };
  }

  /** Throws a `FileError` where the sandbox cannot be set up, and a `UserError` for a variable that it cannot have. */
  async start(entry: Extract<McpServerEntry, { command: string }>): Promise<LongCommand> {
    const { root, files, settings } = this.options;
    const odd = Object.keys(entry.env).find((name) => !/^[A-Za-z_]\w*$/.test(name));
    if (odd !== undefined) {
      throw new UserError(
        "mcpVariableName",
        "The variable {name} cannot be set in the sandbox: a name has letters, digits and _ only",
        { name: JSON.stringify(odd) },
      );
    }
    const hosts = settings()?.allowedHosts ?? [];
    const isHidden = await new IgnoredFiles(files).read();
    const { startLongCommand, sandbox } = await this.loaded();
    return startLongCommand(sandbox, {
      profile: {
        masks: await sandboxMasks(files, isHidden),
        protects: () => true,
        network: hosts.length === 0 ? "none" : { hosts },
        writesCaches: true,
      },
      shell: findProgram(["bash", "sh"], root) ?? "/bin/sh",
      words: [entry.command, ...entry.args],
      folder: resolve(root, entry.cwd ?? ""),
      env: getDefaultEnvironment(),
      given: entry.env,
    });
  }
}
