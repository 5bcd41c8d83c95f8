import assert from "node:assert/strict";
import { coerceArguments } from "../../../../../../src/core/agent/replies/coerceArguments.js";
import type { ToolContext, ToolResult } from "../../../../../../src/core/agent/tool.js";
import { runFunctions } from "../../../../../../src/core/runs/work/functions/runFunctions.js";
import type { ShellScript } from "../../../../../fakes/scriptedShell.js";
import { ScriptedWeb } from "../../../../../fakes/scriptedWeb.js";
import { ToolWorld } from "../../../tools/toolWorld.js";

/** Calls functions by name, as a model would. */
class Functions {
  readonly world: ToolWorld;

  constructor(
    files: Record<string, string> = {},
    more: Partial<ToolContext> = {},
    scripts: Record<string, ShellScript> = {},
  ) {
    this.world = new ToolWorld(files, scripts, more);
  }

  async prepare(name: string, args: object) {
    const tool = runFunctions.find((one) => one.name === name);
    assert.ok(tool?.kind === "action", name);
    return tool.prepare(tool.parameters.parse(args), this.world.context);
  }

  async call(name: string, args: object): Promise<ToolResult> {
    const prepared = await this.prepare(name, args);
    return "ok" in prepared ? prepared : prepared.run({});
  }

  async says(name: string, args: object): Promise<string> {
    return (await this.call(name, args)).content;
  }

  /** Returns what somebody would be asked about, as in `read docs/a.md`. */
  async asks(name: string, args: object): Promise<string[]> {
    const prepared = await this.prepare(name, args);
    assert.ok(!("ok" in prepared), "ok" in prepared ? prepared.content : "");
    return [prepared.action, ...(prepared.more ?? [])].flatMap((action) =>
      action === undefined
        ? []
        : "path" in action
          ? [`${action.access} ${action.path}`]
          : [`${action.access} ${"address" in action ? action.address : ""}`],
    );
  }
}

