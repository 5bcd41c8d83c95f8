import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { controlFileContent } from "../../../../src/core/access/controlFileContent.js";
import type { AnyTool, ProposedAction, Tool } from "../../../../src/core/agent/tool.js";
import { type Permission, permissionText } from "../../../../src/core/approvals/permission.js";
import { commandTools } from "../../../../src/core/envelope/commandTools.js";
import { runFunctions } from "../../../../src/core/runs/work/functions/runFunctions.js";
import { allSpoken } from "../../../../src/core/text/allSpoken.js";
import type { Translate } from "../../../../src/core/text/translator.js";
import { isWords, type Words } from "../../../../src/core/text/words.js";
import { hostTools } from "../../../../src/core/tools/hostTool.js";
import { everyTool } from "../../../../src/core/tools/workspaceTools.js";
import { PlainCharts } from "../../../fakes/plainCharts.js";
import { PlainPatterns } from "../../../fakes/plainPatterns.js";
import { ScriptedWeb } from "../../../fakes/scriptedWeb.js";
import { CommandStage } from "../commands/commandStage.js";
import { ToolWorld } from "../tools/toolWorld.js";

const root = join(import.meta.dirname, "../../../../..");
const bundles = ["de", "es", "ja", "zh-cn"].map(
  (language) =>
    JSON.parse(readFileSync(join(root, `l10n/bundle.l10n.${language}.json`), "utf8")) as Record<
      string,
      string
    >,
);

/** Says no words of ours at all, and so only what they name. */
const unspoken = ((_message: string, values: Record<string, unknown>) =>
  Object.values(values).join(" ")) as Translate;

/** Returns all words in the data, those in others' placeholders, too. */
function wordsIn(data: unknown): Words[] {
  if (typeof data !== "object" || data === null) return [];
  const inner = Object.values(data).flatMap((part) => wordsIn(part));
  return isWords(data) ? [data, ...inner] : inner;
}

/** Returns the messages of the data that some language lacks. */
function untranslated(data: unknown): string[] {
  return wordsIn(data)
    .map(({ template }) => template)
    .filter((template) => !bundles.every((bundle) => Object.hasOwn(bundle, template)));
}

/** Returns the words of what is said that are no message's, and do not come from `given`. */
function plainEnglish(said: unknown, given: string): string[] {
  const texts: string[] = [];
  const collect = (part: unknown): void => {
    if (typeof part === "string") texts.push(part);
    else if (typeof part === "object" && part !== null) Object.values(part).forEach(collect);
  };
  collect(allSpoken(said, unspoken));
  const found = texts.join("\n").match(/\p{L}{2,}/gu) ?? [];
  return found.filter((word) => !given.includes(word));
}

