import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { ToolContext } from "../../../../../src/core/agent/tool.js";
import type { ShellResult } from "../../../../../src/core/ports/shell.js";
import { allSpoken } from "../../../../../src/core/text/allSpoken.js";
import { plainOutput } from "../../../../../src/core/text/plainOutput.js";
import { executeCommand } from "../../../../../src/core/tools/commands/executeCommand.js";
import { ToolWorld } from "../toolWorld.js";

const ended: ShellResult = {
  exitCode: 0,
  signal: null,
  output: "",
  omitted: 0,
  durationMs: 1,
  endedBy: "itself",
};
const unseen = "The line has characters that cannot be seen.";

describe("execute_command", () => {
  it("says that what was left running was ended, and how to keep it", async () => {
    const world = new ToolWorld({}, { "serve &": { ...ended, leftRunning: true }, serve: ended });
    const { ok, content } = await world.use(executeCommand, { command: "serve &" });
    assert.ok(ok);
    assert.match(content, /left running were ended with it\. .* background: true, without &/);
    const other = await world.use(executeCommand, { command: "serve" });
    assert.doesNotMatch(other.content, /left running/);
  });

  it("shows exactly the command, with nothing hidden in it", async () => {
    const world = new ToolWorld({ "sub/x": "" });
    const command = "ls\u200B -l\r\n\trm\u202E x \u{E0041}\u00A0\u001B[2K";
    const action = await world.actionOf(executeCommand, { command, cwd: "sub" });
    assert.deepEqual(allSpoken(action), {
      access: "command",
      command,
      title: "Run ls⟨U+200B⟩ -l⟨U+000D⟩ ⏎ rm⟨U+202E⟩ x ⟨U+E0041⟩⟨U+00A0⟩⟨U+001B⟩[2K",
      path: "sub",
      inside: true,
      preview: {
        kind: "command",
        text: "ls⟨U+200B⟩ -l⟨U+000D⟩\n\trm⟨U+202E⟩ x ⟨U+E0041⟩⟨U+00A0⟩⟨U+001B⟩[2K",
      },
      facts: {
        commands: [
          { words: ["ls⟨U+200B⟩", "-l"], verdict: "asks", why: unseen },
          {
            words: ["rm⟨U+202E⟩", "x", "⟨U+E0041⟩⟨U+00A0⟩⟨U+001B⟩[2K"],
            verdict: "asks",
            why: unseen,
          },
        ],
        writes: [],
        unclear: unseen,
        runsUnknown: true,
      },
      // Nobody knows a program of that name: it may run the file that it is given.
      pinned: [{ path: "sub/x", hash: createHash("sha256").digest("hex") }],
    });
    assert.deepEqual(world.shell.requests, []);
    assert.equal(
      (await world.actionOf(executeCommand, { command: "ls", cwd: "/etc/.." })).inside,
      false,
    );
  });

  it("runs it where and for as long as it is told", async () => {
    const world = new ToolWorld({ "sub/x": "" }, { make: { output: "done\n", durationMs: 1234 } });
    const args = { command: "make", cwd: "sub", timeout_seconds: 5 };
    const result = await world.use(executeCommand, args);
    assert.deepEqual(result, {
      ok: true,
      worked: true,
      content: "Exit code 0 after 1.2 s.\nOutput:\ndone",
    });
    const [request] = world.shell.requests;
    assert.deepEqual(
      [request?.command, request?.cwd, request?.timeoutMs, request?.outputPath],
      ["make", "sub", 5000, ".rooroo/tasks/T/output/call_1.log"],
    );
    assert.equal(world.live, "done\n");
    await world.use(executeCommand, { command: "make", timeout_seconds: 1e9 });
    assert.equal(world.shell.requests[1]?.timeoutMs, 3_600_000);
  });

  it("says how it ended, and where the rest of the output is", async () => {
    const world = new ToolWorld(
      {},
      {
        fails: { exitCode: 2, output: "\u001B[31mred\u001B[0m\n10%\r100%\n" },
        long: { output: "a\n[… 7 characters left out …]\nz", omitted: 7 },
        slow: { exitCode: null, signal: "SIGTERM", endedBy: "timeout" },
        crash: { exitCode: null, signal: "SIGSEGV" },
        stopped: { exitCode: null, signal: "SIGTERM", endedBy: "stop" },
      },
    );
    const content = async (command: string) => {
      const result = await world.use(executeCommand, { command });
      assert.equal(result.ok, command === "long");
      return result.content;
    };
    assert.equal(await content("fails"), "Exit code 2 after 0.0 s.\nOutput:\nred\n100%");
    assert.match(
      await content("long"),
      /\(7 characters are left out; all of it is in \.rooroo\/tasks\/T\/output\/call_1\.log\.\)$/,
    );
    assert.match(
      await content("slow"),
      /^Ended because it took longer than 120 s\..*\nIt printed nothing\.$/,
    );
    assert.match(await content("crash"), /^Ended by the signal SIGSEGV/);
    assert.match(await content("stopped"), /^Stopped after .* before it had ended/);
  });

  it("runs a script only as it was when it was looked at", async () => {
    const world = new ToolWorld({ "a.sh": "echo 1\n" }, { "sh a.sh": { output: "1\n" } });
    const prepared = await world.prepare(executeCommand, { command: "sh a.sh" });
    assert.ok(!("ok" in prepared));
    assert.ok(prepared.action?.access === "command");
    assert.deepEqual(
      prepared.action.pinned?.map(({ path }) => path),
      ["a.sh"],
    );
    world.files.put("a.sh", "rm -rf .\n");
    const result = await prepared.run({});
    assert.equal(result.ok, false);
    assert.match(result.content, /a\.sh, which decides what it does, was changed/);
    assert.deepEqual(world.shell.requests, []);
  });

  it("keeps what files were that it visibly writes", async () => {
    const world = new ToolWorld(
      { "a.txt": "old\n", "docs/b.md": "b\n" },
      {
        "rm -r docs && echo new > a.txt": async () => {
          world.files.put("a.txt", "new\n");
          await world.files.removeFile("docs/b.md");
          return ended;
        },
      },
    );
    await world.use(executeCommand, { command: "rm -r docs && echo new > a.txt" });
    const kept = await world.changes.read();
    assert.deepEqual([...kept.keys()].sort(), ["a.txt", "docs/b.md"]);
  });

  it("asks nobody about what cannot work", async () => {
    const world = new ToolWorld({ file: "" });
    assert.match(
      await world.refusal(executeCommand, { command: "ls", cwd: "none" }),
      /no folder none/,
    );
    assert.match(
      await world.refusal(executeCommand, { command: "ls", cwd: "file" }),
      /no folder file/,
    );
    assert.match(await world.refusal(executeCommand, { command: "a\0b" }), /NUL/);
    assert.equal(executeCommand.parameters.safeParse({ command: "  " }).success, false);
  });
});

