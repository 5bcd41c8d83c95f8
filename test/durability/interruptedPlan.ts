import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { type Ended, Rooroo } from "../cli/rooroo.js";
import { Stage } from "../cli/stage.js";
import type { HttpModelRequest } from "../fakes/httpModel.js";
import type { Finisher, FinisherAnswer } from "./finisher.js";
import { after, artifacts, before, fiveTaskPlan, goals } from "./fiveTaskPlan.js";
import { type KillCounts, killEnvironment, type KillOrders } from "./killOrders.js";
import { counted, findsNo, noneLocked } from "./kills.js";
import { overviewAt } from "./overviewAt.js";
import { WorkspaceState } from "./workspaceState.js";

/** At an operation on a file, when a request arrives, or when its reply has been sent. */
export type Moment = KillOrders | { readonly request: number } | { readonly reply: number };

export function describeMoment(moment: Moment): string {
  if ("when" in moment) return `${moment.when} ${moment.kind ?? "operation"} ${moment.at}`;
  return "request" in moment ? `at request ${moment.request}` : `after reply ${moment.reply}`;
}

/** Enough for what a cut leaves; more would mean that it does not come to its end. */
const maxRounds = 6;

/** A plan of five tasks whose process is killed at one moment, and which a person then finishes. */
export class CutOffPlan {
  private readonly output: string[] = [];

  private constructor(
    private readonly stage: Stage,
    /** Where it was killed. */
    private readonly place: string,
    private readonly atDeath: WorkspaceState,
    /** How many requests the model had then. */
    private readonly requests: number,
    private readonly rooroo: (...words: string[]) => Promise<FinisherAnswer>,
  ) {}

  /** Answers with how many moments there are in a run that nothing disturbs. */
  static async count(): Promise<KillCounts & { readonly replies: number }> {
    const { stage, note } = await this.start({ when: "before", at: 0 });
    try {
      const counts = JSON.parse(await readFile(note, "utf8")) as KillCounts;
      const end = await WorkspaceState.read(stage.root);
      const replies = stage.model.requests.length;
      const nobody = (): never => assert.fail("nothing is left to do");
      await new CutOffPlan(stage, "nowhere", end, replies, nobody).checkEnd(end);
      return { ...counts, replies };
    } finally {
      await stage.close();
      await rm(note, { force: true });
    }
  }

  /**
   * Cuts the plan off, finishes it, and checks everything that may not depend on the cut.
   *
   * @param finisher what finishes it; default: a process of `rooroo` for each command
   * @returns whether the moment came
   */
  static async run(moment: Moment, finisher?: Finisher): Promise<boolean> {
    const { stage, note, ended } = await this.start(moment);
    try {
      if (ended.signal !== "SIGKILL") {
        // What runs side by side differs by an operation or two from run to run.
        assert.equal(ended.code, 0, ended.stdout + ended.stderr);
        return false;
      }
      const place = await readFile(note, "utf8").catch(() => describeMoment(moment));
      const rooroo = (...words: string[]) =>
        finisher?.run(stage, ...words) ?? stage.runAll(...words);
      await this.goOn(stage, moment, place, rooroo);
      return true;
    } finally {
      await stage.close();
      await rm(note, { force: true });
    }
  }

  private static async goOn(
    stage: Stage,
    moment: Moment,
    place: string,
    rooroo: CutOffPlan["rooroo"],
  ): Promise<void> {
    const atDeath = await WorkspaceState.read(stage.root);
    const plan = new CutOffPlan(stage, place, atDeath, stage.model.requests.length, rooroo);
    try {
      await counted("plan", 1, async () => {
        plan.checkDeath("when" in moment && moment.when === "torn");
        await plan.finish();
        await plan.checkEnd(await WorkspaceState.read(stage.root));
        await noneLocked(stage.root);
      });
    } catch (error) {
      throw new Error(
        `killed ${describeMoment(moment)} (${plan.place}):\n${String(error)}\n${plan.output.join("\n")}`,
        { cause: error },
      );
    }
  }