describe("what a person is told of commands", () => {
  const cases = readFileSync(join(root, "test/unit/core/commands/cases.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { line: string }).line);

  it("is said in every language: each reason for each of the known commands", async () => {
    const wrong = new Set<string>();
    const seen = new Set<string>();
    for (const deny of [[], ["git push", "rm |"]]) {
      const stage = new CommandStage();
      stage.rules = { allow: ["npm test"], deny };
      const names = [...stage.files.paths, ...deny, "git npm test find etc gitconfig"].join(" ");
      for (const line of cases) {
        const review = await stage.review(line);
        const { commands, unclear } = review.facts;
        const reasons = (["safe", "all"] as const).map((preset) => {
          stage.preset = preset;
          stage.mayChangeProject = preset === "safe";
          return stage.decisionOf(line, review).why;
        });
        const said = [commands.map((command) => command.why), unclear, reasons];
        for (const { template } of wordsIn(said)) seen.add(template);
        for (const message of untranslated(said)) wrong.add(`${line}: no translation: ${message}`);
        const read = commands.flatMap((command) => command.words).join(" ");
        const others = plainEnglish(said, `${line} ${names} ${read}`);
        if (others.length > 0) wrong.add(`${line}: ${others.join(" ")}`);
      }
    }
    assert.deepEqual([...wrong], []);
    assert.ok(seen.size > 60, `${seen.size} messages`);
  });
});

/** A call of each of our tools, by the tool's name. */
const samples: Readonly<Record<string, readonly object[]>> = {
  read_file: [{ path: "src/x" }, { path: "src/x", start_line: 2, end_line: 3 }, { path: "/etc/x" }],
  list_files: [{ path: "src" }, { path: "src", recursive: true }],
  list_directory: [{ path: "src" }],
  search_files: [
    { path: "src", regex: "one" },
    { path: "src", regex: "one", file_pattern: "*" },
  ],
  search_file_content: [{ pattern: "one", path: "src", include: "*" }, { pattern: "one" }],
  glob: [{ pattern: "**", path: "src" }, { pattern: "*" }],
  read_many_files: [{ paths: ["src/x", "src/*"] }],
  write_to_file: [
    { path: "new", content: "one" },
    { path: "bin", content: "one" },
  ],
  write_file: [{ path: "new", content: "one" }],
  apply_diff: [{ path: "src/x", diff: "<<<<<<< SEARCH\none\n=======\ntwo\n>>>>>>> REPLACE" }],
  edit_file: [{ path: "src/x", old_text: "one", new_text: "two" }],
  replace: [
    { path: "src/x", old_string: "one", new_string: "two" },
    { files: ["src/x"], raw: "one", replacement: "two" },
  ],
  insert_content: [{ path: "src/x", line: 1, content: "two" }],
  create_directory: [{ path: "made", of: "gitkeep" }],
  execute_command: [{ command: "git gc" }, { command: "git gc", background: true, cwd: "src" }],
  run_shell_command: [{ command: "git gc" }],
  command_output: [{ id: "c" }, { id: "c", stop: true }],
  get_diagnostics: [{ path: "src/x" }, {}],
  web_fetch: [{ url: "https://example.test/", prompt: "https://example.test/" }],
  web_search: [{ query: "one" }],
  google_web_search: [{ query: "one" }],
  update_todo_list: [{ todos: "[ ] one" }, { todos: "[x] one\n[-] two" }],
  draw_chart: [
    {
      path: "chart.html",
      title: "one",
      description: "two",
      mark: "line",
      x: { field: "m", type: "temporal" },
      y: { field: "n", type: "quantitative" },
      file: "data.csv",
    },
  ],
  shell: [{ run: "git gc", cwd: "" }],
  browse: [{ run: "browse https://example.test/" }],
  read: [{ file: "src/x" }, { path: "src/x" }, { files: ["src/x"] }, { paths: ["src/x"] }],
  edit: [{ path: "src/x", edits: [] }],
  escape_string: [{ text: "one" }],
  unescape_string: [{ text: '"one"', path: "new" }],
  tickets: [{ id: 7 }, { path: "/etc/x" }, { path: ".npmrc" }],
};

describe("what a person is told of calls", () => {
  const files = {
    "src/x": "one\n",
    bin: new Uint8Array([0, 1, 2]),
    "data.csv": "m;n\n2025-01;1\n2025-02;2\n",
  };
  const ours = [
    ...everyTool,
    ...runFunctions,
    ...commandTools(["execute_command", "web_fetch", "read_file", "edit_file", "write_to_file"], {
      patterns: new PlainPatterns(),
      web: new ScriptedWeb(),
      asked: () => "",
    }).values(),
    ...hostTools(
      {
        offered: () => [{ name: "tickets", description: "one", parameters: {} }],
        call: () => Promise.resolve({ text: "" }),
      },
      [],
    ),
  ];

  async function saidOf(tool: AnyTool, args: object): Promise<readonly unknown[]> {
    if (tool.kind !== "action") return [];
    const given = tool as unknown as Tool;
    const world = new ToolWorld(
      files,
      {},
      {
        charts: new PlainCharts(),
        web: new ScriptedWeb(),
        webSearch: { address: "https://example.test/", search: () => Promise.resolve([]) },
      },
    );
    await world.reads("src/x");
    const title = given.title(given.parameters.parse(args));
    const prepared = await world.prepare(given, args);
    if ("ok" in prepared) return [title];
    const actions: ProposedAction[] = [
      ...(prepared.action === undefined ? [] : [prepared.action]),
      ...(prepared.more ?? []),
    ];
    return [
      title,
      ...actions.map(({ preview, ...action }) => [
        action.title,
        "protection" in action && action.protection,
        "reaches" in action && action.reaches,
        preview.kind === "text" && preview.text,
      ]),
    ];
  }

  it("is said in every language: the title and the action of each tool", async () => {
    const wrong: string[] = [];
    for (const tool of ours) {
      if (tool.kind !== "action") continue;
      const { parameters } = tool as unknown as Tool;
      // Tools of two protocols may have the same name.
      const calls = (samples[tool.name] ?? []).filter((args) => parameters.safeParse(args).success);
      assert.ok(calls.length > 0, `a call of ${tool.name} is missing here`);
      for (const args of calls) {
        const said = await saidOf(tool, args);
        // A flag is said in words of ours.
        const data = JSON.stringify(args, (_, value: unknown) =>
          value === true ? undefined : value,
        );
        const given = `${data} ${Object.keys(files).join(" ")} ${tool.name} https://example.test/`;
        for (const message of untranslated(said)) wrong.push(`${tool.name}: ${message}`);
        const others = plainEnglish(said, given);
        if (others.length > 0) wrong.push(`${tool.name}: ${others.join(" ")}`);
      }
    }
    assert.deepEqual(wrong, []);
  });

  it("is said in every language: what a manifest or a schema would change", () => {
    for (const [path, before, after] of [
      ["package.json", "{}", '{"scripts":{"a":"b"},"bin":"x"}'],
      ["composer.json", "{}", '{"scripts":{"a":"b"}}'],
      ["tsconfig.json", "{}", '{"extends":"x"}'],
      ["package.json", "{}", "{ broken"],
      ["a.json", "", '{"$schema":"https://example.test/"}'],
      ["a.json", "", "$schema/*".repeat(100_000)],
    ] as const) {
      const said = controlFileContent(path, before, after);
      assert.ok(said);
      assert.deepEqual(untranslated(said), []);
      assert.deepEqual(plainEnglish(said, `${path} ${after}`), []);
    }
  });

  it("is said in every language: each kind of permission", () => {
    const place = { cwd: "sub", bound: "" };
    const permissions: readonly Permission[] = [
      { kind: "read" },
      { kind: "write" },
      { kind: "command", command: "make", ...place },
      { kind: "commands", words: ["npm", "test"], ...place, cwd: "" },
      {
        kind: "chain",
        commands: [{ assignments: ["A=1"], words: ["npm"], exact: false }],
        ...place,
      },
      { kind: "web", host: "https://example.test" },
      { kind: "tool", tool: "tickets", bound: "1" },
      { kind: "server", server: "files", bound: "1", outside: true },
      { kind: "server", server: "files", bound: "1", outside: false },
    ];
    for (const permission of permissions) {
      const said = permissionText(permission);
      assert.deepEqual(untranslated(said), []);
      assert.deepEqual(plainEnglish(said, JSON.stringify(permission)), []);
    }
  });
});
