import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkoutsIn } from "../../src/node/git/teamRepository.js";
import type { Rooroo } from "../cli/rooroo.js";
import { type ExpertRequest, plans, plays, settled } from "../cli/script.js";
import { TeamStage } from "../cli/teamStage.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { postgresPrograms, PostgresServer } from "../fakes/postgresServer.js";
import { randomFrom } from "../fakes/randomFrom.js";
import { type KillCounts, killEnvironment, type KillOrders } from "./killOrders.js";
import { counted, findsNo, wantedKills } from "./kills.js";
import { say } from "./say.js";

/** The kills of each team. */
const kills = wantedKills === undefined ? 5 : 10;
const teams = wantedKills === undefined ? 1 : Math.min(8, Math.ceil(wantedKills / kills));
const firstSeed = Number(process.env["ROOROO_TEST_SEED"] ?? 5);

const tasksOfPlan = 2;
/** A worker does two plans at once, and asks about commands only. */
const options = ["--slots", "2", "--approve", "all,command=ask"];

/** What a task in a plan asks a person, and how that is answered. */
const questionOf = (goal: string) => `What is ${goal}?`;
const answerOf = (question: string) => `It is ${question.slice(8, -1)}.`;

/** A person's workspace, a database and a remote, for workers that are killed again and again. */
class KilledTeam {
  /** How often a person has allowed each task's command. */
  readonly allowed = new Map<string, number>();
  /** The plans that were sent, with the goals of their tasks. */
  readonly sent = new Map<string, readonly string[]>();
  kills = 0;
  #counts: KillCounts = {
    before: 0,
    after: 0,
    torn: 0,
    kinds: { before: {}, after: {}, torn: {} },
  };
  #workers = 0;

  private constructor(
    readonly team: TeamStage,
    private readonly note: string,
    private readonly random: () => number,
  ) {}

  static async open(server: PostgresServer, seed: number): Promise<KilledTeam> {
    let log = "";
    const developer = (request: ExpertRequest) => {
      const { goal, results } = request;
      const answer = results.find(({ name }) => name === "ask_followup_question")?.content ?? "";
      return (
        [
          calls("ask_followup_question", { question: questionOf(goal), suggestions: ["x"] }),
          calls("execute_command", { command: `echo ${goal} >> '${log}'` }),
          calls("write_to_file", { path: `${goal}.txt`, content: `${answer}\n` }),
        ][settled(request)] ?? completes({ message: `${goal}: done` })
      );
    };
    const script = plays(
      { route: "plan", goal: "Plan it" },
      {
        "rooroo-planner": (request: ExpertRequest) =>
          plans(...(/\((.*)\)/.exec(request.messages.at(1)?.content ?? "")?.[1] ?? "").split(", "))(
            request,
          ),
        "rooroo-developer": developer,
      },
    );
    const team = await TeamStage.open(server, script, { "notes.txt": "begin\n" });
    log = join(team.folder, "ran.txt");
    return new KilledTeam(team, join(team.folder, "note.json"), randomFrom(seed));
  }

  async send(): Promise<void> {
    const number = this.sent.size + 1;
    const goals = Array.from({ length: tasksOfPlan }, (_, task) => `p${number}t${task + 1}`);
    this.sent.set(await this.team.send(...goals), goals);
  }

  /** Returns how often each task's command has run. */
  async ran(): Promise<ReadonlyMap<string, number>> {
    const text = await readFile(join(this.team.folder, "ran.txt"), "utf8").catch(() => "");
    const times = new Map<string, number>();
    for (const goal of text.split("\n").filter(Boolean)) {
      times.set(goal, (times.get(goal) ?? 0) + 1);
    }
    return times;
  }

  /** Returns how many plans are not done. */
  async open(): Promise<number> {
    const [row] = (await this.team.sql(
      "select count(*)::int as open from rooroo.plan where state = 'open'",
    )) as { open: number }[];
    return row?.open ?? 0;
  }

  /** Starts a worker that is never killed, and lets it do all that was sent, to know at what one can be killed. */
  async rehearse(): Promise<void> {
    await this.send();
    await this.send();
    const worker = this.#start({ when: "before", at: 0 });
    await this.#attend(worker);
    worker.kill("SIGTERM");
    await worker.ended;
    this.#counts = JSON.parse(await readFile(this.note, "utf8")) as KillCounts;
  }

  /** Starts a worker and kills it at some operation, if it comes to it; otherwise it has done all that was sent. */
  async killOne(): Promise<void> {
    while ((await this.open()) < 2) await this.send();
    const when = this.random() < 0.5 ? "before" : "after";
    const at = 1 + Math.floor((this.random() * this.#counts[when]) / 2);
    const worker = this.#start({ when, at });
    await this.#attend(worker);
    worker.kill("SIGTERM");
    if ((await worker.ended).signal === "SIGKILL") this.kills++;
    await this.#passOn();
  }

  /** Has each machine's next worker begin, and the first of them end all that is left. */
  async finish(): Promise<void> {
    await this.#passOn();
    for (let machine = 0; machine < 2; machine++) {
      const worker = this.#start(undefined);
      await worker.prints(/^Worker /);
      await this.#attend(worker);
      worker.kill("SIGTERM");
      assert.equal((await worker.ended).code, 143, worker.stdout + worker.stderr);
    }
  }

  /** Two machines take turns, so that each finds what it has left itself, and what the other has. */
  #start(orders: KillOrders | undefined): Rooroo {
    const name = this.#workers++ % 2 === 0 ? "north" : "south";
    const env = orders === undefined ? {} : killEnvironment({ ...orders, talks: true }, this.note);
    return this.team.workerWith(env, name, ...options);
  }

  /** Gives what a killed worker had to the next one at once. */
  async #passOn(): Promise<void> {
    await this.team.expireHeartbeats();
    await this.team.sql("update rooroo.chore set done_at = 'epoch' where name = 'takeOver'");
  }

  /** Answers whatever is asked until all is done, or the worker has ended. */
  async #attend(worker: Rooroo): Promise<void> {
    const ended = worker.ended.then(() => false);
    let isAtWork = true;
    for (let events = 1; isAtWork && (await this.open()) > 0; events++) {
      await this.#answerAll();
      const more = worker.prints(/attempt \d+ (waits|is done|has failed|ended without)/, events);
      isAtWork = await Promise.race([ended, more.then(() => true).catch(() => false)]);
    }
    await this.#answerAll();
  }

  async #answerAll(): Promise<void> {
    const { stage } = this.team;
    const { asks } = (await stage.json("plan", "sent")) as {
      asks: { taskId: string; kind: string; title: string }[];
    };
    for (const { taskId, kind, title } of asks) {
      const { code, stdout, stderr } = await (kind === "question"
        ? stage.run("answer", taskId, answerOf(title))
        : stage.run("approve", taskId));
      assert.equal(code, 0, stdout + stderr);
      const [, goal = ""] = /\b(p\d+t\d+)\b/.exec(title) ?? [];
      if (kind === "approval") this.allowed.set(goal, (this.allowed.get(goal) ?? 0) + 1);
    }
  }

  close(): Promise<void> {
    return this.team.close();
  }

  /** Returns the checkouts that workers have left. */
  async left(): Promise<string[]> {
    const homes = ["north", "south"].map((name) =>
      join(this.team.folder, `${name}-home`, "workers", name),
    );
    return (await Promise.all(homes.map((home) => checkoutsIn(join(home, "checkouts"))))).flat();
  }
}

