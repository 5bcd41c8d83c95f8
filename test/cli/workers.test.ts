import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { postgresPrograms, PostgresServer } from "../fakes/postgresServer.js";
import { png } from "../fakes/smallImages.js";
import { type ExpertRequest, plans, plays, settled } from "./script.js";
import { TeamStage } from "./teamStage.js";

/** Plans by what the request says; each task appends its goal to a file and tells what it has read there. */
const experts = {
  "rooroo-planner": (request: ExpertRequest) =>
    plans(...(/\((.*)\)/.exec(request.messages.at(1)?.content ?? "")?.[1] ?? "").split(", "))(
      request,
    ),
  "rooroo-developer": writes,
};
const works = plays({ route: "plan", goal: "Plan it" }, experts);

function writes(request: ExpertRequest) {
  return writesAfter(0, request);
}

/** @param before how many calls there were before */
function writesAfter(before: number, request: ExpertRequest) {
  return (
    [
      calls("read_file", { path: "notes.txt" }),
      calls("edit_file", {
        path: "notes.txt",
        old_text: "end\n",
        new_text: `${request.goal}\nend\n`,
      }),
    ][settled(request) - before] ?? completes({ message: `${request.goal}: done` })
  );
}

/** Something that a test waits for. */
function signal() {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return {
    given,
    give: () => {
      give();
    },
  };
}

