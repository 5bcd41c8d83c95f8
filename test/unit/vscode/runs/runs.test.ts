import { strict as assert } from "node:assert";
import type { ChatCompletionRequest } from "@copilotkit/aimock";
import * as vscode from "vscode";
import { runReply } from "../../../fakes/runPlays.js";
import { type Reply, triage } from "../../../modelServer/modelServer.js";
import { type ExtensionStage, until } from "../../../panel/extensionStage.js";
import { useExtensionStage } from "../../../panel/useExtensionStage.js";

/** Agents that do as they are told; a task of such a phase waits. */
function players(waits: (told: string) => Promise<unknown> | undefined = () => undefined) {
  return ({ messages }: ChatCompletionRequest): Reply => {
    const texts = (wanted: string) =>
      messages.flatMap(({ role, content }) =>
        role === wanted && typeof content === "string" ? [content] : [],
      );
    const [told = ""] = texts("user");
    const { toolCalls = [] } = runReply(told, texts("tool"));
    const calls = toolCalls.map(({ name, arguments: args }) => ({ name, args: args as object }));
    const waiting = waits(told);
    return waiting === undefined ? { calls } : { after: waiting, then: { calls } };
  };
}

describe("runs", () => {
  let stage: ExtensionStage;
  useExtensionStage({}, (opened) => {
    stage = opened;
  });
  beforeEach(() => stage.write("multiverse/assets/notes.md", "# Notes\n"));
  afterEach(async () => {
    await stage.command("workbench.action.closeAllEditors");
    await stage.remove("multiverse");
    const { list } = stage.parts.runs;
    await until(() => list.overview.runs.length === 0, "no run is listed");
  });

  const plays = (...given: Parameters<typeof players>) => {
    stage.server.script(...Array.from({ length: 100 }, () => players(...given)));
  };
  const listed = async (state: string) => {
    const { list } = stage.parts.runs;
    return until(
      () => list.overview.runs.find((run) => run.state === state),
      `a run that is ${state}`,
    );
  };
  const labels = (parent: string) => {
    const { tree } = stage.parts.runs.rows;
    return tree.getChildren(parent).map((id) => tree.getTreeItem(id).label as string);
  };
  const start = async (request: string) => {
    await stage.command("rooroo.startRun", request);
    return (await listed("needsYou")).runId;
  };
  const problems = (path: string) =>
    vscode.languages
      .getDiagnostics(vscode.Uri.file(stage.path(path)))
      .map(({ code, range }) => `${range.start.line + 1} ${code as string}`);

  it("shows one that waits, takes a change and a confirmation, and opens what it came to", async () => {
    plays();
    const runId = await start("Write a report");
    const { conversation, runs, session } = stage.parts;
    await session.start();
    const card = () =>
      conversation.state.items.flatMap((item) => (item.kind === "proposal" ? [item] : []));
    await until(() => card()[0]?.answer === undefined && card().length === 1, "its card");
    assert.deepEqual(labels(`run:${runId}`).slice(0, 3), ["Proposal", "Preparation", "Analyzing"]);
    stage.person.types("Three pages");
    await stage.command("rooroo.changeProposal", `proposal:${runId}`);
    await until(() => card().length === 2, "the card of another proposal");
    assert.deepEqual([card()[0]?.answer, card()[0]?.words], ["changed", "Three pages"]);

    await stage.command("rooroo.openProposal", runId);
    const path = stage.path(`multiverse/runs/${runId}/feedback_for_user.md`);
    const editor = await until(() => vscode.window.activeTextEditor, "the proposal");
    assert.equal(editor.document.uri.fsPath, path);
    const lenses = async () => {
      // VS Code answers for documents that it holds, and lets go of one that no editor shows.
      const { uri } = await vscode.workspace.openTextDocument(path);
      return stage.command<vscode.CodeLens[]>("vscode.executeCodeLensProvider", uri);
    };
    const titles = (await lenses()).map(({ command }) => command?.title);
    assert.deepEqual(titles, ["Confirm", "Change…", "Cancel Run…"]);
    // As the lens does it; the editor that is open says which run is meant, too.
    await stage.command("rooroo.confirmRun");
    const done = await listed("done");
    await until(() => card()[1]?.answer === "confirmed", "the answer on the card");
    await until(
      () => conversation.state.positions.has(`report:${runId}`),
      "what it came to, in the conversation",
    );
    assert.deepEqual(done.tasks, { total: 8, done: 8 });
    await until(() => labels(`outputs:${runId}`)[0] === "report.md", "outputs");
    assert.match(
      runs.rows.tree.getTreeItem(`run:${runId}`).contextValue ?? "",
      /\bdone\b.*hasOutputs/,
    );
    await stage.command("rooroo.openRunOutputs", runId);
    const output = stage.path(`multiverse/outputs/${runId}/report.md`);
    await until(
      () => vscode.window.activeTextEditor?.document.uri.fsPath === output,
      "the output in an editor",
    );
    assert.equal((await lenses()).length, 0);
  });

  it("takes a change and a confirmation that are typed as messages", async () => {
    const choices = ["change", "confirm"];
    const plain = players();
    const answer = (request: ChatCompletionRequest): Reply =>
      JSON.stringify(request.messages).includes("What waits for the user:")
        ? triage("decide", { about: "W1", choice: choices.shift() })
        : plain(request);
    stage.server.script(...Array.from({ length: 100 }, () => answer));
    await start("Write a report");
    const { session } = stage.parts;
    await session.start();
    const navigator = await session.navigator();
    await navigator.say("Three pages are enough");
    const changed = await until(
      () => stage.parts.runs.list.overview.runs.find(({ changes }) => changes.length === 1),
      "the change",
    );
    assert.deepEqual(changed.changes, ["Three pages are enough"]);
    await listed("needsYou");
    await navigator.say("yes, like this");
    await listed("done");
    assert.deepEqual(choices, []);
  });

  it("asks which is meant, and marks it, when nobody has taken the only one over", async () => {
    plays();
    const runId = await start("Write a report");
    await stage.remove(".rooroo/runs");
    const { tree } = stage.parts.runs.rows;
    const row = () => tree.getTreeItem(`run:${runId}`);
    await until(() => String(row().description).includes("external"), "its mark");
    stage.person.picks(undefined);
    await stage.command("rooroo.confirmRun");
    assert.equal(stage.person.asked.at(-1), "Select a run");
    assert.equal((await listed("needsYou")).isForeign, true);
    stage.person.picks(0);
    await stage.command("rooroo.confirmRun");
    assert.equal((await listed("done")).isForeign, false);
  });

  it("stops and resumes one, and cancels one only when the person is sure", async () => {
    let [reach, release] = [(): void => undefined, (): void => undefined];
    const released = new Promise<void>((resolve) => (release = resolve));
    const next = () => new Promise<void>((resolve) => (reach = resolve));
    plays((told) => {
      if (!told.includes("begins from:") || !told.includes("initial_analysis.md")) return undefined;
      reach();
      return released;
    });
    const { conversation } = stage.parts;
    const runId = await start("Write a report");
    const begun = next();
    await stage.command("rooroo.confirmRun", `run:${runId}`);
    await begun;
    await listed("here");
    await stage.command("rooroo.stopRun", runId);
    await listed("left");
    const notices = () => {
      return conversation.state.items.flatMap((item) => (item.kind === "notice" ? item.text : []));
    };
    assert.ok(!notices().some((text) => text.includes("has not ended yet")));
    const again = next();
    const twice = [runId, runId].map((id) => stage.command("rooroo.resumeRun", id));
    await Promise.all(twice);
    await again;
    await listed("here");
    assert.ok(!notices().some((text) => text.includes("already")));

    stage.person.clicks(undefined, "Cancel Run");
    await stage.command("rooroo.cancelRun", runId);
    assert.equal((await listed("here")).runId, runId);
    await stage.command("rooroo.cancelRun", runId);
    assert.equal((await listed("cancelled")).runId, runId);
    const asked = stage.person.messages.filter(({ isModal }) => isModal);
    assert.equal(asked.length, 2);
    for (const { text } of asked) assert.match(text, /Write a report/);
    release();
  });

  it("says why one has failed, and tries it again or goes on without when the person says so", async () => {
    const failure = { status: "FAILED", error_log: "There are no bees." };
    const fails = { calls: [{ name: "attempt_completion", args: failure }] };
    let failures = 2;
    stage.server.script(
      ...Array.from({ length: 100 }, () => (request: ChatCompletionRequest): Reply => {
        const isTask = JSON.stringify(request.messages).includes(
          "initial_analysis.md\\n\\nIt begins",
        );
        return isTask && failures-- > 0 ? fails : players()(request);
      }),
    );
    const runId = await start("Write a report");
    await stage.command("rooroo.confirmRun", runId);
    const { tree } = stage.parts.runs.rows;
    const failed = await listed("failed");
    assert.deepEqual([failed.reason, failed.canSkip], ["task T04: There are no bees.", true]);
    const context = tree.getTreeItem(`run:${runId}`).contextValue ?? "";
    assert.match(context, /\bfailed\b.*\bcanSkip\b/);
    await stage.command("rooroo.cancelRun");
    assert.equal(
      stage.person.said("warning").at(-1),
      "There is no run that this command applies to.",
    );
    await stage.command("rooroo.retryRun", `run:${runId}`);
    await until(
      async () => (await listed("failed")).retries === 1,
      "the failure of the second try",
    );
    await stage.command("rooroo.skipRun", runId);
    const done = await listed("done");
    assert.deepEqual(
      done.leftOut.map(({ id }) => id),
      ["T04"],
    );
  });

  it("shows what is broken in tables where it stands, of files that are closed, too", async () => {
    plays();
    const runId = await start("Write a report");
    const path = `multiverse/runs/${runId}/db/phases.md`;
    const text = await stage.read(path);
    await stage.write(path, text.replace("STRATEGIZING", "DREAMING"));
    await until(() => problems(path)[0] === "4 R-MV-13", "a problem");
    const broken = await listed("broken");
    const { tree } = stage.parts.runs.rows;
    const [row = ""] = tree.getChildren(`run:${broken.runId}`);
    await stage.command("rooroo.openRunTable", row);
    const editor = await until(() => vscode.window.activeTextEditor, "the table");
    assert.deepEqual(
      [editor.document.uri.fsPath, editor.selection.active.line],
      [stage.path(path), 3],
    );
    await stage.write(path, text);
    await until(() => problems(path).length === 0, "no problem");
    await listed("needsYou");
    await stage.write("multiverse/db/process_runs.md", "| run_id |\n| --- |\n| x |\n");
    await until(() => problems("multiverse/db/process_runs.md").length > 0, "a broken table");
    const { status } = stage.parts;
    await until(() => status.current.needsYou === 0, "a status without the broken run");
  });
});