// Without PostgreSQL there are no processes to share it.
if (postgresPrograms() !== undefined) {
  describe("workers of a team that are killed", function () {
    // No verdict depends on how fast the machine is.
    this.timeout(3_600_000);
    let server: PostgresServer;
    let killed: KilledTeam | undefined;
    before(async () => {
      server = await PostgresServer.start();
    });
    after(() => server.stop());
    afterEach(() => killed?.close());

    for (let seed = firstSeed; seed < firstSeed + teams; seed++) {
      it(`bring each task's result once, with its own answer, and use each approval once (seed ${seed})`, async () => {
        const team = await KilledTeam.open(server, seed);
        killed = team;
        await team.rehearse();
        while (team.kills < kills) await team.killOne();
        await counted("worker", team.kills, async () => {
          await team.finish();
          await checkAll(team);
        });
      });
    }
  });
}

async function checkAll(killed: KilledTeam): Promise<void> {
  const { team, sent, allowed } = killed;
  const { stage } = team;
  const open = await team.sql("select * from rooroo.task where state <> 'done' or result is null");
  assert.deepEqual(open, [], "none is lost, or held by somebody who is gone");
  const ran = await killed.ran();
  for (const goal of [...sent.values()].flat()) {
    const [times = 0, most = 0] = [ran.get(goal), allowed.get(goal)];
    assert.ok(times >= 1, `${goal}: allowed ${most} times, not run`);
    await findsNo("twice", () => {
      assert.ok(times <= most, `${goal}: allowed ${most} times, run ${times} times`);
    });
  }
  for (const [planId, goals] of sent) {
    const landed = await stage.run("plan", "land", planId);
    assert.equal(landed.code, 0, landed.stdout + landed.stderr);
    for (const goal of goals) {
      assert.equal(await stage.read(`${goal}.txt`), `${answerOf(questionOf(goal))}\n`);
    }
  }
  const [refs, checkouts] = [team.git("for-each-ref", "refs/rooroo"), await killed.left()];
  await findsNo("locked", () => {
    assert.equal(refs, "", "nothing is left on the remote");
    assert.deepEqual(checkouts, [], "no checkout is left");
  });
  const sum = (counts: Iterable<number>) => [...counts].reduce((all, one) => all + one, 0);
  const [approvals, used] = [sum(allowed.values()), sum(ran.values())];
  say(
    `${killed.kills} kills, ${[...sent.values()].flat().length} tasks, ${approvals} approvals, ${used} used`,
  );
}
