import assert from "node:assert/strict";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";
import { messageOf } from "../../src/core/errors.js";
import type { Navigator } from "../../src/core/navigator/navigator.js";
import type { FileSystem } from "../../src/core/ports/files.js";
import type { Lock } from "../../src/core/ports/locks.js";
import type { Ids } from "../../src/core/ports/system.js";
import { BashParser } from "../../src/node/shell/bashParser.js";
import { Runtime } from "../../src/runtime/runtime.js";
import { ManualClock } from "../fakes/manualClock.js";
import { calls, completes, triages } from "../fakes/navigatorWorld.js";
import { PlainPatterns } from "../fakes/plainPatterns.js";
import { PlainPdf } from "../fakes/plainPdf.js";
import { PlainSigner } from "../fakes/plainSigner.js";
import { type ModelScript, saysWritten, ScriptedModel } from "../fakes/scriptedModel.js";
import { ScriptedShell } from "../fakes/scriptedShell.js";
import { type Fault, FaultyFiles } from "./faultyFiles.js";

const goals = ["One", "Two"];

/** A planner and two developers; one who finds a call failed makes it again. */
const plan: ModelScript = (request) => {
  if (request.forcedTool !== undefined) return triages({ route: "plan", goal: "Build it" });
  const command = request.messages[1]?.content ?? "";
  if (command.includes("PLAN_TASK")) {
    const tasks = goals.map((goal) => ({
      suggested_mode: "rooroo-developer",
      goal_for_expert: goal,
      context: `All of ${goal}.`,
    }));
    return completes({ queue_tasks_json_lines: tasks });
  }
  const [, goal = ""] = /--goal "(\w+)"/.exec(command) ?? [];
  const wrote = request.messages.some(
    ({ role, content }) => role === "tool" && saysWritten(content),
  );
  return wrote
    ? completes({ message: `${goal} is done.`, output_artifact_paths: [`${goal}.txt`] })
    : calls("write_to_file", { path: `${goal}.txt`, content: `${goal}\n` });
};

/** A disk, a lock and chance that outlive the processes at them. */
export interface Place {
  readonly files: FileSystem;
  readonly lock: Lock;
  readonly ids: Ids;
}

/** A Navigator over files that fail, and what it tells. */
class Process {
  readonly told: string[] = [];
  readonly files: FaultyFiles;
  readonly navigator: Navigator;

  constructor({ files, lock, ids }: Place, fault: Fault) {
    this.files = new FaultyFiles(files, fault);
    this.navigator = new Runtime({
      files: this.files,
      lock,
      ids,
      shell: new ScriptedShell(),
      clock: new ManualClock(),
      pdf: new PlainPdf(),
      parser: new BashParser(),
      signer: new PlainSigner(),
      search: {
        matches: () => Promise.resolve({ matches: [], truncated: false }),
        ignored: () => Promise.resolve(new Set<string>()),
        files: () => Promise.resolve({ paths: [], truncated: false }),
      },
      patterns: new PlainPatterns(),
      model: new ScriptedModel(plan),
      approver: { request: () => Promise.resolve({ type: "unavailable" }) },
      settings: () => ({ preset: "all", limits: { turns: 20 } }),
      emit: (event) => this.told.push(wordsOf(event)),
    }).navigator;
  }

  /** Does work as the command does: settles what is left, then does what was asked for; errors are told. */
  async do(work: (navigator: Navigator) => Promise<unknown>): Promise<void> {
    try {
      await this.navigator.recover(() => true);
      await work(this.navigator);
    } catch (error) {
      this.told.push(messageOf(error));
    }
  }
}

function wordsOf(event: ConversationEvent): string {
  if (event.type === "notice") return event.text;
  if (event.type === "sessionEnded") return event.message;
  const isResult = event.type === "agent" && event.event.type === "toolEnded";
  return isResult ? event.event.output : "";
}

const noFault: Fault = { code: "EIO", at: 0, stays: false };
const words = {
  EIO: /the disk reports an error/,
  ENOSPC: /the disk is full/,
  EMFILE: /too many files are open/,
};

/** Returns how many calls a run without a fault makes. */
export async function callsOfRun(place: Place): Promise<number> {
  const process = new Process(place, noFault);
  await process.do((navigator) => navigator.say("build it"));
  await checkEnd(place, process);
  return process.files.calls;
}

/**
 * Has the disk fail while a plan of two tasks is made and done, then finishes it with a disk that
 * works again. Answers with whether the fault came.
 */
export async function faultyRun(place: Place, fault: Fault): Promise<boolean> {
  const first = new Process(place, fault);
  await first.do((navigator) => navigator.say("build it"));
  const kept = await contents(place.files);
  const { tasks } = await new Process(place, noFault).navigator.overview();
  const isDone = tasks.length > goals.length && tasks.every(({ state }) => state === "done");
  if (first.files.failed.length > 0 && !isDone) {
    assert.ok(
      first.told.some((text) => words[fault.code].test(text)),
      `nobody was told of ${first.files.failed.join(", ")}:\n${first.told.join("\n")}`,
    );
  }
  const second = new Process(place, noFault);
  await second.do((navigator) => finish(navigator));
  const end = await checkEnd(place, second);
  for (const [path, text] of kept) {
    if (/context\.md$|task\.json$/.test(path)) assert.equal(end.get(path), text, path);
  }
  return first.files.failed.length > 0;
}

/** Does what a person does: looks, and says what is offered. */
async function finish(navigator: Navigator): Promise<void> {
  for (let round = 0; round < 8; round++) {
    const { tasks } = await navigator.overview();
    const open = tasks.find(({ state }) => state === "interrupted" || state === "failed");
    if (tasks.length === 0) await navigator.say("build it");
    else if (open !== undefined) await navigator.resume(open.taskId);
    else if (tasks.some(({ state }) => state === "queued")) await navigator.proceed();
    else return;
  }
}

/** Answers with what the files hold. */
async function checkEnd(place: Place, process: Process): Promise<Map<string, string>> {
  const { tasks, problems } = await process.navigator.overview();
  assert.deepEqual(problems, []);
  assert.deepEqual(
    tasks.map(({ state }) => state),
    ["done", "done", "done"],
    process.told.join("\n"),
  );
  const files = await contents(place.files);
  for (const goal of goals) assert.equal(files.get(`${goal}.txt`), `${goal}\n`);
  assert.equal(files.get(".rooroo/queue.jsonl"), "");
  const log = files.get(".rooroo/logs/activity.jsonl") ?? "";
  const done = log
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event_type }) => event_type === "EXPERT_REPORT_RECEIVED")
    .filter(({ details }) => (details as { status: string }).status === "Done")
    .map(({ task_id }) => task_id);
  assert.equal(new Set(done).size, done.length, `Done twice: ${done.join(", ")}`);
  return files;
}

/** Returns every file below a folder, by path. */
async function contents(files: FileSystem, folder = ""): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const { name, kind } of await files.readDirectory(folder)) {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (kind === "folder") for (const one of await contents(files, path)) all.set(...one);
    else all.set(path, new TextDecoder().decode(await files.readFile(path)));
  }
  return all;
}
