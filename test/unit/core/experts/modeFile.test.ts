import assert from "node:assert/strict";
import fc from "fast-check";
import { noUserPlaces } from "../../../../src/core/access/userPlaces.js";
import {
  type InstructedWork,
  instructionProblems,
  Instructions,
} from "../../../../src/core/experts/instructions.js";
import { mayWrite } from "../../../../src/core/experts/mode.js";
import { parseModeFile } from "../../../../src/core/experts/modeFile.js";
import { Modes } from "../../../../src/core/experts/modes.js";
import { encodeText } from "../../../../src/core/text/textFile.js";
import { spoken, type Words } from "../../../../src/core/text/words.js";
import { TimedPatterns } from "../../../../src/node/search/timedPatterns.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { PlainPatterns } from "../../../fakes/plainPatterns.js";
import { tries } from "../../../fakes/tries.js";

const folder = ".rooroo/tasks/ROO#TASK_1";
const patterns = new PlainPatterns();

/** Returns a mode that reads files. */
const modeOf = (slug: string) => ({ slug, tools: ["read_file"] });

const yaml = `customModes:
  - slug: docs-writer
    name: Docs Writer
    roleDefinition: |-
      You write documentation.
    whenToUse: For READMEs and guides.
    customInstructions: Short sentences.
    groups:
      - read
      - - edit
        - fileRegex: \\.(md|mdx)$
          description: Markdown files
      - command
    source: project
`;

