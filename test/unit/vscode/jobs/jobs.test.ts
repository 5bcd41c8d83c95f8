import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { jobPlayers, type JobPlay } from "../../../modelServer/jobPlayers.js";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

const plan = {
  title: "Docs in French",
  changes: [{ action: "add", items: [{ text: "1. Home" }, { text: "2. Help" }] }],
};
const file = ".jixo/french.job.md";
const log = ".jixo/french.log.md";

describe("jobs", () => {
  let stage: ExtensionStage;
  const settings = {
    "rooroo.approvals.preset": "all",
    "rooroo.jobs.runners": 2,
    "rooroo.jobs.maxTurns": 30,
  };
  useExtensionStage({ settings }, (opened) => {
    stage = opened;
  });
  afterEach(async () => {
    await stage.command("workbench.action.revertAndCloseActiveEditor");
    await stage.command("workbench.action.closeAllEditors");
    await stage.remove(".jixo");
    await stage.remove("docs");
    const { list } = stage.parts.jobs;
    await until(() => list.overview.length === 0, "no job is listed");
  });

  const plays = (play: Partial<JobPlay> = {}) => {
    const players = jobPlayers({ plan, ...play });
    stage.server.script(...Array.from({ length: 50 }, () => players));
  };
  /** Runs it as one Enter does, or with the choice of this number; resolves when it has ended. */
  const run = async (choice = 0) => {
    stage.person.picks(choice);
    await stage.command("rooroo.runJob", "french");
  };
  const row = async (id: string): Promise<vscode.TreeItem> => {
    const { tree } = stage.parts.jobs.rows;
    await until(() => tree.row(id), `the row ${id}`);
    return tree.getTreeItem(id);
  };
  const described = (id: string, words: RegExp) =>
    until(async () => words.test(String((await row(id)).description)), `${id}: ${words.source}`);
  const lenses = async (path: string): Promise<vscode.CodeLens[]> => {
    const found: unknown = await stage.command(
      "vscode.executeCodeLensProvider",
      vscode.Uri.file(stage.path(path)),
    );
    return found as vscode.CodeLens[];
  };

  it("begin with a file that says what for, which opens, and a row", async () => {
    stage.person.types("french", "Translate docs/ into French.").picks(["src"]);
    await stage.command("rooroo.newJob");
    const goal = "Translate docs/ into French.";
    assert.equal(await stage.read(file), `---\nname: "french"\ndirs: ["src"]\n---\n\n${goal}\n`);
    await until(
      () => vscode.window.activeTextEditor?.document.uri.fsPath === stage.path(file),
      "the file in an editor",
    );
    await described("job:french", /^new$/);
    const titles = await until(async () => {
      const found = await lenses(file);
      return found.length > 0 && found.map(({ command }) => command?.title);
    }, "commands above the first line");
    assert.deepEqual(titles, ["Run Job…"]);
  });

  it("are marked, and asked about, until a person has run them", async () => {
    await stage.remove(".rooroo/jobs");
    await stage.write(file, "Translate docs/ into French.\n");
    await described("job:french", /^new · external$/);
    plays();
    stage.person.picks(undefined);
    await stage.command("rooroo.runJob");
    assert.equal(stage.person.asked.at(-1), "Select a job");
    await run(1);
    await described("job:french", /^(?!.*external)/);
  });

  it("run, are stopped, and run again: for one unit, and to their end by a word to the Navigator", async () => {
    await stage.write(file, "Translate docs/ into French.\n");
    await row("job:french");
    let goOn = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    plays({ waits: () => waiting });
    const first = run();
    await described("task:french:1", /^turn 1\/30$/);
    await described("task:french:2", /^turn 1\/30$/);
    const { status } = stage.parts;
    await until(() => status.current.works[0]?.ref.name === "french", "the job in the status");
    await stage.command("rooroo.stopJob", "job:french");
    await first;
    assert.doesNotMatch(await stage.read(log), /Locked/);
    assert.match(await stage.read(log), /Stopped by the user; work will be resumed\./);
    await described("job:french", /^0% · not running$/);
    const { conversation, chat } = stage.parts;
    const isTold = conversation.state.items.some(
      (item) => item.kind === "notice" && item.text.includes("still stopping"),
    );
    assert.ok(!isTold, "nothing is said of runners that have ended");

    goOn();
    await stage.remove("docs");
    plays({ plan });
    // One unit of work.
    await run(1);
    await described("job:french", /^50% · not running$/);
    const { session } = stage.parts;
    assert.equal((await (await session.navigator()).say("/job french")).status, "done");
    await described("job:french", /^100%$/);
    assert.match(await stage.read(log), /progress: "100%"/);
    assert.ok(chat);
    const reports = conversation.state.items.filter((item) => item.kind === "report");
    const done = reports.find(({ message }) => message === "Wrote docs/2.md.");
    assert.equal(done?.changedFiles, 1);
    await stage.command("rooroo.reviewChanges", done.taskId);
    await until(
      () =>
        vscode.window.tabGroups.activeTabGroup.activeTab?.label.startsWith(
          "Changes: Task 2. Help · ",
        ),
      "a review of what the unit has changed",
    );
    assert.equal(
      conversation.state.items.some((item) => item.kind === "task" && item.running),
      false,
    );
  });

  it("are shown as a page, without scripts, from a row and by name, anew each time", async () => {
    await stage.write(file, "Translate docs/ into French.\n");
    plays({
      ends: (task) => (task === "2" ? { result: "Failed", summary: "<b>No</b>." } : undefined),
    });
    await run(1);
    await run(1);
    await row("job:french");
    const page = ".rooroo/jobs/french/french.html";
    await stage.remove(page);
    await stage.command("rooroo.showJobReport", "job:french");
    const shown = () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(
          ({ input }) =>
            input instanceof vscode.TabInputWebview && input.viewType.includes("rooroo.page"),
        );
    await until(() => shown().length > 0 || undefined, "the page");
    assert.deepEqual(
      shown().map(({ label }) => label),
      ["Report: french"],
    );
    assert.match(
      await stage.read(page),
      /<h1 dir="auto">Docs in French<\/h1>[^]*1 of 2 tasks done/,
    );
    await run(1);
    await stage.command("rooroo.showJobReport", "french");
    assert.equal(shown().length, 1);
    assert.match(
      await stage.read(page),
      /failed: &lt;b&gt;No&lt;\/b&gt;\.|failed[^]*&lt;b&gt;No&lt;/,
    );
  });

  it("ask, and take the answer from a command, from the panel and from the file", async () => {
    await stage.write(file, "Translate docs/ into French.\n");
    const asked = new Set<string>();
    const ends = (task: string) => {
      // A job that is done asks nothing any more.
      if (asked.has(task)) return { result: "Failed", summary: "Not without an answer." };
      asked.add(task);
      const items = [{ text: `${task}. Go on` }];
      const clarification = { question: `What of ${task}?`, default_plan: items };
      return { result: "Pending", summary: "Asking.", clarification };
    };
    plays({ ends });
    await run();
    const { session, conversation, jobs } = stage.parts;
    const open = () =>
      jobs.list.overview[0]?.questions.filter(({ answer }) => answer === null) ?? [];
    // Others are about failed tasks that planners did not mend: one, or one each, as the runners come to them.
    await until(() => open().length >= 2, "two questions");
    const card = (id: string) => {
      const at = conversation.state.positions.get(id);
      const item = at === undefined ? undefined : conversation.state.items[at];
      return item?.kind === "question" ? item : undefined;
    };
    const [first, second] = open();
    assert.ok(first && second);
    assert.equal(card(first.id)?.answer, undefined);
    await vscode.window.showTextDocument(vscode.Uri.file(stage.path(file)));
    await until(
      async () =>
        (await lenses(file)).filter(({ command }) => command?.title === "Answer…").length ===
        open().length,
      "a command above each question",
    );
    const [openLog] = (await lenses(file)).filter(({ command }) => command?.title === "Open Log");
    await stage.command(
      openLog?.command?.command ?? "",
      ...((openLog?.command?.arguments ?? []) as unknown[]),
    );
    await until(
      () => vscode.window.activeTextEditor?.document.uri.fsPath === stage.path(log),
      "the log in an editor",
    );
    const questionRow = `question:french:${first.id}`;
    await until(() => jobs.rows.tree.row(questionRow), "its row");
    stage.person.types("By command.");
    await stage.command("rooroo.answerJob", questionRow);
    await until(() => card(first.id)?.answer === "By command.", "a closed card");
    assert.match(await stage.read(file), /- By command\./);

    const text = await stage.read(file);
    await stage.write(file, text.replace("- <!-- Write your answer here. -->", "- By hand."));
    await until(() => card(second.id)?.answer === "By hand.", "a card closed by the file");
    assert.deepEqual(card(second.id)?.work, { kind: "job", name: "french" });

    // One that another process has asked has a card, too.
    const block = `\n---\n### JIXO: CLARIFICATION REQUEST\n**ID**: Q-9\n**To User**: x\n\n**Question**:\n- And this?\n\n**Response**:\n---\n`;
    await stage.write(file, (await stage.read(file)) + block);
    await until(() => card("Q-9")?.text === "And this?", "a card");
    await (await session.works.jobs()).answer("Q-9", "So.");
    assert.equal(card("Q-9")?.answer, "So.");
  });

  it("say that they wait where a runner asks to be allowed something", async () => {
    stage.configure("approvals.preset", "safe");
    await stage.write(file, "Translate docs/ into French.\n");
    await row("job:french");
    plays();
    const ended = run();
    await described("task:french:1", /^awaiting approval$/);
    await described("job:french", /^0% · awaiting approval$/);
    const { status, conversation } = stage.parts;
    await until(() => status.current.needsYou === 2, "two runners need somebody");
    const cards = () =>
      conversation.state.items.flatMap((item) =>
        item.kind === "tool" && item.approval !== undefined ? [item.approval.state] : [],
      );
    assert.equal(cards().filter((state) => state === "open").length, 2);
    await stage.command("rooroo.stopJob", "french");
    await ended;
    await described("job:french", /^0% · not running$/);
    assert.ok(!cards().includes("open"));
    await until(() => status.current.needsYou === 0, "nobody is needed");
    stage.configure("approvals.preset", "all");
  });

  it("have the problems of their files shown where they are, and mended", async () => {
    await stage.write(file, "---\nevery: never\n---\nGo.\n");
    const rows = ["---", "title: t", "progress: 90%", "---", "## Roadmap", "- [x] 1. Go"];
    await stage.write(log, [...rows, "  - status: Pending", "## Work Log", ""].join("\n"));
    const uri = vscode.Uri.file(stage.path(log));
    const problems = () => vscode.languages.getDiagnostics(uri);
    const found = await until(() => problems().length === 2 && problems(), "two problems");
    assert.deepEqual(
      found.map(({ range, code, source }) => [range.start.line, code, source]),
      [
        [2, "R-JIXO-28", "Rooroo"],
        [5, "R-JIXO-28", "Rooroo"],
      ],
    );
    const ofFile = vscode.languages.getDiagnostics(vscode.Uri.file(stage.path(file)));
    assert.match(ofFile[0]?.message ?? "", /every is no period/);
    assert.match((await row("problem:french:1")).label as string, /^progress says 90%/);

    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    for (const [line, title, after] of [
      [2, "Update Progress to Match Tasks", 'progress: "0%"'],
      [5, "Update Checkbox to Match Status", "- [ ] 1. Go"],
    ] as const) {
      const action = await until(async () => {
        const at = new vscode.Range(line, 3, line, 3);
        const command = "vscode.executeCodeActionProvider";
        const all = await stage.command<vscode.CodeAction[]>(command, uri, at);
        return all.find((one) => one.title === title);
      }, title);
      assert.ok(action.edit);
      assert.ok(await vscode.workspace.applyEdit(action.edit));
      assert.equal(document.lineAt(line).text, after);
    }
    // What is typed counts before it is saved.
    await until(() => problems().length === 0, "no problems");
    assert.ok(document.isDirty);
    await document.save();
    const { tree } = stage.parts.jobs.rows;
    await until(
      () => tree.row("problem:french:1") === undefined,
      "only the job file's problem in the tree",
    );
  });
});
