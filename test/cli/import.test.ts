import assert from "node:assert/strict";
import { access, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rooExport } from "../fakes/rooExport.js";
import { closeStages, Stage } from "./stage.js";

describe("rooroo import", () => {
  const homes: string[] = [];
  afterEach(closeStages);
  afterEach(async () => {
    for (const home of homes.splice(0)) await rm(home, { recursive: true, force: true });
  });

  /** A user who has an export, and servers of Cline's in the editor's storage. */
  async function opened() {
    const home = await mkdtemp(join(tmpdir(), "rooroo-home-"));
    homes.push(home);
    // The folder is made when something is imported.
    const own = join(home, "own", "rooroo");
    const stage = await Stage.open(
      () => assert.fail("no model is asked"),
      {},
      { HOME: home, ROOROO_HOME: own, ROOROO_MODEL: "" },
    );
    const storage = join(home, ".vscode-server/data/User/globalStorage");
    const settings = join(storage, "saoudrizwan.claude-dev/settings");
    await mkdir(settings, { recursive: true });
    const mcpServers = { files: { command: "npx", args: ["files"], env: { API_KEY: "SECRET" } } };
    await writeFile(join(settings, "cline_mcp_settings.json"), JSON.stringify({ mcpServers }));
    await stage.write("roo-code-settings.json", JSON.stringify(rooExport));
    const run = (...args: string[]) => stage.run("import", ...args);
    return { stage, own, run };
  }

  it("shows what each thing becomes and writes nothing, until it is told to; then it is done", async () => {
    const { stage, own, run } = await opened();
    const shown = await run("roo-code-settings.json");
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /- \[x\] `profile:claude`\n +Model profile: claude-sonnet-4-5 at/);
    assert.match(shown.stdout, /- \[x\] `server:files`/);
    assert.match(shown.stdout, /`git push` .*Deny it with --deny-command/);
    assert.match(shown.stdout, /Nothing was written\./);
    assert.doesNotMatch(shown.stdout, /SECRET/);
    const left = await run("roo-code-settings.json", "--leave", "profile:claude");
    assert.match(left.stdout, /- \[ \] `profile:claude`/);
    await assert.rejects(access(own));
    assert.equal(await stage.read(".roomodes"), "");

    const done = await run(
      "roo-code-settings.json",
      ...["--apply", "--leave", "profile:local", "--leave", "mode:docs-writer"],
    );
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /^## Imported\n/);
    const models = JSON.parse(await readFile(join(own, "models.json"), "utf8")) as {
      profiles: object;
      profile?: string;
    };
    assert.equal(models.profile, "claude");
    assert.deepEqual(Object.keys(models.profiles), ["claude", "router", "company"]);
    assert.deepEqual(JSON.parse(await readFile(join(own, "mcp.json"), "utf8")), {
      mcpServers: {
        files: {
          command: "npx",
          args: ["files"],
          env: { API_KEY: "${env:API_KEY}" },
          disabled: true,
        },
      },
    });
    assert.equal(await stage.read(".roomodes"), "");

    const listed = await stage.run("mcp", "list");
    // The variable is not set, and the server is switched off.
    assert.doesNotMatch(listed.stdout, /API_KEY/);

    const again = await run(
      "--json",
      "--take",
      "mode:docs-writer",
      "--apply",
      "roo-code-settings.json",
    );
    assert.equal(again.code, 0, again.stderr);
    const { items, chosen } = JSON.parse(again.stdout) as {
      items: { id: string }[];
      chosen: string[];
    };
    assert.deepEqual(chosen, ["profile:local", "mode:docs-writer"]);
    assert.equal(items.length, 2);
    assert.match(await stage.read(".roomodes"), /slug: docs-writer/);
  });

  it("says what is wrong with a file that is named, and with a name that is not in the list", async () => {
    const { stage, run } = await opened();
    await stage.write("notes.json", "{}");
    for (const [args, text] of [
      [["none.json"], /There is no file .*none\.json/],
      [["notes.json"], /notes\.json has no settings.*Choose a file/],
      [["--take", "profile:none"], /nothing called "profile:none"/],
    ] as const) {
      const { code, stderr } = await run(...args);
      assert.notEqual(code, 0);
      assert.match(stderr, text);
    }
  });
});
