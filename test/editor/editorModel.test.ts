import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { configure, disk, eventually, product } from "./product.js";
import { replaced } from "./replaced.js";

interface Request {
  readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  readonly token: vscode.CancellationToken;
}
type Part = string | { readonly callId: string; readonly name: string; readonly input: object };
type Reply = readonly Part[] | ((request: Request) => Promise<readonly Part[]>);

/** What the companion extension gives its tests. */
interface Companion {
  readonly replies: Reply[];
  readonly requests: Request[];
}

let counter = 0;
const calls = (name: string, input: object): Part[] => [
  { callId: `call-${++counter}`, name, input },
];
const triage = (route: string, args: object = {}) =>
  calls("triage", { route, reason: "test", ...args });
const report = (message: string, more: object = {}) =>
  calls("attempt_completion", { status: "Done", message, output_artifact_paths: [], ...more });

describe("a model that VS Code itself offers", () => {
  let companion: Companion;
  before(async () => {
    const found = vscode.extensions.getExtension<Companion>("rooroo-test.companion");
    assert.ok(found, "the companion extension is not there");
    companion = await found.activate();
    await configure("approvals.preset", "all");
    await eventually(
      async () => (await vscode.lm.selectChatModels({ vendor: "rooroo-test" })).length > 0,
      "VS Code knows the companion's model",
    );
  });
  beforeEach(() => {
    companion.replies.length = 0;
    companion.requests.length = 0;
  });
  after(async () => {
    for (const key of ["model.name", "approvals.preset"]) await configure(key, undefined);
  });

  it("is used where nothing is set, and named", async () => {
    const { session, status } = await product();
    await eventually(() => status.current.model.ready, "the panel knows of the model");
    assert.equal(status.current.model.name, "vscode:rooroo-test/scripted/one");
    companion.replies.push(triage("acknowledge", { reply: "Hello!" }));
    assert.equal((await (await session.navigator()).say("Hello")).status, "done");
    const [request] = companion.requests;
    assert.equal(request?.options.toolMode, vscode.LanguageModelChatToolMode.Required);
    assert.deepEqual(
      request.options.tools?.map(({ name }) => name),
      ["triage"],
    );
  });

  it("does the whole job: a plan whose tasks change files", async () => {
    const { session, conversation } = await product();
    await configure("model.name", "vscode:rooroo-test/scripted/one");
    const task = (goal: string) => ({ suggested_mode: "rooroo-developer", goal_for_expert: goal });
    companion.replies.push(
      triage("plan", { goal: "Write two words" }),
      report("Two steps.", { queue_tasks_json_lines: [task("Write one"), task("Write two")] }),
      ["I write one.", ...calls("execute_command", { command: "echo one >> lm.txt" })],
      report("One is there."),
      calls("execute_command", { command: "echo two >> lm.txt" }),
      report("Two is there."),
    );
    assert.equal(
      (await (await session.navigator()).say("Write two words to lm.txt")).status,
      "done",
    );
    assert.equal(await disk.read("lm.txt"), "one\ntwo\n");
    const said = conversation.state.items.some(
      (item) => item.kind === "text" && item.text.includes("I write one."),
    );
    assert.ok(said);
    // What a call came to goes back as its result.
    const parts = companion.requests[3]?.messages.flatMap(({ content }) => content) ?? [];
    const result = parts.find((part) => part instanceof vscode.LanguageModelToolResultPart);
    assert.match(JSON.stringify(result?.content), /Exit code 0/);
    await disk.remove("lm.txt");
  });

  it("is spoken to in envelopes where VS Code says that it calls no tools", async () => {
    const { session } = await product();
    await configure("model.name", "vscode:rooroo-test/scripted/plain");
    const running = [{ step: "1", title: "Write it", status: "running" }];
    const write = { unescape_string: { path: "lm.txt", text: '"plain\\n"' } };
    companion.replies.push(
      [JSON.stringify({ message: "I write it.", plan: running, command: write })],
      [JSON.stringify({ message: "It is there.", plan: [] })],
    );
    assert.equal(
      (await (await session.navigator()).say("/do Write a word to lm.txt")).status,
      "done",
    );
    assert.equal(await disk.read("lm.txt"), "plain\n");
    assert.equal(companion.requests.length, 2, "no request with tools was made in vain");
    await disk.remove("lm.txt");
  });

  it("is stopped in the middle of its answer", async () => {
    const { session } = await product();
    await configure("model.name", "vscode:rooroo-test/scripted/one");
    let cancelled = false;
    const asked = new Promise<void>((resolve) => {
      companion.replies.push(({ token }) => {
        resolve();
        return new Promise((_, reject) => {
          token.onCancellationRequested(() => {
            cancelled = true;
            reject(new vscode.CancellationError());
          });
        });
      });
    });
    const saying = (await session.navigator()).say("Think for long");
    await asked;
    await (await session.navigator()).stop();
    assert.equal((await saying).status, "failed");
    await eventually(() => cancelled, "the model was told");
  });

  it("is tested, and what came of that is said with what to do", async () => {
    await configure("model.name", "vscode:rooroo-test/scripted/one");
    const test = async (kind: "Information" | "Warning" | "Error", reply: Reply) => {
      companion.replies.push(reply);
      const said: unknown[][] = [];
      const show = (...words: unknown[]) => Promise.resolve(void said.push(words));
      await replaced(vscode.window, `show${kind}Message`, show, async () => {
        await vscode.commands.executeCommand("rooroo.testConnection");
      });
      return said.flat().join(" | ");
    };
    const works = await test("Information", calls("say", { word: "hello" }));
    assert.match(works, /answered in [\d.]+ s and calls tools\. It does not report token counts/);
    assert.match(
      await test("Warning", ["hello"]),
      /does not support tool calls.*plain-text calls.* \| Select Model…$/,
    );
    const blocked = () => Promise.reject(vscode.LanguageModelError.NoPermissions("no"));
    assert.match(await test("Error", blocked), /Select Model…$|failed/);
  });

  it("is asked no longer when its test is cancelled, and nothing is said", async () => {
    await configure("model.name", "vscode:rooroo-test/scripted/one");
    const cancel = new vscode.CancellationTokenSource();
    const withProgress = (
      _: unknown,
      task: (progress: object, token: object) => Promise<unknown>,
    ) => task({}, cancel.token);
    companion.replies.push(({ token }) => {
      cancel.cancel();
      return new Promise((_, reject) => {
        token.onCancellationRequested(() => {
          reject(new vscode.CancellationError());
        });
      });
    });
    const said: unknown[] = [];
    const show = (...words: unknown[]) => Promise.resolve(void said.push(words));
    await replaced(vscode.window, "withProgress", withProgress, () =>
      replaced(vscode.window, "showErrorMessage", show, async () => {
        await vscode.commands.executeCommand("rooroo.testConnection");
      }),
    );
    assert.deepEqual(said, []);
    assert.equal(companion.requests.length, 1);
  });

  it("says what went wrong, and what to do", async () => {
    const { session, conversation } = await product();
    // A failure that may pass is waited out a few times.
    const fails = () => Promise.reject(new Error("The wires are cut."));
    companion.replies.push(fails, fails, fails, fails);
    await (await session.navigator()).say("Try it");
    const notice = conversation.state.items.findLast((item) => item.kind === "notice");
    assert.match(notice?.text ?? "", /Scripted One failed: .*The wires are cut/);

    await configure("model.name", "vscode:rooroo-test/gone");
    await (await session.navigator()).say("Try it");
    const last = conversation.state.items.findLast((item) => item.kind === "notice");
    assert.match(last?.text ?? "", /does not offer the model vscode:rooroo-test\/gone/);
  });
});
