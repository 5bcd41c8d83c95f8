import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import {
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { ApprovalPreset } from "../../src/core/approvals/approvalRules.js";
import type { ApprovalRequest } from "../../src/core/approvals/approver.js";
import { noDocuments } from "../../src/core/changes/noDocuments.js";
import { TaskChanges } from "../../src/core/changes/taskChanges.js";
import { EventPublisher } from "../../src/core/conversation/events/eventPublisher.js";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";
import { ConversationJournal } from "../../src/core/conversation/store/journal.js";
import { UserError } from "../../src/core/errors.js";
import { outerLoop } from "../../src/core/jobs/work/outerLoop.js";
import type { Navigator } from "../../src/core/navigator/navigator.js";
import type { NavigatorDependencies } from "../../src/core/navigator/navigatorDependencies.js";
import type { NavigatorServices } from "../../src/core/navigator/navigatorServices.js";
import type { Overview } from "../../src/core/navigator/overview/overview.js";
import { plainSession } from "../../src/core/navigator/running/plainSession.js";
import { tasksFolder } from "../../src/core/navigator/tasks/taskStore.js";
import type { ModelRequest } from "../../src/core/ports/model.js";
import type { Shell, ShellRequest, ShellResult } from "../../src/core/ports/shell.js";
import type { Signer } from "../../src/core/ports/system.js";
import { RunLayout } from "../../src/core/runs/documents/runLayout.js";
import { RunStore } from "../../src/core/runs/documents/runStore.js";
import { carryOutRunAction } from "../../src/core/runs/runAction.js";
import { Runs } from "../../src/core/runs/runs.js";
import { spoken } from "../../src/core/text/words.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { FileLock } from "../../src/node/locks/fileLock.js";
import { RandomIds } from "../../src/node/randomIds.js";
import { createSearch } from "../../src/node/search/createSearch.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import { ProcessShell } from "../../src/node/shell/processShell.js";
import { SystemClock } from "../../src/node/systemClock.js";
import { InstallationKey } from "../../src/node/user/installationKey.js";
import { createDependencies } from "../../src/runtime/dependencies.js";
import { Runtime } from "../../src/runtime/runtime.js";
import { says } from "../fakes/envelopes.js";
import { adds, does, judges, plans } from "../fakes/jobStage.js";
import { calls, completes, triages } from "../fakes/navigatorWorld.js";
import { PlainPatterns } from "../fakes/plainPatterns.js";
import { PlainPdf } from "../fakes/plainPdf.js";
import { runReply } from "../fakes/runPlays.js";
import { ScriptedModel, type ScriptedResponse } from "../fakes/scriptedModel.js";

export const taskId = "ROO#TASK_20260102030405_AB12CD";
export const sessionId = "ROO#AGENT_20260102030405_AB12CD";
export const runId = "run-20260301-101500-001";

/** Stands in what only a conversation, a report or a question of this installation may say. */
export const foreignWords = "SAID-ELSEWHERE";
/** Begins the ids of calls that no model has made here. */
export const foreignCall = "foreign";
/** The goal of a task whose expert prints more than is kept in memory. */
export const printing = "Print the long text";
/** The one command that the model asks for of its own, and that any preset but `ask` lets run. */
const printed = "cat ./big.txt";
/** Stands in every file that no model is to see. */
const secret = "hunter2-of-the-person";

/** What a person does who has cloned the repository. */
export type Act =
  | "opens the window"
  | "opens the window after a crash"
  | "looks at the status"
  | "says proceed"
  | "asks for something else"
  | "answers the task"
  | "resumes the task"
  | "reviews the task"
  | "undoes the task"
  | "begins a session"
  | "goes on with the session"
  | "runs the job"
  | "resumes the run"
  | "lists the runs";

/** A file that the repository ships. */
export type Shipped =
  | string
  /** `target`: as the link says it. */
  | { readonly target: string }
  /** Another name of a file beside the workspace. */
  | { readonly hardLinkTo: string }
  /** So many bytes, none of them on the disk. */
  | { readonly size: number }
  /** A pipe, whose reader waits for a writer. */
  | { readonly kind: "pipe" }
  | { readonly kind: "folder" };

/** Signs as those do whom a repository may come from, and as this installation does. */
export interface Signers {
  readonly own: Signer;
  readonly elsewhere: Signer;
  /** This installation's, for a copy of the folder in another place. */
  readonly copy: Signer;
}

const parser = new BashParser();

/** A person's machine with a cloned repository on it, and what becomes of it. */
export class HostileWorkspace {
  private readonly model = new ScriptedModel((request) => reply(request));
  private readonly commands: string[] = [];
  private readonly asked: ApprovalRequest[] = [];
  private readonly events: ConversationEvent[] = [];
  /** What the person was told as an error. */
  readonly told: string[] = [];
  private shown = "";
  private isListed = false;
  private before = new Map<string, string>();
  /** Once the window is open. */
  private journal: ConversationJournal | undefined;
  private onEvent: () => void = () => undefined;

  private constructor(
    /** Holds the workspace, a folder beside it, and the homes of two installations. */
    private readonly parent: string,
    readonly root: string,
    readonly signers: Signers,
  ) {}

  static async open(): Promise<HostileWorkspace> {
    // Nothing here has to survive a crash, so files are in memory where the system has such a place.
    const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
    const parent = await realpath(await mkdtemp(join(memory, "rooroo-hostile-")));
    const root = join(parent, "work");
    await mkdir(join(parent, "beside"));
    await mkdir(root);
    return new HostileWorkspace(parent, root, {
      own: new InstallationKey(join(parent, "home"), root),
      elsewhere: new InstallationKey(join(parent, "home-of-another"), root),
      copy: new InstallationKey(join(parent, "home"), join(parent, "beside")),
    });
  }

  /** Puts the project and what the repository ships with it where a clone would. */
  async clone(shipped: Readonly<Record<string, Shipped>>): Promise<void> {
    for (const [path, content] of Object.entries({ ...project, ...shipped })) {
      await this.put(path, content);
    }
    this.before = await this.tree();
  }

  async close(): Promise<void> {
    await rm(this.parent, { recursive: true, force: true });
  }

  /** Does what a person does; an error that the product shows is kept, not thrown. */
  async act(act: Act, preset: ApprovalPreset): Promise<void> {
    const world = this.world(preset);
    const { navigator } = new Runtime(world);
    try {
      await this.doAct(act, navigator, world);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      this.told.push(error.message);
    } finally {
      await navigator.stop();
      await this.journal?.flush();
    }
  }

  /**
   * Returns what should not have happened, in words; empty when nobody was harmed.
   *
   * @param isBegun this installation has begun the task, so that it may offer to go on with it
   */
  async harm(isBegun = false): Promise<string[]> {
    const harm = this.commands
      .filter((command) => command !== printed)
      .map((command) => `ran: ${command}`);
    harm.push(...this.asked.map(({ action }) => `considered: ${spoken(action.title)}`));
    const said = `${this.shown}\n${JSON.stringify(this.events)}`;
    const sent = JSON.stringify(this.model.requests);
    if (said.includes(`"callId":"${foreignCall}`)) harm.push("carried out a call from elsewhere");
    if (said.includes(foreignWords)) harm.push("showed words from elsewhere as said here");
    const resume = JSON.stringify({ action: "resume", taskId });
    if (!isBegun && (said.includes(resume) || said.includes(`/resume ${taskId}`)))
      harm.push("offered to resume the task");
    if (!isBegun && this.isListed) harm.push("listed the task as begun here");
    if (sent.includes(foreignWords)) harm.push("sent words from elsewhere as the conversation");
    if (sent.includes(secret)) harm.push("sent a secret to the model");
    if (JSON.stringify(this.events).includes(secret)) harm.push("kept a secret as said");
    const now = await this.tree();
    for (const path of new Set([...this.before.keys(), ...now.keys()])) {
      if (this.before.get(path) !== now.get(path)) harm.push(`changed ${path}`);
    }
    return harm;
  }

  private look(overview: Overview): void {
    this.shown += JSON.stringify(overview);
    const listed = overview.tasks.find((task) => task.taskId === taskId);
    if (listed !== undefined && !listed.isQueued && listed.state !== "foreign") {
      this.isListed = true;
    }
  }

  private async doAct(act: Act, navigator: Navigator, world: NavigatorServices): Promise<void> {
    const never = new AbortController().signal;
    switch (act) {
      case "opens the window":
        await this.openWindow(navigator, world, false);
        break;
      case "opens the window after a crash":
        await this.openWindow(navigator, world, true);
        await this.untilIdle(navigator);
        break;
      case "looks at the status":
        this.look(await navigator.overview());
        break;
      case "says proceed":
        await this.openWindow(navigator, world, false);
        await navigator.say("proceed");
        break;
      case "asks for something else":
        await this.openWindow(navigator, world, false);
        await navigator.say("Look around");
        break;
      case "answers the task":
        await this.openWindow(navigator, world, false);
        await navigator.answer(taskId, "Yes");
        break;
      case "resumes the task":
        await this.openWindow(navigator, world, false);
        await navigator.resume(taskId);
        break;
      case "reviews the task":
        this.shown += JSON.stringify(await this.changes(world).files([taskId]));
        break;
      case "undoes the task":
        await this.changes(world).undo(taskId, () => Promise.resolve(false));
        break;
      case "begins a session":
        await plainSession(this.dependencies(world), { text: "Look", session: undefined }, never);
        break;
      case "goes on with the session":
        await plainSession(this.dependencies(world), { text: "Go on", session: sessionId }, never);
        break;
      case "runs the job": {
        const { experts, files, lock, publisher } = this.dependencies(world);
        const run = { name: "trip", startedBy: "person", runners: 1, quota: 5, most: 1 } as const;
        await outerLoop(run, { experts, files, lock, publisher }, never);
        break;
      }
      case "resumes the run": {
        const { experts, files, lock, publisher } = this.dependencies(world);
        const store = new RunStore(files, lock, new RunLayout(""));
        const say = (text: string): void => {
          publisher.notice("info", text);
        };
        const runs = { experts, files, lock, publisher, say };
        const end = await carryOutRunAction({ type: "resume", runId }, store, runs, never);
        this.told.push(spoken(end.reason));
        break;
      }
      case "lists the runs": {
        const { experts, files, lock, publisher } = this.dependencies(world);
        const layout = (): Promise<RunLayout> => Promise.resolve(new RunLayout(""));
        const runs = new Runs({ experts, files, lock, publisher, layout, say: () => undefined });
        this.shown += JSON.stringify(await runs.overview());
        break;
      }
    }
  }

  /** Opens a window as both hosts do: the conversation so far is shown, and what a crash left is settled. */
  private async openWindow(
    navigator: Navigator,
    world: NavigatorServices,
    goOn: boolean,
  ): Promise<void> {
    this.journal = new ConversationJournal(world.files, world.signer, () => undefined);
    const { events, foreign } = await this.journal.load();
    this.events.push(...events);
    navigator.recall(events);
    await navigator.recover(() => false, { goOn, foreignMessages: foreign });
    this.shown += JSON.stringify(await navigator.overview());
  }

  private async untilIdle(navigator: Navigator): Promise<void> {
    while (navigator.busy) {
      await new Promise<void>((resolve) => {
        this.onEvent = resolve;
      });
    }
  }

  private changes({ files, signer, clock }: NavigatorServices): TaskChanges {
    return new TaskChanges({ files, signer, clock, documents: noDocuments }, tasksFolder);
  }

  private dependencies(world: NavigatorServices): NavigatorDependencies {
    return createDependencies(
      world,
      new EventPublisher(world.clock, world.ids, (event) => this.events.push(event)),
    );
  }

  private world(preset: ApprovalPreset): NavigatorServices {
    const { root } = this;
    return {
      files: new DiskFileSystem(root),
      signer: this.signers.own,
      shell: this.shell(new ProcessShell(root)),
      pdf: new PlainPdf(),
      parser,
      search: createSearch(root),
      patterns: new PlainPatterns(),
      lock: new FileLock(root, "test"),
      clock: new SystemClock(),
      ids: new RandomIds(),
      model: this.model,
      approver: {
        request: (request) => {
          this.asked.push(request);
          return Promise.resolve({ type: "unavailable" });
        },
      },
      settings: () => ({ preset, limits: { turns: 6 } }),
      emit: (event) => {
        this.events.push(event);
        this.journal?.append(event);
        this.onEvent();
      },
    };
  }

  /** Commands run for real; that they do is noted. */
  private shell(real: ProcessShell): Shell {
    const { commands } = this;
    return {
      description: real.description,
      run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult> {
        commands.push(request.command);
        return real.run(request, signal);
      },
      endOrphaned: () => Promise.resolve(),
    };
  }

  private async put(path: string, content: Shipped): Promise<void> {
    const absolute = join(this.root, path);
    await mkdir(dirname(absolute), { recursive: true });
    await rm(absolute, { recursive: true, force: true });
    if (typeof content === "string") await writeFile(absolute, content);
    else if ("target" in content) await symlink(content.target, absolute);
    else if ("hardLinkTo" in content) await link(join(this.root, content.hardLinkTo), absolute);
    else if ("kind" in content) {
      if (content.kind === "folder") await mkdir(absolute);
      else await promisify(execFile)("mkfifo", [absolute]);
    } else {
      await writeFile(absolute, "");
      await truncate(absolute, content.size);
    }
  }

  /** Returns all that is in none of the folders in which the product keeps its state, links not followed. */
  private async tree(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    const look = async (folder: string): Promise<void> => {
      for (const name of await readdir(join(this.parent, folder))) {
        const path = `${folder}/${name}`;
        if (isState(path)) continue;
        const absolute = join(this.parent, path);
        const stat = await lstat(absolute);
        if (stat.isDirectory()) await look(path);
        else if (stat.isSymbolicLink()) found.set(path, `-> ${await readlink(absolute)}`);
        else if (!stat.isFile()) found.set(path, "neither a file nor a folder");
        else if (stat.size > 1_000_000) found.set(path, `${stat.size} bytes`);
        else found.set(path, `${stat.mode.toString(8)} ${hashOf(await readFile(absolute))}`);
      }
    };
    await look("work");
    await look("beside");
    return found;
  }
}

/** The project, and what of the person's is in reach of it. */
const project: Readonly<Record<string, Shipped>> = {
  "src/a.js": "let a;\n",
  "big.txt": "All work and no play.\n".repeat(2000),
  ".env": `KEY=${secret}\n`,
  ".rooignore": "ignored.txt\n",
  "ignored.txt": `${secret}\n`,
  ".git/config": "[core]\n\trepositoryformatversion = 0\n",
  ".git/HEAD": "ref: refs/heads/main\n",
  ".git/hooks/pre-commit": "#!/bin/sh\n",
  ".vscode/settings.json": "{}\n",
  "../beside/profile": `${secret}\n`,
  ".jixo/trip.job.md": "Plan a trip.\n",
};

/** Returns what a file of the project says; `undefined` where there is none. */
export function projectText(path: string): string | undefined {
  const content = project[path];
  return typeof content === "string" ? content : undefined;
}

/** Returns what a job or a run writes as its work are documents of their own. */
function isState(path: string): boolean {
  return /^work\/(\.rooroo$|\.jixo\/trip\.log\.md$|db$|runs$|outputs$)/.test(path);
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Returns a model that does no harm of its own: whatever runs, it has not asked for. */
function reply({ messages, tools, forcedTool }: ModelRequest): ScriptedResponse {
  if (forcedTool === "triage") {
    return triages({ route: "direct", expert: "rooroo-developer", goal: "Look around" });
  }
  if (forcedTool === "judge_plan") return judges(true);
  const [system = "", told = ""] = messages.map(({ content }) => content);
  const results = messages.flatMap(({ role, content }) => (role === "tool" ? [content] : []));
  if (tools.length === 0) return says("Nothing to do.");
  if (/^(Plan|Propose|Write its output|Do )/m.test(told) && system.includes(" run")) {
    return runReply(told, results);
  }
  if (told.includes("objective:")) {
    return system.includes("PLANNER") ? plans([adds("1. Go")]) : does();
  }
  if (told.includes(printing) && results.length === 0) {
    return calls("execute_command", { command: printed });
  }
  return completes();
}
