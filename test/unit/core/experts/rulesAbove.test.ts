import assert from "node:assert/strict";
import { noUserPlaces } from "../../../../src/core/access/userPlaces.js";
import { type InstructedWork, Instructions } from "../../../../src/core/experts/instructions.js";
import { spoken, type Words } from "../../../../src/core/text/words.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";

const home = "/home/me";
const root = `${home}/repo`;

/** Returns the files of a repository below the home folder, in which `packages/a` is the workspace. */
function opened(files: Readonly<Record<string, string>>, workspace = `${root}/packages/a`) {
  return new MemoryFileSystem(
    { [`${home}/.profile`]: "", [`${workspace}/main.js`]: "", ...files },
    workspace,
  );
}

async function read(files: MemoryFileSystem, work: InstructedWork = {}, from = home) {
  const told: string[] = [];
  const tell = (problem: Words) => told.push(spoken(problem));
  const places = { ...noUserPlaces, home: from };
  const instructions = new Instructions(files, tell, places);
  const mode = { slug: "rooroo-developer", tools: ["read_file"] };
  const texts: string[] = [];
  for (let times = 0; times < 2; times++) texts.push(await instructions.read(mode, work));
  assert.equal(texts[1], texts[0]);
  return { text: texts[0] ?? "", from: texts[0]?.match(/^From [^,:]+/gm) ?? [], told };
}