describe("mode file", () => {
  it("reads YAML as Roo Code writes it, with fileRegex as the write scope", () => {
    const { modes, problems } = parseModeFile(yaml, ".roomodes", patterns);
    assert.deepEqual(problems, []);
    const [mode] = modes;
    assert.equal(mode!.instructions, "You write documentation.\n\nShort sentences.");
    assert.equal(mode!.whenToUse, "For READMEs and guides.");
    assert.ok(mode!.tools.includes("execute_command") && mode!.tools.includes("apply_diff"));
    assert.equal(mayWrite(mode!.writes, "docs/guide.md", folder), true);
    assert.equal(mayWrite(mode!.writes, "src/main.js", folder), false);
    assert.equal(mayWrite(mode!.writes, ".rooroo/plans/p.md", folder), false);
    assert.equal(mayWrite(mode!.writes, `${folder}/notes.txt`, folder), true);
  });

  it("reads JSON, and a mode without edit writes its own folder only", () => {
    const json = JSON.stringify({
      customModes: [{ slug: "look", name: "Look", roleDefinition: "You look.", groups: ["read"] }],
    });
    const [mode] = parseModeFile(json, ".roomodes", patterns).modes;
    assert.equal(mode!.writes, "ownTaskFolder");
    assert.ok(!mode!.tools.includes("write_to_file"));
  });

  it("says what is wrong with a mode at its line, and loads the rest", () => {
    const broken = `${yaml}  - slug: bad slug
    name: Bad
    roleDefinition: x
    groups: [read, fly]
  - slug: regex
    name: Regex
    roleDefinition: x
    groups: [[edit, { fileRegex: "(" }]]
  - slug: docs-writer
    name: Twice
    roleDefinition: x
    groups: []
  - nonsense
`;
    const { modes, problems } = parseModeFile(broken, ".roomodes", patterns);
    assert.equal(modes.length, 1);
    assert.deepEqual(
      problems.map(({ line, column, message }) => `${line}:${column} ${spoken(message)}`),
      [
        "15:11 slug: may hold letters, digits and hyphens only",
        '18:20 groups.1: must be one of read, edit, command, browser, mcp, modes, or a list of one and its options, as [edit, {fileRegex: "\\.md$"}]',
        "22:34 fileRegex: ( is not a regular expression",
        "23:11 There are two modes with the slug docs-writer.",
        "27:5 The mode: must be an object",
      ],
    );
  });

  it("says that an agent of Rooroo's own is no mode, and one fault of YAML once", () => {
    const own = `customModes:
  - slug: rooroo-navigator
    name: Navigator
    roleDefinition: x
    groups: [read]
`;
    const { modes, problems } = parseModeFile(own, ".roomodes", patterns);
    assert.deepEqual(modes, []);
    assert.deepEqual(
      problems.map(({ line, message }) => `${line} ${spoken(message)}`),
      ["2 rooroo-navigator is an agent of Rooroo's own and no expert, so this mode is not used."],
    );
    const torn = parseModeFile(`customModes:\n${"  - slug: [\n".repeat(5)}`, ".roomodes", patterns);
    assert.equal(torn.problems.length, 1);
  });

  it("is read with comments in JSON, each problem at its place", () => {
    const file = `// Modes of this project
{
  /* "customModes": [] */
  "customModes": [ // all
    { "slug": "look", "name": "Look // see", "roleDefinition": "You look.", "groups": ["read"] },
    /* next */ { "slug": "a b", "name": "B", "roleDefinition": "x", "groups": [] },
  ],
}
`;
    const { modes, problems } = parseModeFile(file, ".roomodes", patterns);
    assert.deepEqual(
      modes.map(({ slug, name }) => [slug, name]),
      [["look", "Look // see"]],
    );
    assert.deepEqual(
      problems.map(({ line, column }) => `${line}:${column}`),
      ["6:26"],
    );
  });

  it("is read with tabs that indent, if it means the same whatever their width, each problem at its place", () => {
    const [read] = parseModeFile(yaml, ".roomodes", patterns).modes;
    const tabs = yaml.replace(/^(?: {2})+/gm, (spaces) => "\t".repeat(spaces.length / 2));
    // A dash and its space are two columns wide, which a tab need not be.
    const mixed = yaml.replace(/^ {2}/gm, "\t");
    assert.ok(tabs.includes("\t\t\t- read") && mixed.includes("\t    - read"));
    const [first] = parseModeFile(mixed, ".roomodes", patterns).modes;
    assert.equal(first!.instructions, read!.instructions);
    assert.equal(parseModeFile(tabs, ".roomodes", patterns).modes[0]!.slug, "docs-writer");
    const wrong = `${mixed}\t- slug: a b\n\t  name: B\n\t  roleDefinition: x\n\t  groups: []\n`;
    assert.deepEqual(
      parseModeFile(wrong, ".roomodes", patterns).problems.map(
        ({ line, column }) => `${line}:${column}`,
      ),
      ["15:10"],
    );
  });

  it("is not read where the width of a tab decides what it means, which is told with the line", () => {
    for (const [file, line] of [
      [yaml.replace("customInstructions: Short sentences.", "extra:\n\tother: 1"), 8],
      [yaml.replace("    name:", "  \tname:"), 3],
    ] as const) {
      const { modes, problems } = parseModeFile(file, ".roomodes", patterns);
      assert.deepEqual(modes, []);
      assert.equal(problems[0]!.line, line);
      assert.match(
        spoken(problems[0]!.message),
        /a tab cannot indent|the indentation does not fit/,
      );
    }
  });

  it("is read in UTF-16, as older PowerShell writes it", async () => {
    const files = new MemoryFileSystem({});
    for (const encoding of ["utf-16le", "utf-16be", "utf-8 with BOM"] as const) {
      files.put(".roomodes", encodeText(yaml, encoding));
      const modes = new Modes(files, patterns);
      await modes.refresh();
      assert.deepEqual(modes.problems, [], encoding);
      assert.ok(modes.all.has("docs-writer"), encoding);
    }
  });

  it("names the line of a syntax error", () => {
    const { modes, problems } = parseModeFile("customModes:\n  - slug: [\n", ".roomodes", patterns);
    assert.equal(modes.length, 0);
    assert.ok(problems[0]!.line >= 2);
    assert.match(spoken(problems[0]!.message), /not valid YAML or JSON/);
    assert.match(
      spoken(parseModeFile("modes: []", ".roomodes", patterns).problems[0]!.message),
      /customModes/,
    );
  });

  it("has an expression that would take for ever refuse every file, after the first at once", () => {
    const file = modeWith('[[edit, { fileRegex: "^(a+)+$" }]]');
    const { modes, problems } = parseModeFile(file, ".roomodes", new TimedPatterns());
    assert.deepEqual(problems, []);
    const writes = modes[0]!.writes;
    assert.equal(mayWrite(writes, "aaa", folder), true);
    const slow = `${"a".repeat(64)}!`;
    for (const path of [slow, "aaa"]) {
      assert.throws(() => mayWrite(writes, path, folder), { code: "fileRegexInvalid" });
    }
    assert.equal(mayWrite(writes, `${folder}/notes.txt`, folder), true);
  });

  for (const [groups, message] of [
    [
      '["edit", {fileRegexp: "x"}]',
      "6:36 groups.0: edit has no option fileRegexp; its options are fileRegex, description. Correct it. Until it is, the mode may write nothing of the project.",
    ],
    [
      'edit, ["edit", {fileRegex: "x"}]',
      "6:20 groups.1: the group edit is there twice. Remove one. Until it is, the mode may write nothing of the project.",
    ],
    [
      '["edit", {fileRegex: "x"}], edit',
      "6:42 groups.1: the group edit is there twice. Remove one. Until it is, the mode may write nothing of the project.",
    ],
  ] as const) {
    it(`lists what is not clear in an edit group, and lets nothing of the project be written: ${groups}`, () => {
      const { modes, problems } = parseModeFile(modeWith(`[${groups}]`), ".roomodes", patterns);
      assert.deepEqual(
        problems.map(({ line, column, message }) => `${line}:${column} ${spoken(message)}`),
        [message],
      );
      assert.equal(mayWrite(modes[0]!.writes, "x", folder), false);
      assert.equal(mayWrite(modes[0]!.writes, `${folder}/x`, folder), true);
    });
  }

  it("lists unknown options and doubles of other groups, which keep what they give", () => {
    const groups = '[read, ["read", {paths: "x"}], edit]';
    const { modes, problems } = parseModeFile(modeWith(groups), ".roomodes", patterns);
    assert.deepEqual(
      problems.map(({ message }) => spoken(message)),
      [
        "groups.1: read has no option paths; its options are fileRegex, description. Correct it.",
        "groups.1: the group read is there twice. Remove one.",
      ],
    );
    assert.equal(mayWrite(modes[0]!.writes, "x", folder), true);
  });

  it("lets neither of two modes with one slug write the project", () => {
    const file = `${modeWith("[edit]")}  - slug: m\n    name: M\n    roleDefinition: x\n    groups: [read]\n`;
    const { modes } = parseModeFile(file, ".roomodes", patterns);
    assert.equal(mayWrite(modes[0]!.writes, "x", folder), false);
  });

  for (const groups of [
    '[["edit", "x"]]',
    '[["edit", ["edit", {fileRegex: "x"}]]]',
    "[[edit, { fileRegex: '(' }]]",
  ]) {
    it(`narrows a built-in mode that the file was to replace, where its groups cannot be read: ${groups}`, async () => {
      const file = modeWith(groups).replace("slug: m", "slug: rooroo-developer");
      const modes = new Modes(new MemoryFileSystem({ ".roomodes": file }), patterns);
      await modes.refresh();
      assert.equal(modes.problems.length, 1);
      assert.equal(mayWrite(modes.all.get("rooroo-developer")!.writes, "x", folder), false);
      assert.equal(mayWrite(modes.all.get("rooroo-documenter")!.writes, "x.md", folder), true);
    });
  }

  it("survives any text", () => {
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "customModes:\n",
        "  - slug: a\n",
        "&a [*a, *a]",
        "<<: *a\n",
        "\t",
        "- ",
        "{",
      ),
      fc.json(),
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        parseModeFile(pieces.join(""), ".roomodes", patterns);
      }),
      { numRuns: tries(2000) },
    );
  });

  it("is read again when it changes, and gives way when it goes", async () => {
    const files = new MemoryFileSystem();
    const modes = new Modes(files, patterns);
    await modes.refresh();
    assert.equal(modes.all.has("docs-writer"), false);
    files.put(".roomodes", yaml);
    await modes.refresh();
    assert.equal(modes.all.has("docs-writer"), true);
    assert.equal(modes.all.has("rooroo-developer"), true);
    await files.removeFile(".roomodes");
    await modes.refresh();
    assert.equal(modes.all.has("docs-writer"), false);
  });
});

