import { strict as assert } from "node:assert";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Frame } from "playwright-core";
import { Rooroo } from "../cli/rooroo.js";
import { postgresPrograms, PostgresServer } from "../fakes/postgresServer.js";
import { call, report, type Scripted, triage } from "../modelServer/modelServer.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

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
    let stage: Stage;
    let panel: Frame;
    let server: PostgresServer;
    let url: string;
    let folder: string;
    const workers: Rooroo[] = [];
    before(async () => {
      server = await PostgresServer.start();
      url = await server.newDatabase();
      folder = mkdtempSync(join(tmpdir(), "rooroo-team-"));
    });
    useStage({ settings: { "rooroo.plans.start": "wait" } }, async (opened) => {
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

    const type = async (title: string, text: string) => {
      const box = stage.page.locator(".quick-input-widget:visible").filter({ hasText: title });
      await box.locator("input.input").fill(text);
      await stage.page.keyboard.press("Enter");
    };
    /** Returns the refs of the remote that are below one. */
    const refs = (below: string) =>
      execFileSync("git", ["for-each-ref", "--format=%(refname)", below], {
        cwd: join(folder, "shop.git"),
        encoding: "utf8",
      }).trim();
    const toast = (text: RegExp) =>
      stage.page.locator(".notifications-toasts .notification-list-item").filter({ hasText: text });

    it("needs a database, which is tried before it is stored, and in no settings", async () => {
      await stage.runCommand("rooroo.setTeamDatabase");
      await type("Address of the Team's Database", url);
      await type("Team Key", key);
      await toast(/The team's database is set/).waitFor();
      await stage.screenshot("team-set");
      assert.ok(!JSON.stringify(await stage.settings()).includes("postgresql"));
    });

    it("is sent from its row, with what is not committed", async () => {
      stage.server.script(...planned("Colour the shop", "Choose a colour", "Describe the colour"));
      await stage.say(panel, "Colour the shop");
      const row = stage.row(/^Plan: Colour the shop/);
      await row.waitFor();
      await stage.write("mine.txt", "not committed\n");
      await row.click({ button: "right" });
      await stage.page.getByRole("menuitem", { name: "Send Plan to Workers…" }).waitFor();
      await stage.screenshot("team-send-menu");
      await stage.page.getByRole("menuitem", { name: "Send Plan to Workers…" }).hover();
      await stage.page.keyboard.press("Enter");
      await type("Name of This Repository", "shop");
      await stage.row(/^Plan on other machines: Colour the shop/).waitFor();
      await stage.screenshot("team-sent");
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
      await stage.row(/^Needs You, Choose a colour.*Which.*(north|south), attempt 1/).waitFor();
      await stage.screenshot("team-question");
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
      await stage.row(/^Needs You, Choose a colour.*approval.*attempt 2/).waitFor();
      await stage.screenshot("team-approval");
      await allow.click();
      await stage.row(/^Plan on other machines: Colour the shop, 2 of 2 done, Done/).waitFor();
      await stage.screenshot("team-done");
    });

    it("lands as changes that are reviewed", async () => {
      const row = stage.row(/^Plan on other machines: Colour the shop/);
      await stage.chooseFromMenu(row, "Land Plan");
      const dialog = stage.page.getByRole("dialog").filter({ hasText: "Land the plan" });
      await dialog.getByRole("button", { name: "Land Plan", exact: true }).click();
      await until(() => stage.has("colour.txt"), "it landed");
      await stage.page.getByRole("tab", { name: /Changes: Land: Colour the shop/ }).waitFor();
      await stage.screenshot("team-landed");
      assert.equal(await stage.read("colour.txt"), "blue\n");
      assert.equal(await stage.read("mine.txt"), "not committed\n");
      await until(() => refs("refs/rooroo") === "", "the remote has nothing of it any more");
      await row.waitFor({ state: "detached" });
    });

    it("is pushed as a branch, which stays when the plan is cancelled", async () => {
      stage.server.script(
        ...planned("Measure the door", "Look at the door", "Ask the carpenter"),
        report("Done", "It is two metres high."),
        report("Done", "The carpenter agrees."),
      );
      await stage.say(panel, "Measure the door");
      await stage.chooseFromMenu(stage.row(/^Plan: Measure the door/), "Send Plan to Workers…");
      const row = stage.row(/^Plan on other machines: Measure the door, 2 of 2 done, Done/);
      await stage.chooseFromMenu(row, "Push Plan as Branch");
      await toast(/What came of the plan is the branch rooroo\/\S+ of the remote origin/).waitFor();
      const branch = refs("refs/heads/rooroo");
      assert.match(branch, /^refs\/heads\/rooroo\/\S+$/);
      await stage.chooseFromMenu(row, "Cancel Sent Plan…");
      const dialog = stage.page.getByRole("dialog").filter({ hasText: "Cancel the plan" });
      await dialog.getByRole("button", { name: "Cancel Plan", exact: true }).click();
      await row.waitFor({ state: "detached" });
      assert.equal(refs("refs/rooroo"), "");
      assert.equal(refs("refs/heads/rooroo"), branch);
    });
  });
}