describe("rules of the repository above the workspace", () => {
  it("are read after the workspace's own, the nearest first, up to the folder with .git", async () => {
    const files = opened({
      "AGENTS.md": "of the workspace",
      "lib/AGENTS.md": "of its folder",
      [`${root}/packages/CLAUDE.md`]: "of the packages",
      [`${root}/.git/HEAD`]: "ref: refs/heads/main",
      [`${root}/AGENTS.md`]: "of the repository",
      [`${root}/.roo/rules/a.md`]: "of all modes",
      [`${root}/.roo/rules-code/b.md`]: "of the mode",
      [`${root}/.roo/rules-ask/b.md`]: "of another mode",
      [`${root}/.cursor/rules/on.mdc`]: "---\nalwaysApply: true\n---\nalways",
      [`${root}/.cursor/rules/off.mdc`]: "---\nalwaysApply: false\n---\nsometimes",
      [`${root}/.clinerules/workflows/w.md`]: "a workflow",
      [`${root}/packages/b/AGENTS.md`]: "of a sibling",
      [`${home}/AGENTS.md`]: "of home",
    });
    const { text, told } = await read(files);
    const below = "where the rules of folders below come before it";
    assert.deepEqual(text.match(/^From .*\n.*$/gm), [
      "From AGENTS.md:\nof the workspace",
      "From lib/AGENTS.md, for what is in lib, where it comes before the rules of folders above:\nof its folder",
      `From ${root}/packages/CLAUDE.md, for all that is in ${root}/packages, ${below}:\nof the packages`,
      `From ${root}/AGENTS.md, for all that is in ${root}, ${below}:\nof the repository`,
      `From ${root}/.roo/rules/a.md, for all that is in ${root}, ${below}:\nof all modes`,
      `From ${root}/.roo/rules-code/b.md, for all that is in ${root}, ${below}:\nof the mode`,
      `From ${root}/.cursor/rules/on.mdc, for all that is in ${root}, ${below}:\nalways`,
    ]);
    assert.deepEqual(told, []);
  });

  it("are those of a worktree or a submodule, whose .git is a file", async () => {
    const files = opened({
      [`${root}/packages/.git`]: "gitdir: ../.git/modules/packages",
      [`${root}/packages/AGENTS.md`]: "of the submodule",
      [`${root}/.git/HEAD`]: "ref: refs/heads/main",
      [`${root}/AGENTS.md`]: "of the outer repository",
    });
    assert.deepEqual((await read(files)).from, [`From ${root}/packages/AGENTS.md`]);
  });

  for (const [where, given, workspace] of [
    ["the workspace has a .git itself", { ".git/HEAD": "", [`${root}/.git/HEAD`]: "" }, undefined],
    ["no folder has a .git", {}, undefined],
    ["only a folder above home has a .git", { "/home/.git/HEAD": "" }, undefined],
    ["the workspace is the home folder", { "/home/.git/HEAD": "" }, home],
    ["the home folder is in the workspace", { "/srv/.git/HEAD": "" }, "/srv/home"],
  ] as const) {
    it(`are none where ${where}`, async () => {
      const files = opened(
        {
          ...given,
          ...(workspace === home ? {} : { [`${root}/AGENTS.md`]: "above" }),
          "/home/AGENTS.md": "above home",
          "/srv/AGENTS.md": "above",
        },
        workspace,
      );
      const from = workspace === "/srv/home" ? "/srv/home/me" : home;
      const { text } = await read(files, {}, from);
      assert.doesNotMatch(text, /above/);
    });
  }

  it("end at the home folder, whichever links lead there, and are not looked for where none is known", async () => {
    const given = { "/home/.git/HEAD": "", "/home/AGENTS.md": "above home" };
    const files = opened(given);
    files.link("/users", "/home");
    assert.deepEqual((await read(files, {}, "/users/me")).from, []);
    const known = opened({ [`${root}/.git/HEAD`]: "", [`${root}/AGENTS.md`]: "above" });
    assert.deepEqual((await read(known)).from, [`From ${root}/AGENTS.md`]);
    const without = new Instructions(known, assert.ifError, noUserPlaces);
    assert.equal(await without.read({ slug: "x", tools: [] }), "");
  });

  it("are not read where they or the repository belong to another user", async () => {
    const given = {
      "/tmp/.git/HEAD": "",
      "/tmp/AGENTS.md": "planted",
      "/tmp/CLAUDE.md": "mine",
    };
    const ofOther = opened(given, "/tmp/w/project");
    ofOther.give("/tmp/.git", 2);
    assert.deepEqual(await read(ofOther), { text: "", from: [], told: [] });
    const one = opened(given, "/tmp/w/project");
    one.give("/tmp/AGENTS.md", 2);
    const { from, told } = await read(one);
    assert.deepEqual(from, ["From /tmp/CLAUDE.md"]);
    assert.deepEqual(told, [
      "The rules file /tmp/AGENTS.md is not used: it belongs to another user of this machine.",
    ]);
    const shared = opened(given, "/tmp/w/project");
    for (const path of ["/tmp/.git", "/tmp/AGENTS.md", "/tmp/w/project"]) shared.give(path, 2);
    assert.deepEqual((await read(shared)).from, ["From /tmp/AGENTS.md", "From /tmp/CLAUDE.md"]);
  });

  it("may be links within the repository, and to nothing that experts could not read in it", async () => {
    const targets = [
      "/etc/passwd",
      `${home}/notes.md`,
      `${root}/.env`,
      `${root}/.git/config`,
      `${root}/store/config`,
      `${root}/private/plan.md`,
      `${root}/packages/a/own/plan.md`,
    ];
    const stage = () =>
      opened({
        ...Object.fromEntries(targets.map((path) => [path, "hunter22"])),
        [`${root}/.git/HEAD`]: "",
        [`${root}/store/HEAD`]: "",
        [`${root}/store/objects/info/packs`]: "",
        [`${root}/store/refs/heads/main`]: "",
        [`${root}/.rooignore`]: "private/\n",
        ".rooignore": "own/\n",
        [`${root}/docs/rules.md`]: "shared",
        "docs/rules.md": "of the workspace",
      });
    for (const target of targets) {
      const files = stage();
      files.link(`${root}/AGENTS.md`, target);
      const { text, told } = await read(files);
      assert.equal(text, "", target);
      assert.match(told.join("\n"), /^The rules file \S+AGENTS\.md is not used: it is a link to /);
      const folder = stage();
      folder.link(`${root}/.roo/rules`, target.slice(0, target.lastIndexOf("/")));
      assert.doesNotMatch((await read(folder)).text, /hunter22/, target);
    }
    for (const [target, expected] of [
      ["docs/rules.md", /\nshared$/],
      ["packages/a/docs/rules.md", /\nof the workspace$/],
    ] as const) {
      const files = stage();
      files.link(`${root}/AGENTS.md`, target);
      assert.match((await read(files)).text, expected);
    }
  });

  it("are not those that the workspace or the repository hides, and none where it is not known what that hides", async () => {
    const files = opened({
      [`${root}/.git/HEAD`]: "",
      [`${root}/.rooignore`]: "CLAUDE.md\n",
      [`${root}/AGENTS.md`]: "above",
      [`${root}/packages/CLAUDE.md`]: "hidden",
      "AGENTS.md": "own",
    });
    assert.deepEqual((await read(files)).from, ["From AGENTS.md", `From ${root}/AGENTS.md`]);
    files.put(`${root}/.rooignore`, Uint8Array.from([0xff]));
    const { from, told } = await read(files);
    assert.deepEqual(from, ["From AGENTS.md"]);
    assert.deepEqual(told, [
      `The rules above the workspace are not used, because ${root}/.rooignore, which lists the ignored files, cannot be read. Repair the file or remove it.`,
    ]);
  });

  it("are left out before those of the workspace where not all fit, the farthest first", async () => {
    const files = opened({
      [`${root}/.git/HEAD`]: "",
      "AGENTS.md": "a".repeat(9_000),
      [`${root}/packages/AGENTS.md`]: "b".repeat(9_000),
      [`${root}/AGENTS.md`]: "c".repeat(9_000),
      "lib/AGENTS.md": "d".repeat(9_000),
    });
    const { text } = await read(files, { window: 30_000 });
    const [quoted = "", list = ""] = text.split("\n\nLeft out above");
    const lengths = ["a", "b", "c", "d"].map(
      (one) => new RegExp(`${one}{1000,}`).exec(quoted)?.[0].length,
    );
    assert.deepEqual([lengths[0], lengths[1], lengths[3]], [9_000, 9_000, undefined]);
    assert.ok((lengths[2] ?? 0) < 9_000);
    assert.deepEqual(list.match(/^- .*$/gm), ["- lib/AGENTS.md", `- ${root}/AGENTS.md`]);
  });

  it("that say the same as nearer ones are quoted once, by the nearest", async () => {
    const files = opened({
      [`${root}/.git/HEAD`]: "",
      "AGENTS.md": "the same\r\nrules\r\n",
      [`${root}/AGENTS.md`]: "the same\nrules\n",
      [`${root}/CLAUDE.md`]: "the same\nrules",
    });
    assert.deepEqual((await read(files)).from, ["From AGENTS.md"]);
  });
});

