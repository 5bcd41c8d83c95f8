import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

// Scripts are not compiled, so they are found from the root and not from here.
const script = join(import.meta.dirname, "../../../../scripts/process/npm.mjs");
const { npm } = (await import(pathToFileURL(script).href)) as {
  npm: (
    args: readonly string[],
    options: { cwd: string; env: NodeJS.ProcessEnv },
  ) => Promise<string>;
};

describe("npm, run by a script of ours", () => {
  it("fails with its own words, and without the server's address", async () => {
    const cwd = await mkdtemp(join(tmpdir(), "rooroo-npm-"));
    const cli = join(cwd, "npm-cli.js");
    await writeFile(
      cli,
      `console.error("request to https://packages.example.test/zod failed, reason: offline"); process.exit(1);`,
    );
    try {
      await assert.rejects(
        npm(["ci"], { cwd, env: { ...process.env, npm_execpath: cli } }),
        (error: Error) => {
          assert.match(error.message, /request to …\/zod failed, reason: offline$/);
          return true;
        },
      );
    } finally {
      await rm(cwd, { recursive: true, force: true });
    }
  });
});
