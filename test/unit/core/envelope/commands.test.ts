import assert from "node:assert/strict";
import type { AnyTool, Tool } from "../../../../src/core/agent/tool.js";
import { commandTools } from "../../../../src/core/envelope/commandTools.js";
import type { Web } from "../../../../src/core/ports/web.js";
import { PlainPatterns } from "../../../fakes/plainPatterns.js";
import type { ShellScript } from "../../../fakes/scriptedShell.js";
import { ToolWorld } from "../tools/toolWorld.js";

const everyTool = ["execute_command", "web_fetch", "read_file", "edit_file", "write_to_file"];

/** The seven commands in a workspace in memory. */
class CommandWorld extends ToolWorld {
  asked = "";
  answer: Awaited<ReturnType<Web["get"]>> = {
    address: "https://example.com/",
    status: 200,
    contentType: "text/html",
    text: "# Hello",
    truncated: false,
  };
  readonly tools: ReadonlyMap<string, AnyTool>;

  constructor(
    files: Record<string, string | Uint8Array> = {},
    scripts?: Record<string, ShellScript>,
  ) {
    super(files, scripts);
    this.tools = commandTools(everyTool, {
      patterns: new PlainPatterns(),
      web: { get: () => Promise.resolve(this.answer) },
      asked: () => this.asked,
    });
  }

  tool(name: string): Tool<object> {
    const tool = this.tools.get(name);
    assert.equal(tool?.kind, "action");
    return tool;
  }

  /** Runs a command. Returns what it printed, its streams and its exit code in one. */
  async run(name: string, args: object) {
    const { ok, content, printed } = await this.use(this.tool(name), args);
    return { ok, content, out: printed?.stdout, err: printed?.stderr, ...printed };
  }
}

