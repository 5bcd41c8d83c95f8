import { strict as assert } from "node:assert";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import * as vscode from "vscode";
import { jobPlayers, type JobPlay } from "../modelServer/jobPlayers.js";
import type { ModelServer } from "../modelServer/modelServer.js";
import { configure, disk, eventually, extension, product } from "./product.js";
import { replaced } from "./replaced.js";
import { useModelServer } from "./useModelServer.js";

const plan = {
  title: "Docs in French",
  changes: [{ action: "add", items: [{ text: "1. Home" }, { text: "2. Help" }] }],
};
const file = ".jixo/french.job.md";
const log = ".jixo/french.log.md";

describe("jobs", () => {
  let server: ModelServer;
  useModelServer(
    (started) => {
      server = started;
    },
    { "approvals.preset": "all", "jobs.runners": 2, "jobs.maxTurns": 30 },
  );
  afterEach(async () => {
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await disk.remove(".jixo");
    await disk.remove("docs");
    const { jobs } = await product();
    await eventually(() => jobs.overview.length === 0, "no job is listed");
  });

  const plays = (play: Partial<JobPlay> = {}) => {
    const players = jobPlayers({ plan, ...play });
    server.script(...Array.from({ length: 50 }, () => players));
  };
  /** Answers each of VS Code's own questions with the next of these. */
  const answering = (answers: readonly unknown[], work: () => Promise<void>) => {
    const left = [...answers];
    const answer = (items: unknown) => {
      const next = left.shift();
      const isChoice = Array.isArray(items) && typeof next === "number";
      return Promise.resolve(isChoice ? (items as unknown[])[next] : next);
    };
    return replaced(vscode.window, "showQuickPick", answer, () =>
      replaced(vscode.window, "showInputBox", answer, work),
    );
  };
  /** Runs it as one Enter does; resolves when it has ended. */
  const run = (choice = 0, ...more: readonly unknown[]) =>
    answering([choice, ...more], async () => {
      await vscode.commands.executeCommand("rooroo.runJob", "french");
    });
  const row = async (id: string): Promise<vscode.TreeItem> => {
    const { jobsView } = await product();
    await eventually(() => jobsView.tree.row(id), `the row ${id}`);
    return jobsView.tree.getTreeItem(id);
  };
  const described = (id: string, words: RegExp) =>
    eventually(
      async () => words.test(String((await row(id)).description)),
      `${id}: ${words.source}`,
    );
  const lenses = async (path: string): Promise<vscode.CodeLens[]> => {
    const found: unknown = await vscode.commands.executeCommand(
      "vscode.executeCodeLensProvider",
      vscode.Uri.file(disk.path(path)),
    );
    return found as vscode.CodeLens[];
  };

  it("begin with a file that says what for, which opens, and a row", async () => {
    await answering(["french", "Translate docs/ into French.", [{ label: "src" }]], async () => {
      await vscode.commands.executeCommand("rooroo.newJob");
    });
    const goal = "Translate docs/ into French.";
    assert.equal(await disk.read(file), `---\nname: "french"\ndirs: ["src"]\n---\n\n${goal}\n`);
    await eventually(
      () => vscode.window.activeTextEditor?.document.uri.fsPath === disk.path(file),
      "the file in an editor",
    );
    await described("job:french", /^new$/);
    const titles = await eventually(async () => {
      const found = await lenses(file);
      return found.length > 0 && found.map(({ command }) => command?.title);
    }, "commands above the first line");
    assert.deepEqual(titles, ["Run Job…"]);
  });

  it("run, are stopped, and run again: for one unit, and to their end by a word to the Navigator", async () => {
    await disk.write(file, "Translate docs/ into French.\n");
    await row("job:french");
    let goOn = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (goOn = resolve));
    plays({ waits: () => waiting });
    const first = run();
    await described("task:french:1", /^turn 1\/30$/);
    await described("task:french:2", /^turn 1\/30$/);
    const { status } = await product();
    await eventually(() => status.current.jobs[0]?.name === "french", "the job in the status");
    await vscode.commands.executeCommand("rooroo.stopJob", "job:french");
    await first;
    assert.doesNotMatch(await disk.read(log), /Locked/);
    assert.match(await disk.read(log), /Stopped by the user; work will be resumed\./);
    await described("job:french", /^0% · not running$/);
    const { conversation, chat } = await product();
    const isTold = conversation.state.items.some(
      (item) => item.kind === "notice" && item.text.includes("still stopping"),
    );
    assert.ok(!isTold, "nothing is said of runners that have ended");

    goOn();
    await disk.remove("docs");
    plays({ plan });
    // One unit of work.
    await run(1);
    await described("job:french", /^50% · not running$/);
    const { session } = await product();
    assert.equal((await (await session.navigator()).say("/job french")).status, "done");
    await described("job:french", /^100%$/);
    assert.match(await disk.read(log), /progress: "100%"/);
    assert.ok(chat);
    const reports = conversation.state.items.filter((item) => item.kind === "report");
    const done = reports.find(({ message }) => message === "Wrote docs/2.md.");
    assert.equal(done?.changedFiles, 1);
    await vscode.commands.executeCommand("rooroo.reviewChanges", done.taskId);
    await eventually(
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
    await disk.write(file, "Translate docs/ into French.\n");
    plays({
      ends: (task) => (task === "2" ? { result: "Failed", summary: "<b>No</b>." } : undefined),
    });
    await run(1);
    await run(1);
    await row("job:french");
    const page = ".rooroo/jobs/french/french.html";
    await disk.remove(page);
    await vscode.commands.executeCommand("rooroo.showJobReport", "job:french");
    const shown = () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(
          ({ input }) =>
            input instanceof vscode.TabInputWebview && input.viewType.includes("rooroo.page"),
        );
    await eventually(() => shown().length > 0 || undefined, "the page");
    assert.deepEqual(
      shown().map(({ label }) => label),
      ["Report: french"],
    );
    assert.match(await disk.read(page), /<h1 dir="auto">Docs in French<\/h1>[^]*1 of 2 tasks done/);
    await run(1);
    await vscode.commands.executeCommand("rooroo.showJobReport", "french");
    assert.equal(shown().length, 1);
    assert.match(
      await disk.read(page),
      /failed: &lt;b&gt;No&lt;\/b&gt;\.|failed[^]*&lt;b&gt;No&lt;/,
    );
  });

  it("ask, and take the answer from a command, from the panel and from the file", async () => {
    await disk.write(file, "Translate docs/ into French.\n");
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
    const { session, conversation, jobs, jobsView } = await product();
    const open = () => jobs.overview[0]?.questions.filter(({ answer }) => answer === null) ?? [];
    await eventually(() => open().length === 2, "two questions");
    const card = (id: string) => {
      const at = conversation.state.positions.get(id);
      const item = at === undefined ? undefined : conversation.state.items[at];
      return item?.kind === "question" ? item : undefined;
    };
    const [first, second] = open();
    assert.ok(first && second);
    assert.equal(card(first.id)?.answer, undefined);
    await vscode.window.showTextDocument(vscode.Uri.file(disk.path(file)));
    await eventually(
      async () =>
        (await lenses(file)).filter(({ command }) => command?.title === "Answer…").length === 2,
      "a command above each question",
    );
    const [openLog] = (await lenses(file)).filter(({ command }) => command?.title === "Open Log");
    await vscode.commands.executeCommand(
      openLog?.command?.command ?? "",
      ...((openLog?.command?.arguments ?? []) as unknown[]),
    );
    await eventually(
      () => vscode.window.activeTextEditor?.document.uri.fsPath === disk.path(log),
      "the log in an editor",
    );
    const questionRow = `question:french:${first.id}`;
    await eventually(() => jobsView.tree.row(questionRow), "its row");
    await answering(["By command."], async () => {
      await vscode.commands.executeCommand("rooroo.answerJob", questionRow);
    });
    await eventually(() => card(first.id)?.answer === "By command.", "a closed card");
    assert.match(await disk.read(file), /- By command\./);

    const text = await disk.read(file);
    await disk.write(file, text.replace("- <!-- Write your answer here. -->", "- By hand."));
    await eventually(() => card(second.id)?.answer === "By hand.", "a card closed by the file");
    assert.deepEqual(card(second.id)?.work, { kind: "job", name: "french" });

    // One that another process has asked has a card, too.
    const block = `\n---\n### JIXO: CLARIFICATION REQUEST\n**ID**: Q-9\n**To User**: x\n\n**Question**:\n- And this?\n\n**Response**:\n---\n`;
    await disk.write(file, (await disk.read(file)) + block);
    await eventually(() => card("Q-9")?.text === "And this?", "a card");
    await (await session.jobs()).answer("Q-9", "So.");
    assert.equal(card("Q-9")?.answer, "So.");
  });

  it("say that they wait where a runner asks to be allowed something", async () => {
    await configure("approvals.preset", "safe");
    await disk.write(file, "Translate docs/ into French.\n");
    await row("job:french");
    plays();
    const ended = run();
    await described("task:french:1", /^awaiting approval$/);
    await described("job:french", /^0% · awaiting approval$/);
    const { status, conversation } = await product();
    await eventually(() => status.current.needsYou === 2, "two runners need somebody");
    const cards = () =>
      conversation.state.items.flatMap((item) =>
        item.kind === "tool" && item.approval !== undefined ? [item.approval.state] : [],
      );
    assert.equal(cards().filter((state) => state === "open").length, 2);
    await vscode.commands.executeCommand("rooroo.stopJob", "french");
    await ended;
    await described("job:french", /^0% · not running$/);
    assert.ok(!cards().includes("open"));
    await eventually(() => status.current.needsYou === 0, "nobody is needed");
    await configure("approvals.preset", "all");
  });

  it("have the problems of their files shown where they are, and mended", async () => {
    await disk.write(file, "---\nevery: never\n---\nGo.\n");
    const rows = ["---", "title: t", "progress: 90%", "---", "## Roadmap", "- [x] 1. Go"];
    await disk.write(log, [...rows, "  - status: Pending", "## Work Log", ""].join("\n"));
    const uri = vscode.Uri.file(disk.path(log));
    const problems = () => vscode.languages.getDiagnostics(uri);
    const found = await eventually(() => problems().length === 2 && problems(), "two problems");
    assert.deepEqual(
      found.map(({ range, code, source }) => [range.start.line, code, source]),
      [
        [2, "R-JIXO-28", "Rooroo"],
        [5, "R-JIXO-28", "Rooroo"],
      ],
    );
    const ofFile = vscode.languages.getDiagnostics(vscode.Uri.file(disk.path(file)));
    assert.match(ofFile[0]?.message ?? "", /every is no period/);
    assert.match((await row("problem:french:1")).label as string, /^progress says 90%/);

    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    for (const [line, title, after] of [
      [2, "Update Progress to Match Tasks", 'progress: "0%"'],
      [5, "Update Checkbox to Match Status", "- [ ] 1. Go"],
    ] as const) {
      const action = await eventually(async () => {
        const at = new vscode.Range(line, 3, line, 3);
        const command = "vscode.executeCodeActionProvider";
        const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(command, uri, at);
        return all.find((one) => one.title === title);
      }, title);
      assert.ok(action.edit);
      assert.ok(await vscode.workspace.applyEdit(action.edit));
      assert.equal(document.lineAt(line).text, after);
    }
    // What is typed counts before it is saved.
    await eventually(() => problems().length === 0, "no problems");
    assert.ok(document.isDirty);
    await document.save();
    const { jobsView } = await product();
    await eventually(
      () => jobsView.tree.row("problem:french:1") === undefined,
      "only the job file's problem in the tree",
    );
  });

  it("are seen and stopped when another process runs them", async () => {
    await disk.write(file, "Translate docs/ into French.\n");
    plays({ waits: () => new Promise(() => undefined) });
    const program = join(extension().extensionPath, "dist", "rooroo.cjs");
    const words = [program, "job", "run", "french", "--approve", "all", "--model", "gpt-test"];
    const other = spawn(process.execPath, words, {
      cwd: disk.path(""),
      stdio: "ignore" as const,
      env: { ...process.env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "x" },
    });
    const ended = once(other, "exit");
    await described("task:french:1", /^turn 1\/60 · rooroo job$/);
    await described("job:french", /^0% · 1 runner$/);
    await vscode.commands.executeCommand("rooroo.stopJob", "french");
    await ended;
    await described("job:french", /^0% · not running$/);
  });
});
