import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ClaimedTask, type ClaimedTaskOptions } from "../../src/cli/team/claimedTask.js";
import {
  mostDeaths,
  type TeamClaim,
  type TeamPlan,
  type TeamQueue,
  type TeamWorker,
} from "../../src/core/ports/teamQueue.js";
import { signPlan } from "../../src/core/team/signedPlan.js";
import { formatAnswer } from "../../src/core/team/teamAnswer.js";
import { readAsked, signAnswer } from "../../src/core/team/teamAsk.js";
import { answerRef, baseRef, wipRef } from "../../src/core/team/teamRefs.js";
import { TeamRepository } from "../../src/node/git/teamRepository.js";
import { TeamKey } from "../../src/node/user/teamKey.js";
import { MemoryTeamQueue } from "../fakes/memoryTeamQueue.js";
import { temporaryFolder } from "./temporaryFolder.js";

const key = "k".repeat(32);
const [one, two, three] = ["ROO#SUB_A_S001", "ROO#SUB_A_S002", "ROO#SUB_A_S003"];

describe("a worker", () => {
  const folder = temporaryFolder();
  let repository: TeamRepository;
  let plan: TeamPlan;
  let claim: TeamClaim;
  let foreign: string;
  let ofOtherPlan: string;
  let begun: number;
  let told: string[];

  const signerOf = (id: string) => new TeamKey(key, { repository: "shop", id });

  beforeEach(async () => {
    [begun, told] = [0, []];
    const remote = join(folder.path, "remote.git");
    const home = join(folder.path, "home");
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: home, encoding: "utf8" }).trim();
    await mkdir(home);
    execFileSync("git", ["init", "--quiet", "--bare", remote]);
    git("init", "--quiet");
    await writeFile(join(home, "a.txt"), "a\n");
    git("add", ".");
    git("-c", "user.name=A", "-c", "user.email=a@example.test", "commit", "-qm", "First");
    const parent = git("rev-parse", "HEAD");
    const sender = new TeamRepository(join(home, ".git"), remote);
    const state = join(folder.path, "state");
    await mkdir(join(state, "tasks", one), { recursive: true });
    await writeFile(join(state, "tasks", one, "context.md"), "what to do\n");
    const files = await sender.filesOf(parent);
    const beginOf = async (planId: string, signer = signerOf(planId)) => {
      const given = { files, parent, state, task: null, attempt: 0 };
      return sender.commit(given, { planId, signer });
    };
    const base = await beginOf("ROO#PLAN_A");
    ofOtherPlan = await beginOf("ROO#PLAN_B");
    foreign = await beginOf(
      "ROO#PLAN_A",
      new TeamKey("x".repeat(32), { repository: "shop", id: "ROO#PLAN_A" }),
    );
    await sender.push(base, baseRef("ROO#PLAN_A"));
    await sender.push(ofOtherPlan, wipRef(one, 7));
    await sender.push(foreign, wipRef(one, 8));
    const tasks = [one, two, three].map((id) => ({ id, labels: id === three ? [] : ["gpu"] }));
    plan = signPlan({ id: "ROO#PLAN_A", repository: "shop", base, tasks }, signerOf("ROO#PLAN_A"));
    claim = { plan, taskId: one, attempt: 1, from: base, deaths: 0, answers: [] };
    repository = await TeamRepository.cache(join(folder.path, "cache.git"), remote);
  });

  /** Has a worker make one attempt, which ends where the model would be asked. */
  async function attempt(given: TeamClaim, labels: readonly string[] = ["gpu"]): Promise<string> {
    const queue = { release: () => Promise.resolve(true) } as unknown as TeamQueue;
    assert.equal(await work(given, queue, labels), "released");
    return told.at(-1) ?? "";
  }

  async function work(given: TeamClaim, queue: TeamQueue, labels: readonly string[] = ["gpu"]) {
    const settings = {
      get redactor(): never {
        begun++;
        throw new Error("it has begun");
      },
    };
    const options: ClaimedTaskOptions = {
      queue,
      key,
      repository,
      worker: { machine: "north", repositories: ["shop"], labels },
      checkouts: join(folder.path, "checkouts"),
      settings: settings as unknown as ClaimedTaskOptions["settings"],
      heartbeat: { add: () => undefined, remove: () => undefined } as never,
      tell: (text) => told.push(text),
    };
    await mkdir(options.checkouts, { recursive: true });
    return new ClaimedTask(given, options).work(new AbortController().signal);
  }

  describe("whose database somebody has changed", () => {
    it("begins what was sent as it was sent", async () => {
      assert.match(await attempt(claim), /it has begun/);
      assert.equal(begun, 1);
    });

    const changes: readonly [what: string, told: RegExp, change: () => Partial<TeamClaim>][] = [
      ["another signature", /not sent by somebody/, () => ({ plan: { ...plan, signature: "x" } })],
      [
        "another id of the plan",
        /not sent by somebody/,
        () => ({ plan: { ...plan, id: "ROO#PLAN_B" } }),
      ],
      [
        "another repository",
        /not sent by somebody/,
        () => ({ plan: { ...plan, repository: "garage" } }),
      ],
      ["another base", /not sent by somebody/, () => ({ plan: { ...plan, base: ofOtherPlan } })],
      [
        "fewer labels",
        /not sent by somebody/,
        () => ({
          plan: { ...plan, tasks: plan.tasks.map(({ id }) => ({ id, labels: [] })) },
        }),
      ],
      [
        "another order",
        /not sent by somebody/,
        () => ({
          plan: { ...plan, tasks: plan.tasks.toReversed() },
          taskId: three,
        }),
      ],
      [
        "a task fewer",
        /not sent by somebody/,
        () => ({
          plan: { ...plan, tasks: plan.tasks.slice(1) },
          taskId: two,
        }),
      ],
      ["a task before its turn", /not the turn/, () => ({ taskId: three })],
      ["a task of another plan", /not the turn/, () => ({ taskId: "ROO#SUB_B_S001" })],
      ["a commit of another plan", /not made by a machine/, () => ({ from: ofOtherPlan })],
      ["a commit of somebody without the key", /not made by a machine/, () => ({ from: foreign })],
      ["a commit that is nowhere", /not on the remote any more/, () => ({ from: "9".repeat(40) })],
    ];
    for (const [what, said, change] of changes) {
      it(`begins nothing with ${what}, and says why`, async () => {
        assert.match(await attempt({ ...claim, ...change() }), said);
        assert.equal(begun, 0);
      });
    }

    it("begins no task for which it has not the labels", async () => {
      assert.match(await attempt(claim, ["linux"]), /not the turn/);
      assert.equal(begun, 0);
    });
  });

  describe("whose task has died too often at one call", () => {
    const able: TeamWorker = { machine: "north", repositories: ["shop"], labels: ["gpu"] };
    let queue: MemoryTeamQueue;
    const claimed = async () => {
      const [next] = await queue.claim(able, 1);
      assert.ok(next);
      return next;
    };
    const status = async () => {
      const [known] = (await queue.plans([plan.id])).plans;
      const [task] = known?.progress ?? [];
      assert.ok(task?.commit);
      return { ...task, commit: task.commit };
    };
    /** Answers what the task asks, as the commit says it. */
    const answer = async (said: { choice: "allow" | "deny"; commit?: string }) => {
      const { commit } = await status();
      const text = await repository.readState(commit, `tasks/${one}/asked.json`);
      const asked = readAsked(text ?? "", one, signerOf(plan.id));
      assert.ok(asked);
      const { id, kind, subject } = asked;
      const given = { kind: "approval", ...said } as const;
      const signature = signAnswer({ id, kind, subject }, given, signerOf(plan.id));
      assert.equal(await queue.answer(id, { ...given, signature }), true);
    };

    beforeEach(async () => {
      queue = new MemoryTeamQueue();
      await queue.send(plan);
      for (let death = 1; death <= mostDeaths; death++) {
        const lost = await claimed();
        await queue.asksModel(lost, 3);
        queue.silence(lost);
        await queue.takeOver();
      }
    });

    it("asks a person in place of working, and tries again when they allow it", async () => {
      assert.equal(await work(await claimed(), queue), "asks");
      assert.equal(begun, 0);
      const { commit, asks, state } = await status();
      assert.equal(state, "asking");
      const text = await repository.readState(commit, `tasks/${one}/asked.json`);
      const asked = readAsked(text ?? "", one, signerOf(plan.id));
      assert.deepEqual(asks, [{ id: asked?.id, kind: "approval", subject: asked?.subject }]);
      assert.equal(asked?.title, "Try again after 5 attempts without a result");
      assert.match(asked.preview ?? "", /^5 attempts have ended at the same step/);
      await answer({ choice: "allow" });
      assert.equal(await work(await claimed(), queue), "released");
      assert.match(told.at(-1) ?? "", /it has begun/);
    });

    it("ends the task as failed when a person denies it, in their words", async () => {
      assert.equal(await work(await claimed(), queue), "asks");
      const words = await repository.fileCommit("answer.json", formatAnswer("Buy memory first."));
      await repository.push(words, answerRef(`${one}-1`.replace("#", "-")));
      await answer({ choice: "deny", commit: words });
      const next = await claimed();
      assert.equal(await work(next, queue), "failed");
      assert.equal(begun, 0);
      const { commit, state } = await status();
      assert.equal(state, "failed");
      const report = await repository.readState(commit, `tasks/${one}/report.json`);
      assert.match(report ?? "", /"Failed"[^]*a person has given it up[^]*Buy memory first/);
    });

    it("does not give it up for an answer that the team's key has not signed", async () => {
      assert.equal(await work(await claimed(), queue), "asks");
      const [ask] = (await status()).asks;
      assert.ok(ask);
      await queue.answer(ask.id, { kind: "approval", choice: "deny", signature: "x" });
      assert.equal(await work(await claimed(), queue), "released");
      assert.equal(begun, 1);
    });
  });
});