describe("rules for Claude Code, Codex and Qwen Code", () => {
  it("are read where these keep them, and one text once", async () => {
    const files = opened({
      "AGENTS.md": "agents",
      "CLAUDE.md": "agents\n",
      ".claude/CLAUDE.md": "@../AGENTS.md",
      "CLAUDE.local.md": "only mine",
      "GEMINI.md": "gemini",
      "QWEN.md": "qwen",
      "lib/CLAUDE.local.md": "mine in lib",
      "lib/.claude/CLAUDE.md": "not looked for",
    });
    const own = await read(files);
    assert.deepEqual(own.text.match(/^From .*\n.*$/gm), [
      "From AGENTS.md:\nagents",
      "From CLAUDE.local.md:\nonly mine",
      "From GEMINI.md:\ngemini",
      "From QWEN.md:\nqwen",
      "From lib/CLAUDE.local.md, for what is in lib, where it comes before the rules of folders above:\nmine in lib",
    ]);
    files.put(".claude/CLAUDE.md", "of claude");
    assert.deepEqual((await read(files)).from.slice(0, 3), [
      "From AGENTS.md",
      "From .claude/CLAUDE.md",
      "From CLAUDE.local.md",
    ]);
  });

  it("in AGENTS.override.md take the place of the folder's AGENTS.md and its copies, and of no other folder's", async () => {
    const files = opened({
      [`${root}/.git/HEAD`]: "",
      [`${root}/AGENTS.override.md`]: "instead above",
      [`${root}/AGENTS.md`]: "above",
      "AGENTS.override.md": "instead",
      "AGENTS.md": "agents",
      "AGENT.md": "agent",
      "CLAUDE.md": "agents",
      ".claude/CLAUDE.md": "agents",
      "GEMINI.md": "gemini",
      "lib/AGENTS.override.md": "instead in lib",
      "lib/AGENTS.md": "in lib",
      "src/AGENTS.md": "agents",
    });
    assert.deepEqual((await read(files)).from, [
      "From AGENTS.override.md",
      "From GEMINI.md",
      "From lib/AGENTS.override.md",
      "From src/AGENTS.md",
      `From ${root}/AGENTS.override.md`,
    ]);
  });

  it("in AGENTS.override.md count only if it says something that may be read", async () => {
    const files = opened({ "AGENTS.override.md": " \n", "AGENTS.md": "agents", ".env": "KEY=1" });
    assert.deepEqual((await read(files)).from, ["From AGENTS.md"]);
    files.link("AGENTS.override.md", ".env");
    assert.deepEqual((await read(files)).from, ["From AGENTS.md"]);
  });
});
