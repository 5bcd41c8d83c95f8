import { strict as assert } from "node:assert";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The repository, seen from where the compiled test lies. */
const root = join(import.meta.dirname, "..", "..", "..");

// Scripts are not compiled, so they are found from the root and not from here.
const { npm } = (await import(pathToFileURL(join(root, "scripts", "process", "npm.mjs")).href)) as {
  npm: (
    args: readonly string[],
    options: { cwd: string; env?: NodeJS.ProcessEnv },
  ) => Promise<string>;
};

describe("the npm package", () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "rooroo-tarball-"));
  });
  after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  it("is the command line and its notices, which npx runs from the tarball without a network", async () => {
    // The suite has built the bundles.
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    const packed = await npm(pack, { cwd: root });
    assert.match(packed, /"dist\/cli\/ThirdPartyNotices\.txt"/);
    const [tarball = ""] = await readdir(folder);
    const npx = ["exec", "--yes", "--offline", `--package=./${tarball}`, "--", "rooroo"];
    const env = { ...process.env, npm_config_cache: join(folder, "cache") };
    const said = await npm([...npx, "explain", "git log | head"], { cwd: folder, env });
    assert.match(said, /runs without asking/);
  });
});
