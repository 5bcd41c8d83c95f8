import assert from "node:assert/strict";
import { parse } from "yaml";
import { temporaryName } from "../../../../src/core/access/temporaryName.js";
import type { ImportItem, ImportWrite } from "../../../../src/core/imports/importPlan.js";
import {
  applyImport,
  existingSettings,
  type ImportTarget,
} from "../../../../src/core/imports/importTarget.js";
import { chosenItems } from "../../../../src/core/imports/planImport.js";
import { prepareImport } from "../../../../src/core/imports/prepareImport.js";
import { spoken } from "../../../../src/core/text/words.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { rooExport } from "../../../fakes/rooExport.js";

type Files = Readonly<Record<string, string>>;

/** A user with settings in memory. */
function stage(workspace: Files = {}, own: Files = {}) {
  const files = new MemoryFileSystem(workspace);
  const saved = {
    profiles: {} as Record<string, unknown>,
    profile: "",
    commands: { allow: [] as string[], deny: [] as string[] },
  };
  const folder = new MemoryFileSystem(own);
  const target: ImportTarget = {
    own: folder,
    makeOwn: () => Promise.resolve(),
    workspace: files,
    settings: {
      commands: saved.commands,
      profiles: () => Promise.resolve(saved.profiles),
      hasModel: () => Promise.resolve(saved.profile !== ""),
      saveProfiles: (profiles, inUse = saved.profile) => {
        Object.assign(saved.profiles, profiles);
        saved.profile = inUse;
        return Promise.resolve();
      },
      addCommandRules: (list, rules) => {
        saved.commands[list].push(...rules);
        return Promise.resolve();
      },
    },
  };
  const places = { files, home: "/home/me", storage: ["/home/me/storage"], named: [] as string[] };
  return { files, own: folder, saved, target, places };
}

const itemFor = (write: ImportWrite) => ({ write }) as ImportItem;
const modeItem = (slug: string) =>
  itemFor({ to: "mode", slug, mode: { slug, name: "N", roleDefinition: "R", groups: ["read"] } });
const serverItem = (name: string) =>
  itemFor({ to: "server", name, entry: { command: "x", disabled: true } });