describe("plainOutput", () => {
  it("leaves what a terminal would show", () => {
    assert.equal(plainOutput("\u001B]0;title\u0007a\u001B[1;32mb\u001B[K\u001B(Bc\r\nd"), "abc\nd");
    assert.equal(plainOutput("1\r2\r3\nend\r"), "3\nend");
  });

  it("keeps what files are before it runs, unless it is known to only read, and says what it cannot", async () => {
    const watched: string[] = [];
    const { changes } = new ToolWorld().context;
    const context: Partial<ToolContext> = {
      changes: {
        writing: (...args) => changes.writing(...args),
        before: (path) => changes.before(path),
        after: (path) => changes.after(path),
        watch: () => {
          watched.push("watch");
          return Promise.resolve({
            settle: () => {
              watched.push("settle");
              return Promise.resolve(["2 cannot be undone."]);
            },
          });
        },
      },
    };
    const scripts = { "node fix.mjs": { output: "fixed" }, "cat a.txt": { output: "a" } };
    const own = new ToolWorld({ "a.txt": "a" }, scripts, context);
    assert.match((await own.use(executeCommand, { command: "cat a.txt" })).content, /\na$/);
    assert.deepEqual(watched, []);
    const { content, notes } = await own.use(executeCommand, { command: "node fix.mjs" });
    assert.match(content, /fixed\n2 cannot be undone\.$/);
    assert.deepEqual(notes, ["2 cannot be undone."]);
    assert.deepEqual(watched, ["watch", "settle"]);
  });
});