  private static async start(
    moment: Moment,
  ): Promise<{ stage: Stage; note: string; ended: Ended }> {
    const kill = { now: (): void => undefined };
    const stage = await Stage.open((request: HttpModelRequest, index) => {
      if ("request" in moment && index === moment.request) kill.now();
      // By then the reply, which follows in this turn, has left this process.
      if ("reply" in moment && index === moment.reply) setImmediate(kill.now);
      return fiveTaskPlan(request, index);
    }, before);
    const note = `${stage.root}.note`;
    const orders = "when" in moment ? killEnvironment(moment, note) : {};
    const child = new Rooroo(["ask", "Build it", "--approve", "all"], {
      cwd: stage.root,
      env: { ...stage.model.env, ...orders },
    });
    kill.now = () => {
      child.kill("SIGKILL");
    };
    return { stage, note, ended: await child.ended };
  }

  /** Checks the state alone, before anything has been mended. */
  private checkDeath(torn: boolean): void {
    const places = Object.keys(this.atDeath.torn);
    assert.ok(places.length <= (torn ? 1 : 0), JSON.stringify(this.atDeath.torn));
    assert.ok(!places.includes(".rooroo/queue.jsonl"), "the queue is torn");
  }

  /** Does what a person does who finds it so: looks, and says what the product offers. */
  private async finish(): Promise<void> {
    for (let round = 0; round < maxRounds; round++) {
      const words = await this.nextWords();
      const { code, stdout, stderr } = await this.rooroo(...words);
      this.output.push(`$ rooroo ${words.join(" ")}`, stdout, stderr);
      assert.equal(code, 0, `rooroo ${words.join(" ")} ends with ${code}`);
      if ((await WorkspaceState.read(this.stage.root)).isFinished) return;
    }
    assert.fail("the plan does not come to its end");
  }

  private async nextWords(): Promise<string[]> {
    const { tasks } = await overviewAt(this.stage.root);
    this.output.push(JSON.stringify(tasks.map(({ taskId, state }) => [taskId, state])));
    if (tasks.length === 0) return ["ask", "Build it"];
    const interrupted = tasks.find(({ state }) => state === "interrupted");
    return interrupted === undefined ? ["proceed"] : ["resume", interrupted.taskId];
  }

  private async checkEnd(end: WorkspaceState): Promise<void> {
    const planned = [...end.tasks.values()].filter(({ taskId }) => taskId.includes("#SUB_"));
    assert.deepEqual(planned.map(({ goal }) => goal).sort(), [...goals].sort());
    assert.equal(end.tasks.size, goals.length + 1, "there are other tasks");
    assert.deepEqual(
      new Set([...end.tasks.values()].map(({ status }) => status)),
      new Set(["Done"]),
    );
    assert.deepEqual(end.queue, []);
    await findsNo("locked", () => {
      assert.deepEqual(end.active, []);
    });
    assert.deepEqual(end.torn, this.atDeath.torn, "a torn line spoiled another");
    assert.deepEqual(end.project, { ...before, ...after });
    for (const [goal, { name, content }] of Object.entries(artifacts)) {
      const taskId = planned.find((task) => task.goal === goal)?.taskId ?? "";
      assert.equal(await this.stage.read(`.rooroo/tasks/${taskId}/${name}`), content, name);
    }
    await findsNo("twice", () => {
      for (const [taskId, times] of end.timesDone) {
        assert.equal(times, 1, `${taskId} was Done ${times} times`);
      }
      this.checkNotRunAgain(end);
    });
    this.checkTold();
  }

  private checkNotRunAgain(end: WorkspaceState): void {
    for (const [taskId, { context, report, status }] of this.atDeath.tasks) {
      const now = end.tasks.get(taskId);
      if (context !== undefined) assert.equal(now?.context, context, `${taskId}/context.md`);
      if (status !== "Done") continue;
      assert.equal(now?.report, report, `${taskId} has another report`);
      const again = this.stage.model.requests
        .slice(this.requests)
        .filter(({ messages }) => messages[1]?.content?.includes(`--task-id ${taskId} `));
      assert.equal(again.length, 0, `${taskId} was Done and ran again`);
    }
  }

  /** Checks that the processes after the killed one have named everything that it left open. */
  private checkTold(): void {
    const told = this.output.join("\n");
    const open = [...this.atDeath.tasks.values()].filter(
      ({ taskId, status }) =>
        this.atDeath.active.includes(taskId) ||
        (status !== undefined && this.atDeath.queue.includes(taskId)),
    );
    for (const { taskId, status } of open) {
      assert.ok(told.includes(taskId), `nobody was told of ${taskId}`);
      if (status === undefined || !this.atDeath.queue.includes(taskId)) continue;
      assert.ok(
        told.includes(`\`${taskId}\` had ended`),
        `nobody was told that ${taskId} had ended`,
      );
    }
  }
}