describe("the functions of runs", () => {
  it("[R-MV-32] have the names that the protocol gives them", () => {
    assert.deepEqual(
      runFunctions.map(({ name }) => name),
      [
        "list_directory",
        "read_file",
        "read_many_files",
        "glob",
        "search_file_content",
        "write_file",
        "replace",
        "create_directory",
        "run_shell_command",
        "google_web_search",
        "web_fetch",
        "draw_chart",
      ],
    );
  });

  it("[R-MV-32] take a path by the names that models know it by", () => {
    for (const name of ["path", "file_path", "absolute_path", "dir_path"]) {
      const tool = runFunctions.find((one) => one.name === "read_file");
      assert.ok(tool);
      assert.equal(coerceArguments(tool, JSON.stringify({ [name]: "a.md" })), '{"path":"a.md"}');
    }
  });

  it("[R-MV-32] list, read and write by absolute and by relative paths", async () => {
    const functions = new Functions({ "docs/a.md": "one\n", "docs/sub/b.md": "two\n" });
    for (const docs of ["docs", "/workspace/docs", "/workspace/x/../docs"]) {
      assert.equal(await functions.says("list_directory", { path: docs }), "docs/a.md\ndocs/sub/");
      assert.equal(await functions.says("read_file", { path: `${docs}/a.md` }), "1 | one");
      assert.deepEqual(await functions.asks("write_file", { path: `${docs}/n.md`, content: "" }), [
        "write docs/n.md",
      ]);
    }
    const [asked] = await functions.asks("read_file", { path: "/etc/passwd" });
    assert.equal(asked, "read /etc/passwd");
    await functions.call("write_file", { path: "/workspace/new/c.md", content: "three\n" });
    assert.equal(functions.world.files.text("new/c.md"), "three\n");
    assert.match(await functions.says("read_file", { path: "docs" }), /Use list_directory/);
    const lost = await functions.says("replace", { path: "x", old_string: "a", new_string: "b" });
    assert.match(lost, /list_directory, or make it with write_file/);
  });

  it("[R-MV-32] find files by a glob, newest first, by absolute paths", async () => {
    const functions = new Functions({
      "docs/b.md": "",
      "docs/sub/a.md": "",
      "docs/c.txt": "",
      "a.md": "",
      "docs/.env": "",
      ".gitignore": "out/\n",
      "out/x.md": "",
      "docs/[id].md": "",
    });
    functions.world.files.put("docs/b.md", "newer");
    const newestFirst = ["docs/b.md", "docs/[id].md", "a.md", "docs/sub/a.md"].map(
      (path) => `/workspace/${path}`,
    );
    const found = async (args: object) => (await functions.says("glob", args)).split("\n");
    assert.deepEqual(await found({ pattern: "**/*.md" }), newestFirst);
    assert.deepEqual(await found({ pattern: "/workspace/**/*.md" }), newestFirst);
    const inDocs = ["/workspace/docs/b.md", "/workspace/docs/[id].md"];
    assert.deepEqual(await found({ pattern: "*.md", path: "docs" }), inDocs);
    assert.deepEqual(await found({ pattern: "./docs/*.md" }), inDocs);
    assert.deepEqual(await found({ pattern: "docs/[id].md" }), inDocs.slice(1));
    assert.deepEqual(await found({ pattern: "docs/.*" }), ["No file fits."]);
    assert.deepEqual(await functions.asks("glob", { pattern: "../*.md" }), ["read /"]);
    assert.match(
      await functions.says("glob", { pattern: "none/*" }),
      /no folder none\. Look with list_directory/,
    );
  });

  it("[R-MV-32] say that a glob has found more than is listed", async () => {
    const many = Array.from({ length: 501 }, (_, index) => [`docs/${index}.md`, ""] as const);
    const functions = new Functions(Object.fromEntries(many));
    const found = (await functions.says("glob", { pattern: "docs/*.md" })).split("\n");
    assert.deepEqual([found.length, found.at(-1)?.slice(0, 15)], [501, "(There are more"]);
  });

  it("[R-MV-32] read many files, those of a glob among them, as far as there is room", async () => {
    const functions = new Functions({
      "a.md": "A",
      "docs/b.md": "B",
      "docs/c.md": "C",
      "docs/key.pem": "K",
      "big/0.md": "z",
      "big/1.md": `${"x".repeat(1900)}\n`.repeat(40),
      "big/2.md": "y",
      "more.md": `${"x".repeat(1900)}\n`.repeat(10),
    });
    const { ok, content } = await functions.call("read_many_files", {
      paths: ["/workspace/a.md", "docs/*", "none.md", "/workspace/a.md"],
    });
    assert.ok(ok);
    assert.deepEqual(content.split("\n\n"), [
      "/workspace/a.md:\n1 | A",
      "docs/c.md:\n1 | C",
      "docs/b.md:\n1 | B",
      "There is no file none.md. Look with list_directory.",
    ]);
    const paths = ["a.md", "docs/key.pem", "/etc/hosts", "docs/*"];
    assert.deepEqual(await functions.asks("read_many_files", { paths }), [
      "read a.md",
      "read docs/key.pem",
      "read /etc/hosts",
      "read docs",
    ]);
    const big = await functions.says("read_many_files", { paths: ["big/1.md", "big/*"] });
    assert.ok(big.length < 62_000);
    assert.match(
      big,
      /\(Cut here; read it by itself\.\)\n\n\(1 more are left out for their length\.\)$/,
    );
    const { seen = [] } = await functions.call("read_many_files", {
      paths: ["a.md", "big/1.md", "more.md"],
    });
    assert.deepEqual(
      seen.map(({ path }) => path),
      ["a.md", "big/1.md"],
      "what was cut has not been seen",
    );
    assert.equal((await functions.call("read_many_files", { paths: ["x", "y/*"] })).ok, false);
    // Nobody has been asked about the place that a link leads to.
    functions.world.files.put("/etc/hosts", "H");
    functions.world.files.link("docs/c.md", "/etc/hosts");
    const linked = await functions.says("read_many_files", { paths: ["docs/*"] });
    assert.equal(linked, "docs/b.md:\n1 | B");
  });

  it("[R-MV-32] search what files say", async () => {
    const functions = new Functions({ "docs/a.md": "one bee\n", "b.txt": "two bees\n" });
    const search = (args: object) => functions.says("search_file_content", args);
    assert.equal(
      await search({ pattern: "bees?$" }),
      "b.txt\n1 | two bees\n\ndocs/a.md\n1 | one bee",
    );
    assert.equal(await search({ pattern: "bee", include: "*.md" }), "docs/a.md\n1 | one bee");
    assert.equal(await search({ pattern: "bee", path: "/workspace/b.txt" }), "b.txt\n1 | two bees");
  });

  it("[R-MV-32] replace one occurrence, or as many as are expected", async () => {
    const functions = new Functions({ "a.md": "bee bee wasp\nbee\n" });
    const replace = (old_string: string, expected_replacements?: number) =>
      functions.says("replace", {
        path: "/workspace/a.md",
        old_string,
        new_string: "ant",
        expected_replacements,
      });
    const text = () => functions.world.files.text("a.md");
    assert.match(await replace("bee"), /more than once.*set expected_replacements/);
    assert.match(await replace("bee", 2), /3 places.*2 were expected/);
    assert.match(await replace("wasp", 2), /line 1; 2 were expected/);
    assert.match(await replace(""), /old_string is empty/);
    assert.equal(text(), "bee bee wasp\nbee\n");
    assert.match(await replace("wasp"), /^Edited a\.md: line 1\./);
    assert.match(await replace("bee", 3), /^Edited a\.md: 3 places/);
    assert.equal(text(), "ant ant ant\nant\n");
    // It can be looked over and undone.
    assert.deepEqual([...(await functions.world.changes.read()).keys()], ["a.md"]);
  });

  it("[R-MV-32] create a directory, which can be undone, unless it is there", async () => {
    const functions = new Functions({ "docs/a.md": "A" });
    const create = (path: string) => functions.says("create_directory", { path });
    assert.deepEqual(await functions.asks("create_directory", { path: "/workspace/new/x/" }), [
      "write new/x/.gitkeep",
    ]);
    assert.equal(await create("/workspace/new/x/"), "Created new/x/.");
    assert.equal(functions.world.files.text("new/x/.gitkeep"), "");
    assert.equal(await create("new/x"), "new/x is there already.");
    assert.match(await create("docs/a.md"), /is a file/);
    assert.deepEqual([...(await functions.world.changes.read()).keys()], ["new/x/.gitkeep"]);
  });

  it("[R-MV-32] run a command in a directory, looked at as everybody's", async () => {
    const functions = new Functions({ "docs/a.md": "A" }, {}, { ls: { output: "use list_files" } });
    const prepared = await functions.prepare("run_shell_command", {
      command: " ls ",
      directory: "/workspace/docs",
    });
    assert.ok(!("ok" in prepared) && prepared.action?.access === "command");
    assert.deepEqual([prepared.action.command, prepared.action.path], ["ls", "docs"]);
    assert.ok(prepared.action.facts);
    assert.match((await prepared.run({})).content, /use list_files/);
    const tool = runFunctions.find(({ name }) => name === "run_shell_command");
    assert.ok(tool?.kind === "action" && tool.inSandbox !== undefined);
    const { inSandbox } = tool;
    assert.equal(inSandbox.name, "run_shell_command");
    const args = inSandbox.parameters.parse({ command: "ls", directory: "docs" });
    const inside = await inSandbox.prepare(args, functions.world.context);
    assert.ok(!("ok" in inside) && inside.action?.access === "command");
    assert.equal(inside.action.path, "docs");
  });

  it("[R-MV-32] search the web, and fetch the pages that a prompt names", async () => {
    const web = new ScriptedWeb({ "https://a.test/x": "Page A", "https://b.test/(1)": "Page B" });
    const search = (query: string) =>
      Promise.resolve([{ title: query, address: "https://a.test/x", excerpt: "Bees" }]);
    const webSearch = { address: "https://search.test/", search };
    const functions = new Functions({}, { web, webSearch });
    assert.match(await functions.says("google_web_search", { query: "bees" }), /1\. bees\nhttps:/);
    const prompt =
      "Compare (see https://a.test/x) with <https://b.test/(1)>, then https://a.test/x.";
    assert.deepEqual(await functions.asks("web_fetch", { prompt }), [
      "web https://a.test/x",
      "web https://b.test/(1)",
    ]);
    assert.deepEqual(web.asked, []);
    const { ok, content } = await functions.call("web_fetch", { prompt });
    assert.ok(ok);
    assert.match(content, /Page A\n<\/data>\n\nStatus 200[^]*Page B/);
    assert.match(await functions.says("web_fetch", { prompt: "bees" }), /no http: or https:/);
    const many = Array.from({ length: 6 }, (_, n) => `https://a.test/${n}`).join(" ");
    assert.match(await functions.says("web_fetch", { prompt: many }), /6 addresses; 5 at most/);
    const addresses = ["1", "2", "3"].map((n) => `https://a.test/${n}`);
    const long = addresses.map((one) => [one, `${one.at(-1) ?? ""}\n`.repeat(60_000)] as const);
    const reader = new Functions({}, { web: new ScriptedWeb(Object.fromEntries(long)) });
    await reader.call("web_fetch", { prompt: addresses.join(" ") });
    const kept = reader.world.files.paths.map((path) => reader.world.files.text(path)?.at(-1));
    assert.deepEqual(kept, ["1", "2", "3"], "each long page has its own file");
  });
});