describe("what an import writes", () => {
  it("is what was chosen, and a second import finds it done", async () => {
    const { own, files, saved, target, places } = stage({
      "/home/me/export.json": JSON.stringify(rooExport),
      "/home/me/storage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json": JSON.stringify({
        mcpServers: { files: { command: "npx", args: ["files"] } },
      }),
    });
    const named = ["/home/me/export.json"];
    const plan = await prepareImport({ ...places, named }, target);
    assert.deepEqual([own.paths, files.text(".roomodes")], [[], undefined]);
    await applyImport(chosenItems(plan, { take: ["allow:npm test"], leave: [] }), target);
    assert.deepEqual(Object.keys(saved.profiles), [
      "claude",
      "router",
      "company",
      "local",
      "editor",
    ]);
    assert.equal(saved.profile, "claude");
    assert.deepEqual(saved.commands, { allow: ["npm test"], deny: ["rm -rf", "git push"] });
    assert.equal(own.text("rules/imported.md"), "Answer briefly.\n");
    assert.deepEqual(JSON.parse(own.text("mcp.json")!), {
      mcpServers: { files: { command: "npx", args: ["files"], disabled: true } },
    });
    const { customModes } = parse(files.text(".roomodes")!) as { customModes: { slug: string }[] };
    assert.equal(customModes[0]?.slug, "docs-writer");

    const again = await prepareImport({ ...places, named }, target);
    assert.deepEqual(
      again.items.map(({ id }) => id),
      ["allow:cargo build"],
    );
  });

  it("leaves nothing of an import that was killed while it wrote, also where all is there already", async () => {
    const left = (name: string) => temporaryName(name, "00000000ffffffff", "01234567");
    const { own, files, target } = stage(
      { [left(".roomodes")]: "half" },
      {
        [left("mcp.json")]: "half",
        [`rules/${left("a.md")}`]: "half",
        [`snapshots/${left("b")}`]: "half",
        "rules/a.md": "Be kind.",
      },
    );
    await applyImport([], target);
    assert.deepEqual(files.paths, []);
    assert.deepEqual([...own.paths].sort(), ["rules/a.md", `snapshots/${left("b")}`]);
  });

  it("is added to a mode file in YAML, whose comments stay, and to one in JSON", async () => {
    const yaml = `# Ours\ncustomModes:\n  - slug: a\n    name: A # first\n    roleDefinition: R\n    groups: [read]\n`;
    const one = stage({ ".roomodes": yaml });
    await applyImport([modeItem("b")], one.target);
    const text = one.files.text(".roomodes")!;
    assert.match(text, /^# Ours\n[^]*# first/);
    assert.match(text, /slug: b\n/);
    const json = JSON.stringify({ customModes: [{ slug: "a", name: "A" }], more: 1 });
    const two = stage({ ".roomodes": json });
    await applyImport([modeItem("b"), modeItem("a")], two.target);
    const written = JSON.parse(two.files.text(".roomodes")!) as {
      customModes: { slug: string; name: string }[];
      more: number;
    };
    assert.equal(written.more, 1);
    assert.deepEqual(
      written.customModes.map(({ slug, name }) => [slug, name]),
      [
        ["a", "N"],
        ["b", "N"],
      ],
    );
  });

  it("is added to the list of servers, and leaves the others as they are, whatever they are called", async () => {
    const { own, target } = stage(
      {},
      { "mcp.json": '{"mcpServers":{"mine":{"command":"y","allow":["t"]}},"other":true}' },
    );
    await applyImport([serverItem("new"), serverItem("__proto__")], target);
    const text = own.text("mcp.json")!;
    assert.match(text, /"__proto__": \{/);
    const { mcpServers, other } = JSON.parse(text) as {
      mcpServers: Record<string, unknown>;
      other: boolean;
    };
    assert.deepEqual(
      [mcpServers["mine"], mcpServers["new"], other],
      [{ command: "y", allow: ["t"] }, { command: "x", disabled: true }, true],
    );
  });

  it("is nothing where a file that exists cannot be read: it says which", async () => {
    for (const [workspace, own] of [
      [{ ".roomodes": "customModes: [" }, {}],
      [{ ".roomodes": "modes: []" }, {}],
      [{}, { "mcp.json": "{" }],
      [{}, { "mcp.json": '{"mcpServers":[]}' }],
    ] as [Files, Files][]) {
      const { target, files, own: folder } = stage(workspace, own);
      await assert.rejects(existingSettings(target), { code: "importTargetUnreadable" });
      await assert.rejects(applyImport([modeItem("a"), serverItem("b")], target));
      assert.deepEqual(
        [files.text(".roomodes"), folder.text("mcp.json")],
        [workspace[".roomodes"] ?? files.text(".roomodes"), own["mcp.json"]],
      );
    }
  });
});

describe("where an import looks", () => {
  it("is the workspace, the home folder and VS Code's storage; what is read in place is named", async () => {
    const mcp = (name: string) => JSON.stringify({ mcpServers: { [name]: { command: name } } });
    const { target, places } = stage({
      ".roo/mcp.json": mcp("roo"),
      ".roo/rules/a.md": "a",
      ".kilocode/mcp.json": mcp("kilo"),
      ".kilocodemodes": "customModes:\n  - {slug: k, name: K, roleDefinition: R, groups: []}\n",
      "/home/me/.roo/rules/b.md": "b",
      "/home/me/.cline/data/settings/cline_mcp_settings.json": mcp("cline"),
      "/home/me/.cline/data/secrets.json": "SECRET",
      "/home/me/storage/rooveterinaryinc.roo-cline/settings/mcp_settings.json": mcp("global"),
      "/home/me/storage/rooveterinaryinc.roo-cline/settings/custom_modes.yaml":
        "customModes:\n  - {slug: g, name: G, roleDefinition: R, groups: []}\n",
      "/home/me/storage/kilocode.kilo-code/settings/mcp_settings.json": "damaged",
    });
    const plan = await prepareImport(places, target);
    assert.deepEqual(
      plan.items.map(({ id, isChosen }) => [id, isChosen]),
      [
        ["mode:k", true],
        ["server:kilo", false],
        ["server:cline", true],
        ["server:global", true],
        ["mode:g", true],
      ],
    );
    assert.deepEqual(
      plan.asItIs.map(({ name }) => name),
      [".roo/rules", ".roo/mcp.json", "~/.roo/rules"],
    );
    assert.doesNotMatch(JSON.stringify(plan), /SECRET/);
  });

  it("is not outside, by a link of the workspace's; a file that is named is there and not too long", async () => {
    const { target, places, files } = stage({
      "/home/me/private.json": JSON.stringify({ mcpServers: { x: { command: "x" } } }),
      "/home/me/long.json": `{"mcpServers":{}}${" ".repeat(2_000_001)}`,
    });
    files.link(".kilocode/mcp.json", "/home/me/private.json");
    assert.deepEqual((await prepareImport(places, target)).items, []);
    for (const [path, code] of [
      ["/home/me/none.json", "importFileMissing"],
      ["/home/me/long.json", "importFileTooLong"],
    ] as const) {
      await assert.rejects(prepareImport({ ...places, named: [path] }, target), { code });
    }
    const named = ["/home/me/private.json"];
    const plan = await prepareImport({ ...places, named }, target);
    assert.deepEqual(
      plan.items.map(({ id, isChosen }) => [id, isChosen]),
      [["server:x", false]],
    );
    assert.match(spoken(plan.items[0]!.becomes), /x/);
  });
});
