import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { Rooroo } from "../cli/rooroo.js";
import { postgresPrograms, PostgresServer } from "../fakes/postgresServer.js";
import { call, report, type Scripted, triage } from "../modelServer/modelServer.js";
import { until } from "./extensionStage.js";
import type { PanelStage } from "./panelStage.js";
import { usePanelStage } from "./usePanelStage.js";

/** Returns the replies by which a request becomes a plan of two tasks. */
function planned(goal: string, ...goals: readonly string[]): Scripted[] {
  return [
    triage("plan", { goal }),
    call("list_files", { path: "" }),
    call("attempt_completion", {
      status: "Done",
      message: "Planned.",
      queue_tasks_json_lines: goals.map((goal_for_expert) => ({
        suggested_mode: "rooroo-developer",
        goal_for_expert,
      })),
    }),
  ];
}

const key = "0123456789abcdef0123456789abcdef";

// Where PostgreSQL is not installed, the queue's contract still runs on an embedded one.
if (postgresPrograms() !== undefined) {
  describe("a plan on other machines", () => {
    let stage: PanelStage;
    let panel: Page;
    let server: PostgresServer;
    let url: string;
    let folder: string;
    const workers: Rooroo[] = [];
    before(async () => {
      server = await PostgresServer.start();
      url = await server.newDatabase();
      folder = mkdtempSync(join(tmpdir(), "rooroo-team-"));
    });
    usePanelStage({ settings: { "rooroo.plans.start": "wait" } }, async (opened) => {
      stage = opened;
      panel = await stage.panel();
      const remote = join(folder, "shop.git");
      execFileSync("git", ["init", "--quiet", "--bare", remote]);
      execFileSync("git", ["remote", "add", "origin", remote], { cwd: stage.workspace });
      writeFileSync(join(folder, "repos.json"), JSON.stringify({ repositories: { shop: remote } }));
    });
    after(async () => {
      for (const worker of workers) worker.kill("SIGKILL");
      await Promise.all(workers.map(({ ended }) => ended));
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    });

    function worker(name: string): Rooroo {
      const cwd = join(folder, name);
      mkdirSync(cwd);
      const options = ["--repos", join(folder, "repos.json"), "--name", name, "--approve", "safe"];
      const started = new Rooroo(["worker", ...options], {
        cwd,
        env: {
          ROOROO_SANDBOX: "off",
          OPENAI_BASE_URL: stage.server.url,
          ROOROO_MODEL: "gpt-test",
          ROOROO_TEAM_DATABASE: url,
          ROOROO_TEAM_KEY: key,
        },
      });
      workers.push(started);
      return started;
    }

    /** Returns the refs of the remote that are below one. */
    const refs = (below: string) =>
      execFileSync("git", ["for-each-ref", "--format=%(refname)", below], {
        cwd: join(folder, "shop.git"),
        encoding: "utf8",
      }).trim();
    const said = (text: RegExp) =>
      until(() => stage.person.said("information").some((one) => text.test(one)), String(text));
    const away = (goal: string, more = "") => RegExp(`^Plan on other machines: ${goal}${more}`);

    it("needs a database, which is tried before it is stored, and in no settings", async () => {
      const { person } = stage;
      person.types("postgresql:///nowhere?host=/nowhere", key).clicks(undefined);
      await stage.command("rooroo.setTeamDatabase");
      assert.match(person.said("warning").at(-1) ?? "", /^The database cannot be used\. /);
      person.forget();
      person.types(url, key);
      await stage.command("rooroo.setTeamDatabase");
      await said(/The team's database is set/);
      assert.deepEqual(
        person.asked.slice(-2).map((title) => /Database|Key/.exec(title)?.[0]),
        ["Database", "Key"],
      );
      const { userValues } = stage.extension.editor.configuration;
      assert.ok(!JSON.stringify(userValues).includes("postgresql"));
    });

    it("is sent from its row, with what is not committed", async () => {
      stage.server.script(...planned("Colour the shop", "Choose a colour", "Describe the colour"));
      await stage.say(panel, "Colour the shop");
      await stage.write("mine.txt", "not committed\n");
      stage.person.types("shop");
      await stage.extension.choose(/^Plan: Colour the shop/, "rooroo.sendPlan");
      await stage.row(away("Colour the shop"));
      assert.equal(await stage.read(".rooroo/queue.jsonl"), "");
    });

    it("asks in the panel, and a worker goes on with the answer", async () => {
      stage.server.script(
        call("ask_followup_question", { question: "Which?", suggestions: ["red", "blue"] }),
      );
      const [north, south] = [worker("north"), worker("south")];
      await Promise.all([north.prints(/Worker north/), south.prints(/Worker south/)]);
      const question = panel.getByRole("button", { name: "blue" });
      await question.waitFor();
      await panel
        .getByText(/Developer on (north|south) asks/)
        .first()
        .waitFor();
      await stage.row(/^Needs You, Choose a colour.*Which.*(north|south), attempt 1/);
      stage.server.script(
        call("write_to_file", { path: "colour.txt", content: "blue\n" }),
        call("write_to_file", { path: "colour.txt", content: "blue\n" }),
        report("Done", "The colour is blue."),
        report("Done", "Described."),
      );
      await question.click();
    });

    it("asks for an approval there, for just what is shown", async () => {
      const allow = panel.getByRole("button", { name: "Allow", exact: true });
      await allow.waitFor();
      await stage.row(/^Needs You, Choose a colour.*approval.*attempt 2/);
      await allow.click();
      await stage.row(away("Colour the shop", ", 2 of 2 done, Done"));
    });

    it("lands as changes that are reviewed", async () => {
      stage.person.clicks("Land Plan");
      await stage.extension.choose(away("Colour the shop"), "rooroo.landPlan");
      assert.match(
        stage.person.messages.find(({ isModal }) => isModal)?.text ?? "",
        /Land the plan/,
      );
      await until(() => stage.has("colour.txt"), "it landed");
      await until(
        () => stage.extension.tab?.includes("Changes: Land: Colour the shop"),
        "the review is in front",
      );
      assert.equal(await stage.read("colour.txt"), "blue\n");
      assert.equal(await stage.read("mine.txt"), "not committed\n");
      await until(() => refs("refs/rooroo") === "", "the remote has nothing of it any more");
      await stage.extension.noRow(/^Plan on other machines: Colour the shop/);
    });

    it("is pushed as a branch, which stays when the plan is cancelled", async () => {
      stage.server.script(
        ...planned("Measure the door", "Look at the door", "Ask the carpenter"),
        report("Done", "It is two metres high."),
        report("Done", "The carpenter agrees."),
      );
      await stage.say(panel, "Measure the door");
      await stage.extension.choose(/^Plan: Measure the door/, "rooroo.sendPlan");
      const row = away("Measure the door", ", 2 of 2 done, Done");
      await stage.extension.choose(row, "rooroo.pushPlan");
      await said(/What came of the plan is the branch rooroo\/\S+ of the remote origin/);
      const branch = refs("refs/heads/rooroo");
      assert.match(branch, /^refs\/heads\/rooroo\/\S+$/);
      stage.person.clicks("Cancel Plan");
      await stage.extension.choose(row, "rooroo.cancelSentPlan");
      await stage.extension.noRow(/^Plan on other machines: Measure the door/);
      assert.equal(refs("refs/rooroo"), "");
      assert.equal(refs("refs/heads/rooroo"), branch);
    });
  });
}