/** Returns a mode file with one mode, its groups written as given. */
function modeWith(groups: string): string {
  return `customModes:\n  - slug: m\n    name: M\n    roleDefinition: x\n\n    groups: ${groups}\n`;
}

describe("a mode file that is not an ordinary one", () => {
  const mode = yaml.replaceAll("docs-writer", "stranger");

  async function problemsOf(files: MemoryFileSystem): Promise<string[]> {
    const modes = new Modes(files, patterns);
    await modes.refresh();
    assert.equal(modes.all.has("stranger"), false);
    assert.equal(modes.all.has("rooroo-developer"), true);
    return modes.problems.map(({ message }) => spoken(message));
  }

  for (const [target, why] of [
    ["hidden/modes", "is hidden from experts by .rooignore"],
    [".env", "may hold keys or passwords"],
    ["/etc/modes", "is outside the workspace"],
  ] as const) {
    it(`is not used when it is a link to a file that ${why}`, async () => {
      const files = new MemoryFileSystem({ ".rooignore": "hidden/\n", [target]: mode });
      files.link(".roomodes", target);
      assert.deepEqual(await problemsOf(files), [
        `.roomodes is a link to ${target}, which ${why}, so it is not read. Move it away, or put a regular file there.`,
      ]);
    });
  }

  it("is read when it has hundreds of kilobytes", async () => {
    const one = (number: number) =>
      `  - slug: mode-${number}\n    name: M\n    roleDefinition: ${"Role ".repeat(2_000)}\n    groups: [read]\n`;
    const text = `customModes:\n${Array.from({ length: 60 }, (_, at) => one(at)).join("")}`;
    assert.ok(text.length > 600_000);
    const modes = new Modes(new MemoryFileSystem({ ".roomodes": text }), patterns);
    await modes.refresh();
    assert.deepEqual([modes.problems, modes.all.has("mode-59")], [[], true]);
  });

  it("is not used when it is a folder or too long, and is again when it is mended", async () => {
    const files = new MemoryFileSystem({ ".roomodes/x": "" });
    assert.deepEqual(await problemsOf(files), [
      ".roomodes is not a regular file, so it is not read. Move it away, or put a regular file there.",
    ]);
    const long = new MemoryFileSystem({ ".roomodes": `${mode}#${"x".repeat(6_000_000)}` });
    const modes = new Modes(long, patterns);
    await modes.refresh();
    assert.match(spoken(modes.problems[0]!.message), /longer than 5.0 MB/);
    long.put(".roomodes", mode);
    await modes.refresh();
    assert.deepEqual(modes.problems, []);
    assert.equal(modes.all.has("stranger"), true);
  });

  it("may be hidden itself", async () => {
    const modes = new Modes(
      new MemoryFileSystem({ ".rooignore": ".roomodes\n", ".roomodes": mode }),
      patterns,
    );
    await modes.refresh();
    assert.equal(modes.all.has("stranger"), true);
  });
});

