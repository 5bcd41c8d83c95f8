import assert from "node:assert/strict";
import fc from "fast-check";
import { mayWrite } from "../../../src/core/experts/mode.js";
import { parseModeFile } from "../../../src/core/experts/modeFile.js";
import { readInstructions } from "../../../src/core/experts/instructions.js";
import { Modes } from "../../../src/core/experts/modes.js";
import { MemoryFileSystem } from "../../fakes/memoryFileSystem.js";

const folder = ".rooroo/tasks/ROO#TASK_1";

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
    const { modes, problems } = parseModeFile(yaml, ".roomodes");
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
    const [mode] = parseModeFile(json, ".roomodes").modes;
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
    const { modes, problems } = parseModeFile(broken, ".roomodes");
    assert.equal(modes.length, 1);
    assert.deepEqual(
      problems.map(({ line, column, message }) => `${line}:${column} ${message}`),
      [
        "15:11 slug: may hold letters, digits and hyphens only",
        '18:20 groups.1: must be one of read, edit, command, browser, mcp, modes, or a list of one and its options, as [edit, {fileRegex: "\\.md$"}]',
        "22:34 fileRegex: ( is not a regular expression",
        "23:11 There are two modes with the slug docs-writer.",
        "27:5 The mode: Invalid input: expected object, received string",
      ],
    );
  });

  it("names the line of a syntax error", () => {
    const { modes, problems } = parseModeFile("customModes:\n  - slug: [\n", ".roomodes");
    assert.equal(modes.length, 0);
    assert.ok(problems[0]!.line >= 2);
    assert.match(problems[0]!.message, /not valid YAML or JSON/);
    assert.match(parseModeFile("modes: []", ".roomodes").problems[0]!.message, /customModes/);
  });

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
        parseModeFile(pieces.join(""), ".roomodes");
      }),
      { numRuns: 2000 },
    );
  });

  it("is read again when it changes, and gives way when it goes", async () => {
    const files = new MemoryFileSystem();
    const modes = new Modes(files);
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
    const text = await readInstructions(files, "rooroo-developer");
    assert.deepEqual(text.match(/^(agents|deep|b|developer|own)$/gm), [
      "agents",
      "deep",
      "b",
      "developer",
      "own",
    ]);
    assert.doesNotMatch(text, /analyzer|older/);
  });

  it("fall back to .roorules, leave out links that lead outside, and are cut", async () => {
    const files = new MemoryFileSystem({ ".roorules": "older", "/etc/secret": "secret" });
    files.link("AGENTS.md", "/etc/secret");
    assert.equal(await readInstructions(files, "rooroo-developer"), "From .roorules:\nolder");
    files.put(".roorules", "x".repeat(100_000));
    const long = await readInstructions(files, "rooroo-developer");
    assert.ok(long.length < 25_000);
    assert.match(long, /The rest is left out/);
  });
});