// Where PostgreSQL is not installed and cannot be, the queue's contract still runs on an embedded one.
if (postgresPrograms() !== undefined) {
  describe("workers", () => {
    let server: PostgresServer;
    let team: TeamStage | undefined;
    before(async () => {
      server = await PostgresServer.start();
    });
    after(() => server.stop());
    afterEach(() => team?.close());

    it("work on a plan that is sent, dirty files included, and it lands", async () => {
      team = await TeamStage.open(server, works, { "notes.txt": "begin\nend\n" });
      const { stage } = team;
      await stage.write("mine.txt", "not committed\n");
      const planId = await team.send("one", "two");
      assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
      const setup = "echo ready > prepared.txt";
      const worker = team.worker("north", "--approve", "all", "--setup", setup);
      await worker.prints(/S002: attempt 1 is done/);
      assert.equal(await stage.read("notes.txt"), "begin\nend\n");
      const landed = await stage.run("plan", "land", planId);
      assert.equal(landed.code, 0, landed.stdout + landed.stderr);
      assert.equal(await stage.read("notes.txt"), "begin\none\ntwo\nend\n");
      assert.equal(await stage.read("mine.txt"), "not committed\n");
      // Nothing of it is left on the remote or of the remote here, and the database may forget it.
      assert.equal(team.git("for-each-ref", "refs/rooroo"), "");
      const here = { cwd: stage.root, encoding: "utf8" } as const;
      const own = execFileSync("git", ["for-each-ref", "--format=%(refname)", "refs/rooroo"], here);
      assert.doesNotMatch(own, /rooroo\/(base|wip|result|answer)/);
      const open = "select id from rooroo.plan where closed_at is null";
      assert.deepEqual(await team.sql(open), []);
      assert.equal(await stage.read("prepared.txt"), "ready\n", "by the worker's setup command");
    });

    it("get no plan of a repository that names a program to reach its remote, or has submodules", async () => {
      team = await TeamStage.open(server, works, { "notes.txt": "begin\nend\n" });
      const { stage } = team;
      const git = (...args: string[]) =>
        execFileSync("git", args, { cwd: stage.root, encoding: "utf8", stdio: "pipe" }).trim();
      git("config", "credential.helper", "!touch ran");
      await assert.rejects(team.send("one", "two"), /\(credential\.helper\).* includeIf/);
      const queue = await stage.read(".rooroo/queue.jsonl");
      assert.equal(queue.trim().split("\n").length, 2, "the plan is still here");
      git("config", "--unset", "credential.helper");

      const head = git("rev-parse", "HEAD");
      git("update-index", "--add", "--cacheinfo", `160000,${head},lib`);
      git("-c", "user.name=A", "-c", "user.email=a@example.test", "commit", "-qm", "Submodule");
      const { plan_id: planId } = JSON.parse(queue.split("\n")[0] ?? "") as { plan_id: string };
      const refused = await stage.run("plan", "send", planId, "--repository", "shop");
      assert.equal(refused.code, 1, refused.stdout);
      assert.match(refused.stderr, /This repository has submodules/);
      assert.equal(await stage.read(".rooroo/queue.jsonl"), queue);
      assert.equal(team.git("for-each-ref"), "");
      assert.deepEqual(await team.sql("select id from rooroo.plan"), []);
      assert.doesNotMatch(git("worktree", "list"), /ROO/);
    });

    it("bring what tasks have put into their own folders, and tell what stayed, also later", async () => {
      const developer = (request: ExpertRequest) => {
        const own = `.rooroo/tasks/${request.taskId}`;
        const command = `ln -s notes '${own}/linked'; echo theirs > '${own}/mine.txt'`;
        return (
          [
            calls("write_to_file", { path: `${own}/notes/a.md`, content: "noted\n" }),
            calls("execute_command", { command }),
          ][settled(request)] ?? writesAfter(2, request)
        );
      };
      const script = plays(
        { route: "plan", goal: "Plan it" },
        { ...experts, "rooroo-developer": developer },
      );
      team = await TeamStage.open(server, script, { "notes.txt": "begin\nend\n" });
      const { stage } = team;
      const planId = await team.send("one", "two");
      const [one, two] = ["S001", "S002"].map((step) => `${planId.replace("PLAN", "SUB")}_${step}`);
      await stage.write(`.rooroo/tasks/${one}/mine.txt`, "mine\n");
      const worker = team.worker("north", "--approve", "all");
      await worker.prints(/S002: attempt 1 is done/);
      await stage.write("notes.txt", "begin\nelse\nend\n");
      assert.notEqual((await stage.run("plan", "land", planId)).code, 0);
      for (const task of [one, two]) {
        assert.equal(await stage.read(`.rooroo/tasks/${task}/notes/a.md`), "noted\n");
        assert.equal(await stage.read(`.rooroo/tasks/${task}/linked/a.md`), "");
        const report = await stage.read(`.rooroo/tasks/${task}/report.json`);
        assert.match(report, /Left on north[^"]*\/linked: it is a link/);
      }
      assert.equal(await stage.read(`.rooroo/tasks/${one}/mine.txt`), "mine\n");
      assert.equal(await stage.read(`.rooroo/tasks/${two}/mine.txt`), "theirs\n");
      const told = [
        "3 files stayed where the tasks worked, and will not land:",
        `${one}, north: .rooroo/tasks/${one}/linked: it is a link, or a repository of its own (5 bytes)`,
        `${one}, north: .rooroo/tasks/${one}/mine.txt: there is another file at its place (7 bytes)`,
        `${two}, north: .rooroo/tasks/${two}/linked: it is a link`,
      ];
      await stage.write("notes.txt", "begin\nend\n");
      for (const command of ["list", "land"]) {
        const given = command === "list" ? [] : [planId];
        const { stdout } = await stage.run("plan", command, ...given);
        for (const line of told) assert.ok(stdout.includes(line), stdout);
      }
    });

    it("see the images that came with the request", async () => {
      team = await TeamStage.open(server, works, { "notes.txt": "begin\nend\n" });
      const { stage } = team;
      await writeFile(stage.path("shot.png"), png);
      const planId = await team.sendWith(["--attach", "shot.png"], "one", "two");
      const before = stage.model.requests.length;
      const worker = team.worker("north", "--approve", "all");
      await worker.prints(/S002: attempt 1 is done/);
      const image = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
      const told = stage.model.requests.slice(before);
      assert.deepEqual([...new Set(told.flatMap(({ images }) => images))], [image]);
      assert.ok(told.every(({ images }) => images.length === 1));
      assert.doesNotMatch(await team.dump(), /shot\.png/);
      assert.equal((await stage.run("plan", "land", planId)).code, 0);
    });

    it("are taken over when killed: the other goes on with the files of the last commit", async () => {
      const held = new Promise<never>(() => undefined);
      const asked = signal();
      let first = true;
      team = await TeamStage.open(
        server,
        plays(
          { route: "plan", goal: "Plan it" },
          {
            ...experts,
            "rooroo-developer": (request) => {
              if (settled(request) === 2 && first) {
                first = false;
                asked.give();
                return held;
              }
              return writes(request);
            },
          },
        ),
        { "notes.txt": "begin\nend\n" },
      );
      const planId = await team.send("one", "two");
      const north = team.worker("north", "--approve", "all");
      await asked.given;
      const south = team.worker("south", "--approve", "all");
      await south.prints(/Worker south/);
      north.kill("SIGKILL");
      await team.expireHeartbeats();
      await south.prints(/S001: attempt 2 is done/);
      await south.prints(/S002: attempt 1 is done/);
      const landed = await team.stage.run("plan", "land", planId);
      assert.equal(landed.code, 0, landed.stdout + landed.stderr);
      assert.equal(await team.stage.read("notes.txt"), "begin\none\ntwo\nend\n");
    });

    it("that are killed again and again at the same call ask whether it is tried again, and fail nothing", async () => {
      const held = new Promise<never>(() => undefined);
      let asked = signal();
      let isFatal = true;
      const developer = (request: ExpertRequest) => {
        if (settled(request) < 2 || !isFatal) return writes(request);
        asked.give();
        return held;
      };
      const script = plays(
        { route: "plan", goal: "Plan it" },
        { ...experts, "rooroo-developer": developer },
      );
      team = await TeamStage.open(server, script, { "notes.txt": "begin\nend\n" });
      const { stage } = team;
      const planId = await team.send("one");
      for (const [name, deaths] of [
        ["north", []],
        ["south", [2]],
      ] as const) {
        asked = signal();
        const worker = team.worker(name, "--approve", "all");
        await asked.given;
        worker.kill("SIGKILL");
        await worker.ended;
        assert.deepEqual(await team.sql("select call, deaths from rooroo.task"), [
          { call: 2, deaths },
        ]);
        await team.expireHeartbeats();
      }
      // As after two more.
      await team.sql("update rooroo.task set deaths = deaths || 2 || 2 || 2");
      const requests = stage.model.requests.length;
      const worker = team.worker("north", "--approve", "all");
      await worker.prints(/S001: attempt 3 waits for an answer/);
      assert.equal(stage.model.requests.length, requests);
      const sent = await stage.run("plan", "sent");
      assert.match(sent.stdout, /needs approval: Try again after 5 attempts without a result\n/);
      const inGerman = await stage.runIn("de_DE.UTF-8", "plan", "sent");
      assert.match(inGerman.stdout, /braucht eine Genehmigung: Nach 5 Versuchen ohne Ergebnis/);
      isFatal = false;
      const task = `${planId.split("_").slice(1).join("_")}_S001`;
      assert.equal((await stage.run("approve", task)).code, 0);
      await worker.prints(/S001: attempt 4 is done/);
      assert.equal((await stage.run("plan", "land", planId)).code, 0);
      assert.equal(await stage.read("notes.txt"), "begin\none\nend\n");
    });

    it("that are killed after a question was answered leave the answer to the next, who does not ask again", async () => {
      const held = new Promise<never>(() => undefined);
      const told = signal();
      let isFirst = true;
      const asks = calls("ask_followup_question", { question: "Which?", suggestions: ["red"] });
      const developer = (request: ExpertRequest) => {
        if (settled(request) === 0) return asks;
        if (!isFirst) return completes({ message: request.results.at(0)?.content ?? "" });
        isFirst = false;
        told.give();
        return held;
      };
      const script = plays(
        { route: "plan", goal: "Plan it" },
        { ...experts, "rooroo-developer": developer },
      );
      team = await TeamStage.open(server, script, { "notes.txt": "begin\nend\n" });
      const { stage } = team;
      const planId = await team.send("one");
      const north = team.worker("north", "--approve", "all");
      await north.prints(/S001: attempt 1 waits for an answer/);
      const task = `${planId.split("_").slice(1).join("_")}_S001`;
      assert.equal((await stage.run("answer", task, "the red one")).code, 0);
      await told.given;
      north.kill("SIGKILL");
      await team.expireHeartbeats();
      const south = team.worker("south", "--approve", "all");
      await south.prints(/S001: attempt 3 is done/);
      assert.equal((await team.sql("select id from rooroo.ask")).length, 1);
      assert.equal((await stage.run("plan", "land", planId)).code, 0);
      const report = await stage.read(`.rooroo/tasks/ROO#SUB_${task}/report.json`);
      assert.match(report, /the red one/);
    });

    it("that sleep and wake after their task was given away change nothing that is read", async () => {
      const held = signal();
      const asked = signal();
      let first = true;
      team = await TeamStage.open(
        server,
        plays(
          { route: "plan", goal: "Plan it" },
          {
            ...experts,
            "rooroo-developer": async (request) => {
              if (settled(request) === 2 && first) {
                first = false;
                asked.give();
                await held.given;
                return calls("write_to_file", { path: "zombie.txt", content: "I was here\n" });
              }
              return writes(request);
            },
          },
        ),
        { "notes.txt": "begin\nend\n" },
      );
      const planId = await team.send("one");
      const north = team.worker("north", "--approve", "all");
      await asked.given;
      north.kill("SIGSTOP");
      await team.expireHeartbeats();
      const south = team.worker("south", "--approve", "all");
      await south.prints(/S001: attempt 2 is done/);
      const before = [await team.stage.json("plan", "sent"), team.results()];
      held.give();
      north.kill("SIGCONT");
      await north.prints(/S001: attempt 1 was given to another worker/);
      assert.deepEqual([await team.stage.json("plan", "sent"), team.results()], before);
      assert.match(team.results().join(), /S001\/2$/);
      assert.equal((await team.stage.run("plan", "land", planId)).code, 0);
      assert.equal(await team.stage.read("zombie.txt"), "");
      assert.equal(await team.stage.read("notes.txt"), "begin\none\nend\n");
    });

    it("ask the person who sent the plan, and go on with the answer", async () => {
      team = await TeamStage.open(
        server,
        plays(
          { route: "plan", goal: "Plan it" },
          {
            ...experts,
            "rooroo-developer": (request) => {
              const asks = calls("ask_followup_question", {
                question: "Which?",
                suggestions: ["red", "blue"],
              });
              const color = request.results.at(0)?.content ?? "";
              const [, path = "none.txt"] =
                /not there: in (\S+)/.exec(request.results.at(1)?.content ?? "") ?? [];
              const writes = (to: string) =>
                calls("write_to_file", { path: to, content: `${color}\n` });
              return (
                [asks, writes("color.txt"), writes(path)][settled(request)] ??
                completes({ message: "done" })
              );
            },
          },
        ),
        { "notes.txt": "begin\nend\n" },
      );
      const { stage } = team;
      const planId = await team.send("one");
      const north = team.worker("north", "--approve", "safe");
      await north.prints(/S001: attempt 1 waits for an answer/);
      const sent = await stage.run("plan", "sent");
      assert.match(sent.stdout, /asks: Which\?/);
      const task = `${planId.split("_").slice(1).join("_")}_S001`;
      const answered = await stage.run("answer", task, "2");
      assert.equal(answered.code, 0, answered.stdout + answered.stderr);
      // The answer is used, and the file is a change that this worker's rules do not allow.
      await north.prints(/S001: attempt 2 waits for an answer/);
      const shown = await stage.run("plan", "sent");
      assert.match(shown.stdout, /needs approval: .*color\.txt/);
      assert.match(shown.stdout, /blue/);
      const denied = await stage.run("deny", task, "--why", "not there: in paint.txt");
      assert.equal(denied.code, 0, denied.stdout + denied.stderr);
      await north.prints(/S001: attempt 3 waits for an answer/);
      assert.match((await stage.run("plan", "sent")).stdout, /needs approval: .*paint\.txt/);
      const inGerman = await stage.runIn("de_DE.UTF-8", "plan", "sent");
      assert.match(inGerman.stdout, /braucht eine Genehmigung: paint\.txt erstellen/);
      const approved = await stage.run("approve", task);
      assert.equal(approved.code, 0, approved.stdout + approved.stderr);
      await north.prints(/S001: attempt 4 is done/);
      assert.notEqual((await stage.run("approve", task)).code, 0);
      assert.equal((await stage.run("plan", "land", planId)).code, 0);
      assert.equal(await stage.read("paint.txt"), "blue\n");
      assert.equal(await stage.read("color.txt"), "");
      const stored = await team.dump();
      for (const word of [
        "Which",
        "blue",
        "color",
        "paint",
        "begin",
        "Plan it",
        "0123456789abcdef",
      ]) {
        assert.ok(!stored.includes(word), `the database has ${word}`);
      }
    });

    it("work on several plans at once; what is away is in no list, and one is pushed as a branch", async () => {
      const both = signal();
      let asking = 0;
      team = await TeamStage.open(
        server,
        plays(
          { route: "plan", goal: "Plan it" },
          {
            ...experts,
            "rooroo-developer": async (request) => {
              // Each waits for the other, so that they can only be done at the same time.
              if (settled(request) === 0 && ++asking === 2) both.give();
              if (settled(request) === 0) await both.given;
              return writes(request);
            },
          },
        ),
        { "notes.txt": "begin\nend\n" },
      );
      const { stage } = team;
      const [one, two] = [await team.send("one"), await team.send("two")];
      const away = (await stage.tasks()).filter(({ mode }) => mode !== "rooroo-planner");
      assert.deepEqual(away, []);
      assert.match((await stage.run("plan", "list")).stdout, /2 plans sent to other machines/);
      assert.equal((await stage.run("plan", "discard", one, "--yes")).code, 64);
      const worker = team.worker("north", "--approve", "all", "--slots", "2");
      await worker.prints(/attempt 1 is done/, 2);
      assert.equal((await stage.run("plan", "land", one)).code, 0);
      assert.equal(await stage.read("notes.txt"), "begin\none\nend\n");
      assert.deepEqual(await stage.tasks("interrupted"), []);
      const pushed = await stage.run("plan", "push", two);
      assert.equal(pushed.code, 0, pushed.stdout + pushed.stderr);
      const branch = `rooroo/${two.replace("#", "-")}`;
      assert.equal(team.git("show", `${branch}:notes.txt`), "begin\ntwo\nend\n");
      assert.equal(team.git("log", "--format=%an", branch), "Rooroo\nAda\n");
      assert.throws(() => team?.git("show", `${branch}:.rooroo`));
    });

    it("are told which row of a plan cannot be read, and the person who sent it sees the others", async () => {
      team = await TeamStage.open(server, works, { "notes.txt": "begin\nend\n" });
      const { stage } = team;
      const [odd, fine] = [await team.send("one"), await team.send("two")];
      await team.sql(`update rooroo.plan set base = E'x\\u202Ey' where id = '${odd}'`);
      const { stdout, code } = await stage.run("plan", "sent");
      assert.equal(code, 0);
      assert.ok(stdout.includes(`${fine}  open`), stdout);
      assert.ok(stdout.includes(`${odd}  cannot be read`), stdout);
      assert.ok(
        stdout.includes(`In the team's database, plan ${odd} cannot be read (base)`),
        stdout,
      );
      assert.doesNotMatch(stdout, /\u202E|invalid|expected|pattern/);
      const { plans } = (await stage.json("plan", "sent")) as {
        plans: { planId: string; state: string; unreadable?: unknown }[];
      };
      const told = new Map(plans.map((one) => [one.planId, one]));
      assert.equal(told.get(odd)?.state, "unreadable");
      assert.deepEqual(told.get(odd)?.unreadable, [{ row: `plan ${odd}`, columns: ["base"] }]);
      assert.equal(told.get(fine)?.state, "open");
      assert.equal(told.get(fine)?.unreadable, undefined);
      const landed = await stage.run("plan", "land", odd);
      assert.match(landed.stderr, /cannot be read \(base\)/);
      const worker = team.worker("north", "--approve", "all");
      await worker.prints(/S001: attempt 1 is done/);
      await worker.prints(/! In the team's database, task \S+ cannot be read \(base\)/);
      assert.equal((await stage.run("plan", "land", fine)).code, 0);
      assert.equal(await stage.read("notes.txt"), "begin\ntwo\nend\n");
    });

    it("let others go on at once when they are stopped", async () => {
      const asked = signal();
      let first = true;
      team = await TeamStage.open(
        server,
        plays(
          { route: "plan", goal: "Plan it" },
          {
            ...experts,
            "rooroo-developer": (request) => {
              if (settled(request) < 2 || !first) return writes(request);
              first = false;
              asked.give();
              return new Promise<never>(() => undefined);
            },
          },
        ),
        { "notes.txt": "begin\nend\n" },
      );
      const planId = await team.send("one");
      const north = team.worker("north", "--approve", "all");
      await asked.given;
      north.kill("SIGTERM");
      assert.equal((await north.ended).code, 143);
      const south = team.worker("south", "--approve", "all");
      await south.prints(/S001: attempt 2 is done/);
      assert.equal((await team.stage.run("plan", "land", planId)).code, 0);
      assert.equal(await team.stage.read("notes.txt"), "begin\none\nend\n");
    });

    it("land what there is of a plan that has failed, once that is confirmed", async () => {
      team = await TeamStage.open(
        server,
        plays(
          { route: "plan", goal: "Plan it" },
          {
            ...experts,
            "rooroo-developer": (request) =>
              request.goal === "two"
                ? completes({ status: "Failed", message: "no" })
                : writes(request),
          },
        ),
        { "notes.txt": "begin\nend\n" },
      );
      const { stage } = team;
      const planId = await team.send("one", "two", "three");
      const worker = team.worker("north", "--approve", "all");
      await worker.prints(/S002: attempt 1 has failed/);
      assert.equal((await stage.run("plan", "land", planId)).code, 64);
      assert.equal(await stage.read("notes.txt"), "begin\nend\n");
      const landed = await stage.run("plan", "land", planId, "--yes");
      assert.equal(landed.code, 0, landed.stdout + landed.stderr);
      assert.equal(await stage.read("notes.txt"), "begin\none\nend\n");
    });

    it("do nothing for somebody who can write the database and has no key", async () => {
      team = await TeamStage.open(server, works, { "notes.txt": "begin\nend\n" });
      await team.send("one");
      await team.sql("update rooroo.plan set signature = 'x'");
      const asked = team.stage.model.requests.length;
      const worker = team.worker("north", "--approve", "all");
      await worker.prints(/was not sent by somebody who has the team's key/);
      assert.equal(team.stage.model.requests.length, asked);
      assert.deepEqual(team.results(), [""]);
    });
  });
}
