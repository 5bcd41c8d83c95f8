import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync, realpathSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { homedir, release } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { FileError, messageOf } from "../../core/errors.js";
import type { SandboxAbility } from "../../core/ports/shell.js";
import { type Words, words } from "../../core/text/words.js";
import { realLocation } from "../files/realLocation.js";
import { readSmallFile } from "../files/regularFile.js";
import { markerVariable, newCommandMarker } from "../processes/commandMarker.js";
import { findProgram, isWithin } from "../processes/findProgram.js";
import { listedProcess, type ListedProcess } from "../processes/processTable.js";
import { HostProxy } from "./hostProxy.js";
import { insideScript } from "./insideScript.js";
import { KeptTrial } from "./keptTrial.js";
import { layerChanges } from "./layerChanges.js";
import { LayerFolder, removeOrphanedLayers } from "./layerFolder.js";
import { LimitWatch } from "./limitWatch.js";
import { OverlayLayer } from "./overlayLayer.js";
import { bridgeScript } from "./proxyBridge.js";
import { removeOrphanedLimits, rootProcessLimit } from "./rootProcessLimit.js";
import type { Sandbox, SandboxedCommand, SandboxedRequest, SandboxOptions } from "./sandbox.js";
import { sandboxEnvironment } from "./sandboxEnvironment.js";
import { limitWords, usualLimits, type SandboxLimits } from "./sandboxLimits.js";
import {
  askBubblewrap,
  findSandboxPrograms,
  scriptWithOwnMounts,
  type SandboxPrograms,
  whyMissing,
  whyNoSandbox,
} from "./sandboxPrograms.js";
import { sandboxView } from "./sandboxView.js";
import { WorkspaceWalk } from "./workspaceWalk.js";

/**
 * The script that becomes bubblewrap. It joins the group that limits processes, if there is one; waits
 * until the table of mounts is written; mounts what the table says; and runs bubblewrap, which reads
 * its further arguments from the descriptor through which `ready` came.
 */
const outsideScript = `[ -z "$0" ] || echo 0 > "$0" || exit 125
read -r ready <&5 && "$1" -a -T mounts 2>problem || exit 125
shift
exec "$@"`;

/** The most attempts to set up a sandbox for one command before an error is thrown. */
const mostAttempts = 4;
/** Milliseconds between two checks whether the last process has ended, and the most to wait for that. */
const pollMs = 1;
const endMs = 5000;
const drainPollMs = 50;

type Found = { readonly programs: SandboxPrograms; readonly name: string } | { reason: Words };

/**
 * Runs commands in bubblewrap, on an overlay of the workspace: what they write is kept in a folder of
 * this program's own, and reaches the workspace only when it is applied.
 */
export class BubblewrapSandbox implements Sandbox {
  private readonly limits: SandboxLimits;
  private found: Promise<Found> | undefined;
  private trial: KeptTrial | undefined;
  private walk: WorkspaceWalk | undefined;

  /** @param root the workspace's absolute path */
  constructor(
    private readonly root: string,
    private readonly options: SandboxOptions,
  ) {
    this.limits = { ...usualLimits, ...options.limits };
  }

  async ability(): Promise<SandboxAbility> {
    this.found ??= this.probe();
    const found = await this.found;
    return "reason" in found
      ? { available: false, reason: found.reason }
      : { available: true, name: found.name };
  }

  async start(request: SandboxedRequest): Promise<SandboxedCommand> {
    this.found ??= this.probe();
    const found = await this.found;
    if ("reason" in found)
      throw new FileError("ENOTSUP", request.folder, "{reason}", { reason: found.reason });
    return this.startWith(found.programs, request);
  }

  /**
   * Starts the command, and retries if the sandbox cannot be set up: what was to be hidden or protected
   * may have gone between the walk of the workspace and the mount.
   */
  private async startWith(
    programs: SandboxPrograms,
    request: SandboxedRequest,
  ): Promise<BubblewrappedCommand> {
    for (let attempt = 1; ; attempt++) {
      const command = await this.tryToStart(programs, request);
      const problem = await command.problem();
      if (problem === undefined) return command;
      await command.discard();
      if (attempt === mostAttempts) {
        await this.trial?.forget();
        const why = problem === "" ? "" : `: ${problem}`;
        throw new FileError(
          "ESANDBOX",
          request.folder,
          "The sandbox could not be set up{cause}. Try again; if that does not help, run the command outside of the sandbox.",
          { cause: why },
        );
      }
    }
  }

