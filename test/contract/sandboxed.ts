import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileError } from "../../src/core/errors.js";
import type { SandboxProfile, ShellRequest, ShellResult } from "../../src/core/ports/shell.js";
import { spoken } from "../../src/core/text/words.js";
import type { SandboxOptions } from "../../src/node/sandbox/sandbox.js";
import { ProcessShell } from "../../src/node/shell/processShell.js";

/** A workspace, a home and a folder for layers, and a shell that sandboxes commands there. */
export interface SandboxedWorld {
  /** Absolute paths without links, made anew for every test. */
  readonly root: string;
  readonly home: string;
  readonly data: string;
  shell(options?: Partial<SandboxOptions>): ProcessShell;
  /** Runs a command in the sandbox and removes its layer, with the changes that it had. */
  run(
    command: string,
    more?: Partial<ShellRequest> & { readonly options?: Partial<SandboxOptions> },
  ): Promise<ShellResult>;
  /** Runs a command as {@link run} does, and then puts all that it changed into the workspace. */
  runAndApply(command: string): Promise<ShellResult>;
}

export const noNetwork: SandboxProfile = {
  masks: () => false,
  protects: () => false,
  network: "none",
  writesCaches: true,
};

export const never: AbortSignal = new AbortController().signal;

/**
 * Defines a suite that needs a real sandbox. Where this machine has none, it says so, and what is
 * tested is that nothing runs.
 */
export async function describeSandboxed(
  title: string,
  suite: (world: SandboxedWorld) => void,
): Promise<void> {
  const ability = await abilityHere();
  describe(title, () => {
    const world = freshWorld();
    if (ability.available) {
      suite(world);
      return;
    }
    process.stdout.write(`  ${title}: not tried on this machine. ${spoken(ability.reason)}\n`);
    it("runs nothing where there is no sandbox, and says why", async () => {
      assert.match(spoken(ability.reason), /^The(re| sandbox) .+\.$/s);
      await assert.rejects(world.run("echo ran > ran"), (error) => {
        assert.ok(error instanceof FileError);
        assert.equal(error.message, ability.reason);
        return true;
      });
    });
  });
}

async function abilityHere() {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "rooroo-")));
  const root = join(folder, "work");
  await mkdir(root);
  const shell = new ProcessShell(root, { sandbox: { data: join(folder, "data"), home: folder } });
  const ability = await shell.sandbox();
  await rm(folder, { recursive: true, force: true });
  return ability;
}

function freshWorld(): SandboxedWorld {
  let folder = "";
  const world: SandboxedWorld = {
    get root() {
      return join(folder, "work");
    },
    get home() {
      return join(folder, "home");
    },
    get data() {
      return join(folder, "data");
    },
    shell: (options) =>
      new ProcessShell(world.root, {
        graceMs: 500,
        sandbox: { data: world.data, home: world.home, ...options },
      }),
    run: async (command, { options, ...more } = {}) => {
      const result = await world
        .shell(options)
        .run({ ...requestOf(command), sandbox: noNetwork, ...more }, never);
      await result.layer?.discard();
      return result;
    },
    runAndApply: async (command) => {
      const result = await world.shell().run({ ...requestOf(command), sandbox: noNetwork }, never);
      assert.ok(result.layer);
      assert.deepEqual(await result.layer.apply(result.layer.changes), []);
      await result.layer.discard();
      return result;
    },
  };
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "rooroo-")));
    await mkdir(world.root);
    await mkdir(world.home);
  });
  afterEach(async () => {
    await rm(folder, { recursive: true, force: true });
  });
  return world;
}

export function requestOf(command: string): ShellRequest {
  return { command, cwd: "", timeoutMs: 60_000, onOutput: () => undefined };
}
