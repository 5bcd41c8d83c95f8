import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { postgresPrograms, PostgresServer } from "../fakes/postgresServer.js";
import { type ExpertRequest, plans, plays, settled } from "./script.js";
import { TeamStage } from "./teamStage.js";

/** Returns a script whose planner makes the tasks that the request names in brackets. */
function playsWith(
  developer: (request: ExpertRequest) => ReturnType<typeof calls> | Promise<never>,
) {
  return plays(
    { route: "plan", goal: "Plan it" },
    {
      "rooroo-planner": (request: ExpertRequest) =>
        plans(...(/\((.*)\)/.exec(request.messages.at(1)?.content ?? "")?.[1] ?? "").split(", "))(
          request,
        ),
      "rooroo-developer": developer,
    },
  );
}

/** Leaves a file that is named for the task's goal. */
const leavesFile = (request: ExpertRequest) =>
  [calls("write_to_file", { path: `${request.goal}.txt`, content: "done\n" })][settled(request)] ??
  completes({ message: "done" });

const works = playsWith(leavesFile);

// Without PostgreSQL there is no database that a stranger could write.
if (postgresPrograms() !== undefined) {
  describe("somebody who can write a team's database, and has not the team's key,", () => {
    let server: PostgresServer;
    let team: TeamStage;
    before(async () => {
      server = await PostgresServer.start();
    });
    after(() => server.stop());
    afterEach(() => team.close());

    const idOf = (task: string) => task.split("_").slice(1).join("_");

    it("cannot have an approval count again, or for anything else, and never after a person has said no", async () => {
      const log = () => join(team.folder, "ran.txt");
      team = await TeamStage.open(
        server,
        // The same again and again, as a model does that was told no.
        playsWith(() => calls("execute_command", { command: `echo ran >> '${log()}'` })),
        { "notes.txt": "begin\n" },
      );
      const { stage } = team;
      const planId = await team.send("one");
      const task = `${idOf(planId)}_S001`;
      const north = team.worker("north", "--approve", "safe");
      const ran = () => readFile(log(), "utf8").catch(() => "");
      const say = async (...said: string[]) => {
        const { code, stdout, stderr } = await stage.run(...said);
        assert.equal(code, 0, stdout + stderr);
      };
      const asked = async () =>
        (await team.sql("select wip, (select max(id) from rooroo.ask) as ask from rooroo.task"))[0];

      await north.prints(/S001: attempt 1 waits/);
      const first = (await asked()) as { wip: string; ask: string };
      await say("approve", task);
      await north.prints(/S001: attempt 2 waits/);
      assert.equal(await ran(), "ran\n");

      // The approval is made one that was not used, and a person says no to the next.
      await team.sql("update rooroo.ask set used = false");
      await say("deny", task);
      await north.prints(/S001: attempt 3 waits/);
      assert.equal(await ran(), "ran\n");

      // The answer is also put where the one to the new ask belongs, whatever a person says.
      await team.atAnswers(`update rooroo.ask set choice = 'allow', signature =
        (select a.signature from rooroo.ask a where a.id = '${first.ask}')`);
      await say("deny", task);
      await north.prints(/S001: attempt 4 waits/);
      assert.equal(await ran(), "ran\n");

      // The task is put back to the commit that asked first.
      await team.atAnswers(`update rooroo.ask set used = false;
        update rooroo.task set wip = '${first.wip}'`);
      await say("deny", task);
      await north.prints(/S001: attempt 5 waits/);
      assert.equal(await ran(), "ran\n");
      const all = (await team.sql("select id from rooroo.ask")) as { id: string }[];
      assert.equal(new Set(all.map(({ id }) => id)).size, 5, "each asks anew");
    });

    it("cannot have an answer to a question count for a later one", async () => {
      const ask = calls("ask_followup_question", { question: "Which?", suggestions: ["red"] });
      team = await TeamStage.open(
        server,
        playsWith((request) =>
          settled(request) < 2
            ? ask
            : completes({ message: request.results.map(({ content }) => content).join() }),
        ),
        { "notes.txt": "begin\n" },
      );
      const { stage } = team;
      const planId = await team.send("one");
      const task = `${idOf(planId)}_S001`;
      const north = team.worker("north", "--approve", "safe");
      await north.prints(/S001: attempt 1 waits/);
      const [first] = (await team.sql("select wip from rooroo.task")) as { wip: string }[];
      assert.equal((await stage.run("answer", task, "the red one")).code, 0);
      await north.prints(/S001: attempt 2 waits/);
      const requests = stage.model.requests.length;
      await team.atAnswers(`update rooroo.ask set used = false;
        update rooroo.task set wip = '${first?.wip}'`);
      assert.equal((await stage.run("answer", task, "the blue one")).code, 0);
      await north.prints(/S001: attempt 3 waits/);
      await team.atAnswers("");
      assert.equal(stage.model.requests.length, requests, "nobody was told the old answer again");
      assert.equal((await stage.run("answer", task, "the green one")).code, 0);
      await north.prints(/S001: attempt 4 waits/);
      assert.equal((await stage.run("answer", task, "the last one")).code, 0);
      await north.prints(/S001: attempt 5 is done/);
      const said = stage.model.requests
        .at(-1)
        ?.messages.map(({ content }) => content)
        .join("\n");
      assert.match(said ?? "", /the green one[^]*the last one/);
      assert.doesNotMatch(said ?? "", /the red one|the blue one/);
    });

    it("cannot have a plan worked on again that was cancelled", async () => {
      team = await TeamStage.open(server, works, { "notes.txt": "begin\n" });
      const { stage } = team;
      const planId = await team.send("one");
      // A worker that has the plan's commit already.
      const north = team.worker("north", "--approve", "safe");
      await north.prints(/S001: attempt 1 waits/);
      assert.equal((await stage.run("plan", "cancel", planId)).code, 0);
      const requests = stage.model.requests.length;
      await team.sql(`update rooroo.plan set state = 'open', closed_at = null;
        update rooroo.ask set choice = null, answered_at = now();
        update rooroo.task set state = 'queued', wip = null;
        notify rooroo_ready, 'shop'`);
      await north.prints(/it has landed or was given up, so it is not worked on/);
      assert.equal(stage.model.requests.length, requests);
    });

    it("is shown by the name that it gives, and orders nothing by it", async () => {
      team = await TeamStage.open(server, works, { "notes.txt": "begin\n" });
      const { stage } = team;
      const planId = await team.send("one");
      const north = team.worker("north", "--approve", "safe");
      await north.prints(/S001: attempt 1 waits/);
      await team.sql(
        `update rooroo.task set machine = E'n\\x1b[2J\\u202Eorth --approve all', attempt = 41`,
      );
      const { stdout } = await stage.run("plan", "sent");
      assert.match(stdout, /asking {2}n\S*⟨U\+202E⟩orth --approve all, attempt 41/);
      assert.doesNotMatch(stdout, /\u202E|\x1b\[2J/);
      assert.equal((await stage.run("approve", `${idOf(planId)}_S001`)).code, 0);
      await north.prints(/S001: attempt 42 is done/);
      assert.equal((await stage.run("plan", "land", planId)).code, 0);
      assert.equal(await stage.read("one.txt"), "done\n");
    });

    it("cannot have half of a plan land as the whole of it", async () => {
      let tell: () => void = () => undefined;
      const asked = new Promise<void>((resolve) => (tell = resolve));
      let isHeld = true;
      const script = playsWith((request) => {
        if (request.goal !== "two" || !isHeld) return leavesFile(request);
        isHeld = false;
        tell();
        return new Promise<never>(() => undefined);
      });
      team = await TeamStage.open(server, script, { "notes.txt": "begin\n" });
      const { stage } = team;
      const planId = await team.send("one", "two");
      const north = team.worker("north", "--approve", "all");
      await asked;
      north.kill("SIGKILL");
      await north.ended;
      await team.sql("update rooroo.plan set state = 'done'");
      const landed = await stage.run("plan", "land", planId);
      assert.equal(landed.code, 1, landed.stdout);
      assert.match(landed.stderr, /has no report of \S+_S002 that says so/);
      assert.equal(await stage.read("one.txt"), "");
      // It is away as before, and another worker ends it.
      await team.sql("update rooroo.plan set state = 'open'");
      await team.expireHeartbeats();
      const south = team.worker("south", "--approve", "all");
      await south.prints(/S002: attempt 2 is done/);
      assert.equal((await stage.run("plan", "land", planId)).code, 0);
      assert.equal(await stage.read("two.txt"), "done\n");
    });
  });
}