  /** Finds out whether the sandbox works here, by a trial if there was none since the machine's start. */
  private async probe(): Promise<Found> {
    const found = findSandboxPrograms(this.root);
    if ("missing" in found) return { reason: whyMissing(found.missing) };
    const data = await realLocation(this.options.data);
    const root = realpathSync(this.root);
    if (isWithin(data, root) || isWithin(root, data)) {
      return {
        reason: words(
          "The sandbox keeps what commands write in {data}, and that folder and the workspace must not be one in the other. Open a smaller folder.",
          { data },
        ),
      };
    }
    try {
      await removeOrphanedLayers(data);
      removeOrphanedLimits();
      await mkdir(data, { recursive: true, mode: 0o700 });
      this.trial = new KeptTrial(data, Object.values(found), root);
      const kept = await this.trial.read();
      const { name, forbidsNamespaces } = kept ?? (await askBubblewrap(found.bwrap));
      const programs = { ...found, forbidsNamespaces };
      if (kept === undefined) {
        await this.tryOnce(programs);
        await this.trial.write({ name, forbidsNamespaces });
      }
      return { programs, name };
    } catch (error) {
      return { reason: whyNoSandbox(messageOf(error)) };
    }
  }

  /** Runs a test command. Throws when it does not run, or when what it writes is not found in its layer. */
  private async tryOnce(programs: SandboxPrograms): Promise<void> {
    const marker = newCommandMarker();
    const command = await this.tryToStart(programs, {
      profile: { masks: () => false, protects: () => false, network: "none", writesCaches: false },
      shell: findProgram(["bash", "sh"], this.root) ?? "/bin/sh",
      command: `echo tried > ${marker}`,
      folder: this.root,
      env: { PATH: process.env["PATH"], [markerVariable]: marker },
      marker,
      hasInput: false,
      separateStreams: false,
      drainTimeoutMs: 0,
    });
    try {
      const problem = await command.problem();
      if (problem !== undefined) throw new Error(problem === "" ? "nobody says why" : problem);
      const { stdout, stderr } = command.child;
      if (stdout === null || stderr === null) throw new Error("there are pipes");
      await Promise.all([text(stdout), text(stderr)]);
      const { layer } = await command.finish();
      if (layer?.changes[0]?.path !== marker) throw new Error("what a command wrote was not found");
    } finally {
      await command.discard();
    }
  }

  private async tryToStart(
    programs: SandboxPrograms,
    request: SandboxedRequest,
  ): Promise<BubblewrappedCommand> {
    const root = realpathSync(this.root);
    this.walk ??= new WorkspaceWalk(root);
    const places = await this.walk.places(request.profile);
    await mkdir(this.options.data, { recursive: true, mode: 0o700 });
    const data = realpathSync(this.options.data);
    const folder = new LayerFolder(data, root, request.marker);
    const group = rootProcessLimit(request.marker, this.limits.processes);
    const { network, writesCaches } = request.profile;
    const env = sandboxEnvironment(request.env, network);
    let child: ChildProcess | undefined;
    let proxy: HostProxy | undefined;
    try {
      // The process starts while its mounts are worked out.
      child = this.spawnOutside(programs, request, { folder, env, members: group?.members ?? "" });
      const started = once(child, "spawn");
      const { hidden = [], home = homedir(), hostAccess } = this.options;
      const [realHome] = await Promise.all([realLocation(home), started]);
      const { mounts, args } = sandboxView({
        root,
        data,
        home: realHome,
        hidden,
        layer: folder,
        places,
        limits: this.limits,
        network,
        writesCaches,
        env,
      });
      writeFileSync(join(folder.path, "mounts"), mounts.toString());
      if (typeof network === "object") {
        proxy = await HostProxy.start(folder.path, network.hosts, hostAccess);
      }
      const orders = (child.stdio as readonly unknown[])[5] as Writable;
      // A failed write is ignored: if the process has ended already, `problem` returns what it printed.
      orders.on("error", () => undefined).end(`ready\n${args.join("\0")}\0`);
      const close = async (): Promise<void> => {
        group?.remove();
        await proxy?.close();
      };
      const { limits } = this;
      return new BubblewrappedCommand(child, { root, folder, programs, limits, close });
    } catch (error) {
      child?.kill("SIGKILL");
      group?.remove();
      await proxy?.close();
      await folder.discard();
      throw error;
    }
  }

  /** Starts the process that becomes bubblewrap when it is told what to mount. */
  private spawnOutside(
    programs: SandboxPrograms,
    request: SandboxedRequest,
    outside: {
      readonly folder: LayerFolder;
      readonly env: NodeJS.ProcessEnv;
      /** See {@link RootProcessLimit.members}; empty: there is no such group. */
      readonly members: string;
    },
  ): ChildProcess {
    return spawn(
      programs.unshare,
      [
        ...scriptWithOwnMounts,
        outsideScript,
        outside.members,
        programs.mount,
        programs.bwrap,
        ...(programs.forbidsNamespaces ? ["--disable-userns"] : []),
        "--args",
        "5",
        "--info-fd",
        "4",
        "--chdir",
        request.folder,
        "--",
        request.shell,
        "-c",
        insideScript,
        request.shell,
        ...this.insideArguments(request),
      ],
      {
        cwd: outside.folder.path,
        env: outside.env,
        // Beside the standard streams: whether the command has begun (3), what bubblewrap says of
        // itself (4), and what is sent to it (5).
        stdio: [request.hasInput ? "pipe" : "ignore", "pipe", "pipe", "pipe", "pipe", "pipe"],
        detached: true,
      },
    );
  }