describe("envelope commands", () => {
  it("[R-ENV-3] are those that the mode's tools allow", () => {
    const names = (tools: string[]) => [
      ...commandTools(tools, { patterns: new PlainPatterns(), asked: () => "" }).keys(),
    ];
    assert.deepEqual(names(["read_file"]), ["read", "escape_string"]);
    for (const tool of ["edit_file", "apply_diff"]) {
      assert.deepEqual(names([tool]), ["edit", "replace", "escape_string"], tool);
    }
    assert.deepEqual(names(["read_file", "write_to_file", "execute_command", "web_fetch"]), [
      "shell",
      "read",
      "edit",
      "replace",
      "escape_string",
      "unescape_string",
    ]);
  });

  describe("shell", () => {
    const fails = {
      exitCode: 2,
      output: "out\nbad\n",
      streams: { stdout: "out\n", stderr: "bad\n" },
    };
    const shell = { run: "make", cwd: "." };

    it("[R-ENV-15] runs for a minute at most unless told otherwise, where it is told", async () => {
      const world = new CommandWorld({ "sub/a": "" }, { make: { output: "done\n" } });
      const { out, exitCode } = await world.run("shell", { ...shell, cwd: "sub" });
      assert.deepEqual([out, exitCode], ["done", 0]);
      await world.run("shell", { ...shell, timeout_sec: 5 });
      const asked = world.shell.requests.map(({ cwd, timeoutMs }) => [cwd, timeoutMs]);
      assert.deepEqual(asked, [
        ["sub", 60_000],
        ["", 5_000],
      ]);
    });

    it("[R-ENV-15] tells the streams apart where it failed, and not where it did not", async () => {
      const world = new CommandWorld({}, { make: fails });
      const failed = await world.run("shell", shell);
      assert.deepEqual([failed.out, failed.err, failed.exitCode], ["out", "bad", 2]);
      const fine = new CommandWorld({}, { make: { ...fails, exitCode: 0 } });
      const worked = await fine.run("shell", shell);
      assert.deepEqual([worked.out, worked.err], ["out\nbad", ""]);
    });

    it("[R-ENV-15] keeps matching lines, whatever their case, then the last of them", async () => {
      const streams = { stdout: "ERROR a\nfine\nerror b\nError c\n", stderr: "no\nan error\n" };
      const world = new CommandWorld({}, { make: { ...fails, streams } });
      const args = { ...shell, filter_regex: "^.*error", tail_lines: 2 };
      const narrow = await world.run("shell", args);
      assert.deepEqual([narrow.out, narrow.err], ["error b\nError c", "an error"]);
      assert.equal(narrow.truncated, true);
      assert.match(narrow.content, /out\nbad/, "the card shows all of it");
      const early = { ...fails, streams: { stdout: "error 1\nerror 2\nfine\nfine\n", stderr: "" } };
      const first = await new CommandWorld({}, { make: early }).run("shell", args);
      assert.equal(first.out, "error 1\nerror 2", "the last of those that match");
      const broken = await world.run("shell", { ...shell, filter_regex: "(" });
      assert.equal(broken.out, "ERROR a\nfine\nerror b\nError c");
    });

    it("[R-ENV-15] says that it was ended before its time", async () => {
      const late = { endedBy: "timeout" as const, exitCode: null, output: "half\n" };
      const world = new CommandWorld({}, { make: late });
      const { killed, exitCode, err, note } = await world.run("shell", shell);
      assert.deepEqual([killed, exitCode, err], [true, 1, ""]);
      assert.match(note ?? "", /longer than 60 s\. Set timeout_sec if/);
    });

    it("[R-ENV-15] keeps what is said of the run apart from what the command printed", async () => {
      const left = { ...fails, leftRunning: true as const };
      const world = new CommandWorld({}, { make: left });
      const { err, note } = await world.run("shell", { ...shell, tail_lines: 1 });
      assert.equal(err, "bad");
      // The protocol has no field that keeps a command running.
      assert.equal(note, "Processes that it left running were ended with it.");
    });

    it("[R-ENV-15] [R-ENV-16] says that its output was cut before it was narrowed", async () => {
      const world = new CommandWorld({}, { make: { output: "a\nb\n", omitted: 9 } });
      assert.equal((await world.run("shell", shell)).truncated, true);
    });

    it("asks as execute_command does", async () => {
      const action = await new CommandWorld().actionOf(new CommandWorld().tool("shell"), shell);
      assert.deepEqual(
        [action.access, action.preview],
        ["command", { kind: "command", text: "make" }],
      );
    });
  });

  it("[R-ENV-10] browse answers with the page, or with the status as exit code", async () => {
    const world = new CommandWorld();
    const browse = { run: "browse https://example.com/", cwd: "." };
    const prepared = await world.prepare(world.tool("browse"), browse);
    assert.ok(!("ok" in prepared));
    assert.equal(prepared.action?.access, "web");
    assert.equal(prepared.action.preview.text, "https://example.com/");
    const page = await world.run("browse", browse);
    assert.deepEqual([page.out, page.exitCode], ["# Hello", 0]);
    for (const status of [304, 404, 500]) {
      world.answer = { ...world.answer, status, text: "gone" };
      const gone = await world.run("browse", browse);
      assert.deepEqual([gone.ok, gone.exitCode, gone.out], [false, status, "gone"]);
    }
    world.answer = { ...world.answer, status: 200, text: "", redirectsTo: "https://other.org/" };
    assert.match((await world.run("browse", browse)).out ?? "", /other\.org/);
    world.answer = { ...world.answer, text: "x".repeat(60_001) };
    assert.equal((await world.run("browse", browse)).truncated, true);
  });

  describe("read", () => {
    it("[R-ENV-11] reads each file once, cut by bytes, then by lines", async () => {
      const world = new CommandWorld({ a: "1\n2\n3\n", "b/c": "x" });
      const all = await world.run("read", { path: "a", paths: ["./a", "b/c", "a"] });
      assert.equal(all.out, "a:::\n1\n2\n3\n\nb/c:::\nx");
      assert.equal(all.truncated, false);
      const lines = await world.run("read", { path: "a", max_lines: 2 });
      assert.deepEqual([lines.out, lines.truncated], ["a:::\n1\n2", true]);
      const both = await world.run("read", { path: "a", max_bytes: 3, max_lines: 5 });
      assert.deepEqual([both.out, both.truncated], ["a:::\n1\n2", true]);
    });

    it("[R-ENV-11] cuts no character in two", async () => {
      const world = new CommandWorld({ a: "ä€😀!" });
      const cut = async (max_bytes: number) =>
        (await world.run("read", { path: "a", max_bytes })).out?.replace("a:::\n", "");
      assert.deepEqual(await Promise.all([1, 2, 4, 5, 8, 9, 10].map(cut)), [
        "",
        "ä",
        "ä",
        "ä€",
        "ä€",
        "ä€😀",
        "ä€😀!",
      ]);
    });

    it("reads what it can, and says what it cannot", async () => {
      const world = new CommandWorld({ a: "1", bin: new Uint8Array([0, 1]) });
      const { ok, out, err, exitCode } = await world.run("read", {
        path: "a",
        paths: ["no", "bin"],
      });
      assert.deepEqual([ok, out, exitCode], [false, "a:::\n1", 1]);
      assert.match(err ?? "", /no file no\.\n.*binary/);
      const encoded = await world.run("read", { path: "a", encoding: "latin1" });
      assert.match(encoded.content, /encoding latin1 is not known/);
    });

    it("[R-ENV-7] stays in the workspace", async () => {
      const world = new CommandWorld({ "/etc/passwd": "root" });
      world.files.link("link", "/etc/passwd");
      for (const path of ["/etc/passwd", "../etc/passwd", "link"]) {
        const { ok, content } = await world.run("read", { path });
        assert.equal(ok, false, path);
        assert.match(content, /outside the workspace/);
      }
    });

    it("[R-ENV-7] leaves hidden folders alone, unless the user asks for one", async () => {
      const files = { ".git/config": "x", ".env": "A=1", ".github/a.yml": "y", "src/.x/b": "z" };
      const world = new CommandWorld({ ...files, ".rooroo/tasks/T/context.md": "c" });
      const read = async (path: string) => (await world.run("read", { path })).ok;
      assert.equal(await read(".git/config"), false);
      assert.equal(await read("src/../.git/config"), false);
      assert.equal(await read("src/.x/b"), false);
      assert.equal(await read(".git"), false);
      assert.equal(await read(".env"), true, "a file, not a folder");
      assert.equal(await read(".rooroo/tasks/T/context.md"), true, "where tasks live");
      const listed = await world.run("read", { path: "." });
      assert.equal(listed.out?.includes(".git"), false);
      assert.match(listed.out, /src\//);
      world.asked = "Look into .github, please.";
      assert.equal(await read(".github/a.yml"), true);
      assert.equal(await read(".git/config"), false, "its name is not a part of another");
    });
  });

  describe("edit", () => {
    const edit = (path: string, ...edits: [number, number, string][]) => ({
      path,
      edits: edits.map(([start, end, newText]) => ({ start, end, newText })),
    });

    it("[R-ENV-12] counts places in the file as it was", async () => {
      const world = new CommandWorld({ a: "0123456789" });
      await world.run("read", { path: "a" });
      const args = edit("a", [8, 10, "end"], [0, 1, "zero "], [4, 4, "+"], [4, 4, "-"]);
      assert.equal((await world.run("edit", args)).ok, true);
      assert.equal(world.files.text("a"), "zero 123+-4567end");
    });

    it("[R-ENV-12] counts in UTF-16 units, and leaves a byte order mark where it is", async () => {
      const world = new CommandWorld({ a: "\uFEFF😀ä!" });
      await world.run("read", { path: "a" });
      await world.run("edit", edit("a", [3, 4, "?"]));
      assert.equal(world.files.text("a"), "\uFEFF😀ä?");
    });

    it("[R-ENV-12] makes a file that is not there", async () => {
      const world = new CommandWorld();
      assert.equal((await world.run("edit", edit("new/a", [0, 0, "hello"]))).ok, true);
      assert.equal(world.files.text("new/a"), "hello");
    });

    it("[R-ENV-12] writes nothing where a place is not there, or two overlap", async () => {
      const world = new CommandWorld({ a: "0123" });
      const wrong: [object, RegExp][] = [
        [edit("a", [0, 5, ""]), /ends at 5, and the file has 4 characters/],
        [edit("new", [0, 1, ""]), /no such file yet/],
        [edit("a", [0, 3, ""], [2, 4, ""]), /overlaps with edits\.0/],
        [edit("a", [0, 1, "0"]), /says that already/],
      ];
      for (const [args, words] of wrong) {
        assert.match(await world.refusal(world.tool("edit"), args), words);
      }
      assert.equal(world.files.text("a"), "0123");
    });

    it("[R-ENV-12] counts no places in a text that its writer has not read", async () => {
      const world = new CommandWorld({ a: "0123" });
      const args = edit("a", [0, 1, "zero"]);
      assert.match(await world.refusal(world.tool("edit"), args), /you have not read it/);
      await world.run("read", { path: "a" });
      world.files.put("a", "x0123");
      assert.match(await world.refusal(world.tool("edit"), args), /changed since you read it/);
    });
  });

  describe("replace", () => {
    const replace = (more: object) => ({ files: ["a", "b"], replacement: "$1", ...more });

    it("[R-ENV-13] replaces everywhere, the replacement taken as it is", async () => {
      const world = new CommandWorld({ a: "x.x xyx", b: "x.x", c: "x.x" });
      assert.equal((await world.run("replace", replace({ raw: "x.x" }))).ok, true);
      assert.deepEqual(
        ["a", "b", "c"].map((path) => world.files.text(path)),
        ["$1 xyx", "$1", "x.x"],
      );
    });

    it("[R-ENV-13] takes no sign of the replacement for anything else", async () => {
      const world = new CommandWorld({ a: "ab" });
      const args = { files: ["a"], regex: "(a)(?<b>b)", replacement: "$& $1 $<b> $$ $` \\1" };
      await world.run("replace", args);
      assert.equal(world.files.text("a"), args.replacement);
    });

    it("[R-ENV-13] takes an expression with flags, every match of it", async () => {
      const world = new CommandWorld({ a: "Ab aB", b: "ab" });
      await world.run("replace", replace({ regex: "(a)b", flags: "i" }));
      assert.deepEqual([world.files.text("a"), world.files.text("b")], ["$1 $1", "$1"]);
    });

    it("[R-ENV-13] writes nothing beyond a hundred matches, nor where a file is missing", async () => {
      const world = new CommandWorld({ a: "x".repeat(60), b: "x".repeat(41) });
      const tool = world.tool("replace");
      assert.match(await world.refusal(tool, replace({ raw: "x" })), /More than 100/);
      const missing = { ...replace({ raw: "x" }), files: ["a", "no"] };
      assert.match(await world.refusal(tool, missing), /Nothing was written.*no file no/);
      assert.match(await world.refusal(tool, replace({ raw: "y" })), /Nothing matches/);
      assert.equal(world.files.text("a"), "x".repeat(60));
      await world.run("replace", { ...replace({ raw: "x" }), files: ["a"] });
      assert.equal(world.files.text("a"), "$1".repeat(60));
      const most = new CommandWorld({ a: "x".repeat(60), b: "x".repeat(40) });
      assert.equal((await most.run("replace", replace({ raw: "x" }))).ok, true, "a hundred");
    });

    it("has every file asked about", async () => {
      const world = new CommandWorld({ a: "x", b: "x" });
      const prepared = await world.prepare(world.tool("replace"), replace({ raw: "x" }));
      assert.ok(!("ok" in prepared));
      const intents = [prepared.action, ...(prepared.more ?? [])];
      assert.deepEqual(
        intents.map((action) => action && "path" in action && action.path),
        ["a", "b"],
      );
    });
  });

  it("[R-ENV-14] escape_string and unescape_string undo one another", async () => {
    const world = new CommandWorld();
    const text = 'a "b"\n\\c 😀\u0007';
    const escaped = await world.run("escape_string", { text });
    await world.run("unescape_string", { text: escaped.content, path: "a" });
    assert.equal(world.files.text("a"), text);
  });

  it("[R-ENV-14] unescape_string writes nothing but strings", async () => {
    const world = new CommandWorld();
    const tool = world.tool("unescape_string");
    assert.match(await world.refusal(tool, { text: "plain", path: "a" }), /not a JSON string/);
    assert.match(await world.refusal(tool, { text: "7", path: "a" }), /not a string/);
    assert.equal(world.files.text("a"), undefined);
  });
});
