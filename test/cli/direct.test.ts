import assert from "node:assert/strict";
import { asks, calls, completes } from "../fakes/navigatorWorld.js";
import { mends, sample } from "./mends.js";
import { isTriage, plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

describe("rooroo ask", () => {
  afterEach(closeStages);

  it("[R-ROO-13] makes a failing test pass by a direct task, for one triage and the expert's turns", async () => {
    const stage = await Stage.open(mends, sample);
    const { code, stdout, stderr } = await stage.runAll("ask", "Make the test pass");
    assert.equal(code, 0, stdout + stderr);
    assert.match(await stage.read("src/add.js"), /a \+ b/);
    assert.match(stdout, /^Developer is on it\.\n/);
    assert.match(stdout, /✗ Run node --test \([\d.]+ s\)\n {4}Exit code 1/);
    assert.match(stdout, /✓ Edit src\/add\.js \+1 −1 \(/);
    assert.match(stdout, /✓ Run node --test \(/);
    assert.match(stdout, /✓ Done {2}ROO#TASK_\w+\n {2}The sum is right now\./);
    assert.doesNotMatch(stdout, /\u001b/);
    assert.equal(stderr, "");
    assert.deepEqual(stage.model.requests.map(isTriage), [true, false, false, false, false]);
    assert.equal(stage.model.requests[0]?.authorization, "Bearer test-key");
  });

  it("reads the request from standard input and takes words without quotes", async () => {
    const stage = await Stage.open(plays({ route: "acknowledge", reply: "Hello!" }, {}));
    const piped = await stage.runWith("good\nmorning\n", "ask", "-");
    assert.equal(piped.stdout.split("\n")[0], "Hello!");
    await stage.run("ask", "good", "evening");
    const said = stage.model.requests.map((request) => request.messages[1]?.content ?? "");
    assert.match(said[0] ?? "", /latest message:\n<request>\ngood\nmorning\n<\/request>$/);
    assert.match(said[1] ?? "", /latest message:\n<request>\ngood evening\n<\/request>$/);
  });

  it("reads a request in UTF-16 from standard input, as older PowerShell writes files", async () => {
    const stage = await Stage.open(plays({ route: "acknowledge" }, {}));
    await stage.runWith(Buffer.from("\uFEFFGrüß Gott\r\n", "utf16le"), "ask", "-");
    const said = stage.model.requests[0]?.messages[1]?.content ?? "";
    assert.match(said, /<request>\nGrüß Gott\n<\/request>$/);
  });

  it("attaches what is piped into a request, its beginning and end where it is long", async () => {
    const stage = await Stage.open(plays({ route: "acknowledge" }, {}));
    const told = () => stage.model.requests.at(-1)?.messages[1]?.content ?? "";
    const piped = await stage.runWith("boom at line 3\n", "ask", "What", "is", "this?");
    assert.equal(piped.stderr, "");
    assert.match(told(), /Piped into the command \(<stdin>\):\n[^]*\nboom at line 3\n/);
    const long = await stage.runWith(`first ${"x".repeat(10_000)} last`, "ask", "And this?");
    assert.match(long.stderr, /^Only the first and the last 3,900 characters of standard input/);
    assert.match(told(), /first x+\n… 2211 characters are left out …\nx+ last/);
    const binary = await stage.runWith("\0\u0001", "ask", "And this?");
    assert.equal(binary.code, 64);
    assert.match(binary.stderr, /Standard input is not text\. Name a file with --attach/);
    await stage.run("ask", "Nothing is piped");
    assert.doesNotMatch(told(), /stdin/);
  });

  it("[R-ROO-15] acknowledges filler, and nothing at all without a model", async () => {
    const stage = await Stage.open(plays({ route: "acknowledge" }, {}));
    const thanks = await stage.run("ask", "thanks");
    assert.equal(thanks.code, 0);
    assert.match(thanks.stdout, /^All right\. What should be done next\?\n/);
    const nothing = await stage.run("ask", "");
    assert.equal(nothing.stdout, "All right. What should be done next?\n");
    assert.equal(stage.model.requests.length, 1);
    assert.deepEqual(await stage.list(".rooroo/tasks"), []);
  });

  it("[R-ROO-16] ends with 2 at a question of the Navigator's, whose answer is the next request", async () => {
    const stage = await Stage.open((request) => {
      const said = request.messages[1]?.content ?? "";
      return calls(
        "triage",
        said.endsWith("the slow test\n</request>")
          ? { route: "acknowledge", reply: "I see.", reason: "-" }
          : { route: "clarify", question: "Fix what?", reason: "-" },
      );
    });
    const asked = await stage.run("ask", "fix it");
    assert.equal(asked.code, 2);
    assert.match(
      asked.stdout,
      /\? Navigator asks\n {2}Fix what\?\n {2}→ rooroo ask --continue "…"/,
    );
    assert.equal((await stage.run("ask", "--continue", "the slow test")).code, 0);
    const told = stage.model.requests[1]?.messages[1]?.content ?? "";
    assert.match(told, /Earlier:\nuser: fix it\nnavigator: Fix what\?/);
  });

  it("[R-ROO-19] asks an expert's question, ends with 2, and goes on with the answer", async () => {
    const stage = await Stage.open(
      plays(
        { route: "direct", expert: "rooroo-developer", goal: "Write it" },
        {
          "rooroo-developer": (request) =>
            request.results.length === 0
              ? asks("Which format?", ["CSV", "JSON"])
              : completes({ message: `Wrote ${request.results[0]?.content ?? ""}.` }),
        },
      ),
    );
    const asked = await stage.run("ask", "Write it");
    assert.equal(asked.code, 2);
    assert.match(asked.stdout, / {2}Which format\?\n {4}1\. CSV\n {4}2\. JSON\n/);
    const [, taskId = ""] = /→ rooroo answer (\S+) "…"/.exec(asked.stdout) ?? [];
    assert.match(taskId, /^ROO#TASK_/);

    const status = await stage.run("status");
    assert.match(status.stdout, /Needs you \(1\)[^]*Which format\?[^]*→ rooroo answer ROO#TASK_/);

    const answered = await stage.run("answer", taskId.slice(-6), "2");
    assert.equal(answered.code, 0, answered.stderr);
    assert.match(answered.stdout, /> JSON\n[^]*Wrote JSON\./);
    assert.equal(stage.model.requests.length, 3);

    const again = await stage.run("answer", taskId, "CSV");
    assert.equal(again.code, 1);
    assert.match(again.stderr, /has no open question/);
  });

  it("[R-ROO-3] takes NeedsClarification in a report for a question, too", async () => {
    const stage = await Stage.open(
      plays(
        { route: "direct", expert: "rooroo-analyzer", goal: "Look" },
        {
          "rooroo-analyzer": ({ messages }) =>
            messages.some(({ content }) => content?.includes("RESUME_TASK") === true)
              ? completes({ message: "Looked." })
              : completes({
                  status: "NeedsClarification",
                  message: "Unclear.",
                  clarification_question: "Where?",
                }),
        },
      ),
    );
    const asked = await stage.run("ask", "Look");
    assert.equal(asked.code, 2);
    const [, taskId = ""] = /→ rooroo answer (\S+)/.exec(asked.stdout) ?? [];
    const answered = await stage.run("answer", taskId, "There");
    assert.equal(answered.code, 0, answered.stdout + answered.stderr);
  });

  it("[R-ROO-6] hands a brainstorm to the idea-sparker, which ends by answers", async () => {
    const stage = await Stage.open(
      plays(
        { route: "brainstorm", goal: "Names" },
        {
          "rooroo-idea-sparker": ({ messages }) => {
            const last = messages.at(-1)?.content ?? "";
            if (last.includes("enough")) return completes({ message: "Names it is." });
            return { text: last.includes("animals") ? "Otter? Owl?" : "What do you like?" };
          },
        },
      ),
    );
    const begun = await stage.run("ask", "brainstorm names");
    assert.equal(begun.code, 2);
    assert.match(begun.stdout, /Idea Sparker is on it/);
    const [, taskId = ""] = /→ rooroo answer (\S+)/.exec(begun.stdout) ?? [];
    assert.match(taskId, /^ROO#IDEA_/);
    const on = await stage.run("answer", taskId, "animals");
    assert.equal(on.code, 2);
    assert.match(on.stdout, /Otter\? Owl\?/);
    const done = await stage.run("answer", taskId, "enough");
    assert.equal(done.code, 0);
    assert.match(done.stdout, /✓ Done[^]*Names it is\./);
    assert.equal(stage.model.requests.filter(isTriage).length, 1);
  });

  it("takes a request for a request while a brainstorm waits", async () => {
    const stage = await Stage.open((request) => {
      if (!isTriage(request)) return { text: "What do you like?" };
      const isHello = (request.messages[1]?.content ?? "").endsWith("hello\n</request>");
      return calls("triage", {
        reason: "-",
        ...(isHello ? { route: "acknowledge", reply: "Hi!" } : { route: "brainstorm", goal: "x" }),
      });
    });
    assert.equal((await stage.run("ask", "brainstorm")).code, 2);
    const hello = await stage.run("ask", "hello");
    assert.equal(hello.code, 0);
    assert.match(hello.stdout, /^Hi!/);
  });

  it("lets a task that comes on take more turns than the editor's limit for one attempt", async () => {
    const turns = 70;
    const stage = await Stage.open(
      plays(
        { route: "direct", expert: "rooroo-developer", goal: "Read all of it" },
        {
          "rooroo-developer": ({ results }) =>
            results.length < turns
              ? calls("read_file", {
                  path: "long.txt",
                  start_line: results.length + 1,
                  end_line: results.length + 1,
                })
              : completes({ message: "All read." }),
        },
      ),
      { "long.txt": Array.from({ length: turns }, (_, at) => `line ${at + 1}\n`).join("") },
    );
    const { code, stdout } = await stage.run("ask", "Read all of it");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /All read\./);
    assert.equal(stage.model.requests.length, turns + 2);
  });

  it("ends with 1 when the expert fails, and says why", async () => {
    const stage = await Stage.open(
      plays(
        { route: "direct", expert: "rooroo-developer", goal: "Try" },
        {
          "rooroo-developer": () =>
            completes({ status: "Failed", message: "No way.", error_details: "Tried twice." }),
        },
      ),
    );
    const { code, stdout } = await stage.run("ask", "Try");
    assert.equal(code, 1);
    assert.match(
      stdout,
      /✗ Failed {2}ROO#TASK_\w+\n {2}No way\.[^]*Tried twice\.\n {2}\.rooroo\/tasks\/ROO#/,
    );
  });
});