  /** Returns the arguments of {@link insideScript}. */
  private insideArguments(request: SandboxedRequest): string[] {
    const hasHosts = typeof request.profile.network === "object";
    return [
      request.command,
      request.separateStreams ? "separate" : "joined",
      countsOwnProcessesOnly() ? String(this.limits.processes) : "unlimited",
      String(Math.floor(this.limits.fileBytes / 1024)),
      String(Math.ceil(request.drainTimeoutMs / drainPollMs)),
      hasHosts ? process.execPath : "",
      hasHosts ? bridgeScript() : "",
    ];
  }
}

/** The resources that were made for one command. */
interface Made {
  readonly root: string;
  readonly folder: LayerFolder;
  readonly programs: SandboxPrograms;
  readonly limits: SandboxLimits;
  /** Removes the command's group of processes and closes its proxy. */
  readonly close: () => Promise<void>;
}

class BubblewrappedCommand implements SandboxedCommand {
  readonly isAround = true;
  /** Resolves with the first that {@link insideScript} writes; with nothing if it has ended without a word. */
  private readonly begun: Promise<string>;
  /** Resolves with all that it has written. */
  private readonly told: Promise<string>;
  private readonly firstInside: Promise<ListedProcess | undefined>;
  private watcher: LimitWatch | undefined;

  constructor(
    readonly child: ChildProcess,
    private readonly made: Made,
  ) {
    const script = child.stdio[3] as Readable;
    let told = "";
    this.begun = new Promise((resolve) => {
      script.on("data", (chunk: Buffer) => {
        told += chunk.toString("latin1");
        resolve(told);
      });
      script.once("close", () => {
        resolve(told);
      });
    });
    this.told = new Promise((resolve) => {
      script
        .on("error", () => undefined)
        .once("close", () => {
          resolve(told);
        });
    });
    this.firstInside = textFrom(child, 4).then((message) => {
      const [, pid] = /"child-pid": (\d+)/.exec(message) ?? [];
      return pid === undefined ? undefined : listedProcess(Number(pid));
    });
  }

  watch(tooMuch: (limit: string) => void): void {
    const { pid } = this.child;
    const { folder, limits } = this.made;
    if (pid === undefined) return;
    this.watcher = new LimitWatch(pid, folder.path, limits, tooMuch);
  }

  /**
   * Resolves with `undefined` when the command itself begins, else with the error message, which may be
   * empty.
   */
  async problem(): Promise<string | undefined> {
    if ((await this.begun) !== "" || this.child.signalCode !== null) return undefined;
    const { stdout, stderr } = this.child;
    const streams = [stdout, stderr].filter((stream) => stream !== null);
    const printed = await Promise.all(streams.map((stream) => text(stream)));
    const mounting = join(this.made.folder.path, "problem");
    const known = await readSmallFile(mounting, 100_000, { follow: false }).catch(() => undefined);
    const message = known?.toString() ?? "";
    return [message, ...printed].join("").trim().split("\n")[0] ?? "";
  }

  async finish(): ReturnType<SandboxedCommand["finish"]> {
    this.watcher?.stop();
    await this.untilAllEnded();
    // Its end comes with that of the last process.
    const told = await Promise.race([this.told, pause(endMs, "", { ref: false })]);
    await this.made.close();
    const { root, folder, programs, limits } = this.made;
    const { path: layer, upper } = folder;
    const { changes, left } = await layerChanges({ root, layer, upper, programs, limits });
    const isFull = changes.some(({ size }) => size >= limits.fileBytes - 1024);
    return {
      layer: new OverlayLayer(root, folder, { changes, left }),
      leftRunning: told.includes("l"),
      ...(isFull ? { limit: limitWords("fileBytes", limits) } : {}),
    };
  }

  async discard(): Promise<void> {
    this.watcher?.stop();
    await this.made.close();
    await this.made.folder.discard();
  }

  /**
   * Waits for the end of the first process inside, which is gone only when all others are, so that
   * nothing is written any more; bubblewrap itself may be gone before.
   */
  private async untilAllEnded(): Promise<void> {
    const first = await this.firstInside;
    if (first === undefined) return;
    for (let waited = 0; waited < endMs; waited += pollMs) {
      if (listedProcess(first.pid)?.start !== first.start) return;
      await pause(pollMs);
    }
  }
}

/** Reads all that the process writes to one of the pipes beside its usual streams. */
function textFrom(child: ChildProcess, index: number): Promise<string> {
  const stream = child.stdio[index] as Readable;
  return text(stream).catch(() => "");
}

/**
 * Returns whether a limit counts the sandbox's processes only. Linux before 5.14 counts all processes of the
 * user, including those outside.
 */
function countsOwnProcessesOnly(): boolean {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14);
}