describe("instructions", () => {
  it("reach the right mode, in order", async () => {
    const files = new MemoryFileSystem({
      "AGENTS.md": "agents",
      ".roo/rules/b.md": "b",
      ".roo/rules/a/deep.md": "deep",
      ".roo/rules-rooroo-developer/d.md": "developer",
      ".roo/rules-rooroo-analyzer/a.md": "analyzer",
      ".rooroo/rules/own.md": "own",
      ".roorules": "older",
    });
    const text = await new Instructions(files, assert.ifError).read(modeOf("rooroo-developer"));
    assert.deepEqual(text.match(/^(agents|deep|b|developer|own)$/gm), [
      "agents",
      "deep",
      "b",
      "developer",
      "own",
    ]);
    assert.doesNotMatch(text, /analyzer|older/);
  });

  it("are also what other agents are told, and what folders say of themselves", async () => {
    const files = new MemoryFileSystem({
      "AGENT.md": "agent",
      "AGENTS.local.md": "local",
      ".rooroo/rules/own.md": "own",
      ".clinerules": "cline",
      "CLAUDE.md": "claude",
      ".github/copilot-instructions.md": "copilot",
      ".windsurfrules": "windsurf",
      ".cursorrules": "cursor",
      ".cursor/rules/always.mdc": "---\nglobs: *.ts\nalwaysApply: true\n---\nalways",
      ".cursor/rules/deep/more.mdc": "---\r\nalwaysApply: True\r\n---\r\nmore",
      ".cursor/rules/asked.mdc": "---\ndescription: asked\nalwaysApply: false\n---\nsometimes",
      ".cursor/rules/plain.mdc": "alwaysApply: true\nsometimes",
      ".cursor/rules/notes.md": "sometimes",
      "packages/a/AGENTS.md": "nested",
      "packages/a/CLAUDE.md": "@AGENTS.md",
      "packages/b/CLAUDE.md": "of claude",
      "packages/AGENTS.md": "outer",
      "src/AGENTS.md": "agent",
      "private/AGENTS.md": "hidden",
      "node_modules/x/AGENTS.md": "theirs",
      ".git/AGENTS.md": "theirs",
      "a/b/c/d/e/f/AGENTS.md": "too deep",
      ".rooignore": "private/\n",
    });
    const text = await new Instructions(files, assert.ifError).read(modeOf("x"));
    assert.deepEqual(text.match(/^From .*\n.*$/gm), [
      "From AGENT.md:\nagent",
      "From AGENTS.local.md:\nlocal",
      "From .rooroo/rules/own.md:\nown",
      "From .clinerules:\ncline",
      "From CLAUDE.md:\nclaude",
      "From .github/copilot-instructions.md:\ncopilot",
      "From .windsurfrules:\nwindsurf",
      "From .cursorrules:\ncursor",
      "From .cursor/rules/always.mdc:\nalways",
      "From .cursor/rules/deep/more.mdc:\nmore",
      "From packages/AGENTS.md, for what is in packages, where it comes before the rules of folders above:\nouter",
      "From packages/a/AGENTS.md, for what is in packages/a, where it comes before the rules of folders above:\nnested",
      "From packages/b/CLAUDE.md, for what is in packages/b, where it comes before the rules of folders above:\nof claude",
    ]);
    assert.doesNotMatch(text, /sometimes|hidden|theirs|too deep/);
  });

  it("are what an expert's counterpart in other tools reads, but no workflows and no rules for some files", async () => {
    const files = new MemoryFileSystem({
      ".roo/rules/all.md": "all",
      ".roo/rules-code/code.md": "code",
      ".roo/rules-ask/ask.md": "other mode",
      ".kilocode/rules/kilo.md": "kilo",
      ".kilocode/rules-code/kilo.md": "kilo code",
      ".clinerules/cline.md": "cline",
      ".clinerules/workflows/release.md": "workflow",
      ".clinerules/hooks/PreToolUse": "hook",
      ".cline/rules/new.md": "new cline",
      "GEMINI.md": "gemini",
      ".github/instructions/all.instructions.md": '---\napplyTo: "**"\n---\nalways',
      ".github/instructions/some.instructions.md": "---\napplyTo: '**/*.ts'\n---\nsometimes",
      ".windsurf/rules/on.md": "---\ntrigger: always_on\n---\nwindsurf",
      ".windsurf/rules/off.md": "---\ntrigger: manual\n---\nsometimes",
    });
    const text = await new Instructions(files, assert.ifError).read(modeOf("rooroo-developer"));
    assert.deepEqual(text.match(/^From .*\n.*$/gm), [
      "From .roo/rules/all.md:\nall",
      "From .roo/rules-code/code.md:\ncode",
      "From .kilocode/rules/kilo.md:\nkilo",
      "From .kilocode/rules-code/kilo.md:\nkilo code",
      "From .clinerules/cline.md:\ncline",
      "From .cline/rules/new.md:\nnew cline",
      "From GEMINI.md:\ngemini",
      "From .github/instructions/all.instructions.md:\nalways",
      "From .windsurf/rules/on.md:\nwindsurf",
    ]);
    assert.doesNotMatch(text, /sometimes|other mode|workflow|hook/);
  });

  it("are also the user's own, before the workspace's; a link that leads out of their folder is not read", async () => {
    const files = new MemoryFileSystem({
      "AGENTS.md": "agents",
      "/home/user/.roo/rules/style.md": "style",
      "/home/user/.roo/rules-code/code.md": "code",
      "/home/user/.roo/rules-ask/ask.md": "other mode",
      "/home/user/Cline/Rules/cline.md": "cline",
      "/home/user/Cline/Rules/Hooks/PreToolUse": "hook",
      "/home/user/private.md": "private",
      "/home/user/.roo/rules/out.md": "",
    });
    files.link("/home/user/.roo/rules/out.md", "/home/user/private.md");
    const told: string[] = [];
    const rules = ["/home/user/.roo/rules", "/home/user/Cline/Rules"];
    const text = await new Instructions(files, (problem) => told.push(spoken(problem)), {
      ...noUserPlaces,
      rules,
    }).read(modeOf("rooroo-developer"));
    assert.deepEqual(text.match(/^From .*\n.*$/gm), [
      "From /home/user/.roo/rules/style.md:\nstyle",
      "From /home/user/.roo/rules-code/code.md:\ncode",
      "From /home/user/Cline/Rules/cline.md:\ncline",
      "From AGENTS.md:\nagents",
    ]);
    assert.doesNotMatch(text, /other mode|hook|private/);
    assert.equal(told.length, 1);
  });

  it("are in a folder .clinerules, too, and not in backups and what systems leave", async () => {
    const files = new MemoryFileSystem({
      "AGENTS.md": "agents",
      "CLAUDE.md": "@AGENTS.md\n",
      ".clinerules/b.md": "b",
      ".clinerules/a.txt": "a",
      ...Object.fromEntries(
        ["a.md~", "b.md.bak", "c.orig", "d.md.swp", "Thumbs.db", ".DS_Store", "#e.md#"].map(
          (name) => [`.clinerules/${name}`, "left over"],
        ),
      ),
    });
    const text = await new Instructions(files, assert.ifError).read(modeOf("x"));
    assert.equal(
      text,
      "From AGENTS.md:\nagents\n\nFrom .clinerules/a.txt:\na\n\nFrom .clinerules/b.md:\nb",
    );
  });

  it("fall back to .roorules, leave out links that lead outside, and are cut", async () => {
    const files = new MemoryFileSystem({ ".roorules": "older", "/etc/secret": "secret" });
    files.link("AGENTS.md", "/etc/secret");
    const told: string[] = [];
    const instructions = new Instructions(files, (problem) => told.push(spoken(problem)));
    assert.equal(await instructions.read(modeOf("rooroo-developer")), "From .roorules:\nolder");
    files.put(".roorules", "x".repeat(100_000));
    const long = await instructions.read(modeOf("rooroo-developer"));
    assert.ok(long.length < 25_000);
    assert.match(long, /The rest is left out/);
    assert.deepEqual(told, [
      "The rules file AGENTS.md is not used: it is a link to /etc/secret, which is outside the workspace.",
      "The rules file .roorules is too long: it has 100 kB, of which 64 kB are used.",
    ]);
  });

  it("of the mode come first where not all fit, then those of folders that the goal names, and the user is told of the others", async () => {
    const files = new MemoryFileSystem({
      "AGENTS.md": "a".repeat(20_000),
      ".roo/rules/all.md": "b".repeat(20_000),
      ".roo/rules-code/own.md": "c".repeat(10_000),
      "lib/AGENTS.md": "d".repeat(4_000),
      "lib/deep/AGENTS.md": "e".repeat(9_000),
      "/home/user/.roo/rules/style.md": "f".repeat(2_000),
    });
    const places = { ...noUserPlaces, rules: ["/home/user/.roo/rules"] };
    const read = async (work: InstructedWork) => {
      const told: string[] = [];
      const onLeftOut = (problem: Words) => told.push(spoken(problem));
      const instructions = new Instructions(files, assert.ifError, places);
      const mode = modeOf("rooroo-developer");
      const text = await instructions.read(mode, { ...work, onLeftOut });
      const [quoted = "", list] = text.split("\n\nLeft out above");
      const lengths = ["a", "b", "c", "d", "e", "f"].map(
        (one) => new RegExp(`${one}{1000,}`).exec(quoted)?.[0].length,
      );
      return { lengths, names: list?.match(/^- .*$/gm), told };
    };
    const all = await read({ window: 128_000 });
    assert.deepEqual(all.lengths, [20_000, 20_000, 10_000, 4_000, 9_000, 2_000]);
    assert.deepEqual([all.names, all.told], [undefined, []]);

    const small = await read({ window: 40_000, goal: "Mend lib/deep/a.ts" });
    const [agents = 0, ...others] = small.lengths;
    assert.deepEqual(others, [undefined, 10_000, 4_000, 9_000, 2_000]);
    assert.ok(agents > 1_500 && agents < 3_000, String(agents));
    assert.deepEqual(small.names, ["- AGENTS.md", "- .roo/rules/all.md"]);
    assert.deepEqual(small.told, [
      "There are more rules than the model's context window has room for. Left out, in whole or in part: AGENTS.md, .roo/rules/all.md. Experts know their names and can read them.",
    ]);

    const tiny = await read({ window: 8_000 });
    const [own, ...rest] = [tiny.lengths[2] ?? 0, ...tiny.lengths.toSpliced(2, 1)];
    assert.ok(own > 5_000 && own < 6_000, String(own));
    assert.deepEqual(new Set(rest), new Set([undefined]));
  });

  it("say once that a file which replaces a mode's prompt in other tools is not used", async () => {
    const files = new MemoryFileSystem({
      ".roo/system-prompt-code": "You are another agent.",
      ".roo/system-prompt-ask": "of another mode",
      ".kilocode/system-prompt-rooroo-developer": "",
    });
    const told: string[] = [];
    const instructions = new Instructions(files, (problem) => told.push(spoken(problem)));
    for (let times = 0; times < 2; times++) {
      assert.equal(await instructions.read(modeOf("rooroo-developer")), "");
    }
    assert.deepEqual(told, [
      "The file .roo/system-prompt-code is not used: it replaces a mode's whole prompt in other tools, and tells of tools that are not here. Put what is to hold here into .roo/rules-code/.",
    ]);
  });

  it("are read in UTF-16, and are told with the line if they are in no encoding that is known", async () => {
    const files = new MemoryFileSystem({ "AGENTS.md": "", "CLAUDE.md": "", "GEMINI.md": "" });
    files.put("AGENTS.md", encodeText("Grüße", "utf-16le"));
    files.put("CLAUDE.md", encodeText("one\ntwo", "utf-16be").subarray(2));
    files.put("GEMINI.md", Uint8Array.from([0x61, 0x0a, 0x66, 0xfc, 0x72]));
    const told: string[] = [];
    const instructions = new Instructions(files, (problem) => told.push(spoken(problem)));
    for (let times = 0; times < 2; times++) {
      assert.equal(
        await instructions.read(modeOf("x")),
        "From AGENTS.md:\nGrüße\n\nFrom GEMINI.md:\na\nf\uFFFDr",
      );
    }
    const expected = [
      "The rules file CLAUDE.md is not used: line 1 has characters that are in no text. Save it as UTF-8.",
      "The rules file GEMINI.md is not in UTF-8: line 2 has characters that cannot be read. Save it as UTF-8.",
    ];
    assert.deepEqual(told, expected);
    const problems = await instructionProblems(files, noUserPlaces);
    assert.deepEqual(
      problems.map((problem) => spoken(problem)),
      expected,
    );
  });

  it("are told with what cannot be used of the mode file", async () => {
    const files = new MemoryFileSystem({ ".roomodes": "customModes:\n  - slug: [\n" });
    const modes = new Modes(files, patterns);
    await modes.refresh();
    const told: string[] = [];
    const tell = (problem: Words) => told.push(spoken(problem));
    const instructions = new Instructions(files, tell, noUserPlaces, () => modes.problems);
    for (let times = 0; times < 2; times++) await instructions.read(modeOf("x"));
    assert.match(told[0] ?? "", /^\.roomodes, line [23]: This is not valid YAML or JSON: /);
    assert.equal(new Set(told).size, told.length);
  });

  it("leave out what experts may not read, and say so once", async () => {
    const files = new MemoryFileSystem({
      ".rooignore": "private/\n.rooroo/\n",
      "private/plan.md": "private plan",
      ".env": "KEY=secret",
      "docs/rules.md": "shared rules",
      ".roo/rules/own.md": "own rules",
      ".roo/rules/f.md/deep": "deep rules",
    });
    files.link("AGENTS.md", "private/plan.md");
    files.link(".roo/rules/a.md", "../../.env");
    files.link(".roo/rules/b.md", "../../docs/rules.md");
    files.link(".roo/rules/loop", "loop");
    const told: string[] = [];
    const instructions = new Instructions(files, (problem) => told.push(spoken(problem)));
    const names = ["a.md", "b.md", "loop"];
    const list = files.readDirectory.bind(files);
    files.readDirectory = async (path) => {
      const entries = await list(path);
      const links = names.map((name) => ({ name, kind: "file" as const }));
      return path === ".roo/rules" ? [...links, ...entries] : entries;
    };
    for (let times = 0; times < 2; times++) {
      const text = await instructions.read(modeOf("rooroo-developer"));
      assert.doesNotMatch(text, /private plan|secret/);
      assert.match(text, /shared rules[^]*deep rules[^]*own rules/);
    }
    assert.deepEqual(told, [
      "The rules file AGENTS.md is not used: it is a link to private/plan.md, which is hidden from experts by .rooignore.",
      "The rules file .roo/rules/a.md is not used: it is a link to .env, which may hold keys or passwords.",
      "The rules in .roo/rules/loop are not used: .roo/rules/loop is a link that leads to itself.",
    ]);
  });

  it("end where a folder leads back into itself, or has no end", async () => {
    const files = new MemoryFileSystem({ ".rooroo/rules/a.md": "once" });
    files.link(".rooroo/rules/again", "../rules");
    const list = files.readDirectory.bind(files);
    const many = Array.from({ length: 600 }, (_, at) => ({
      name: `n${at}`,
      kind: "file" as const,
    }));
    files.readDirectory = async (path) => {
      const entries = await list(path);
      if (path === ".roo/rules") return many;
      return path === ".rooroo/rules" ? [...entries, { name: "again", kind: "folder" }] : entries;
    };
    const told: string[] = [];
    const text = await new Instructions(files, (problem) => told.push(spoken(problem))).read(
      modeOf("x"),
    );
    assert.equal(text, "From .rooroo/rules/a.md:\nonce");
    assert.deepEqual(told, [".roo/rules has more than 500 files. The rest is not used."]);
  });
});
