import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../src/core/errors.js";
import { DiskFileSystem } from "../../src/node/files/diskFileSystem.js";
import { FileLock } from "../../src/node/locks/fileLock.js";
import { OutputKeeper } from "../../src/node/shell/outputKeeper.js";
import { say } from "./say.js";
import { useMemoryFolder } from "./useMemoryFolder.js";

const rounds = 600;
const bait = "theirs\n";
const task = ".rooroo/tasks/X";

describe("a process that swaps folders and files for links while state is written", () => {
  useMemoryFolder();

  it("gets nothing written, changed or removed where its links lead", async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), "rooroo-links-")));
    const [root, elsewhere] = [join(base, "workspace"), join(base, "elsewhere")];
    for (const folder of [join(root, ".rooroo"), join(root, ".git"), elsewhere]) {
      await makeBait(folder);
    }
    const before = await contentsOf([join(root, ".git"), elsewhere]);
    const program = fileURLToPath(new URL("linkSwapper.js", import.meta.url));
    const swapper = spawn(process.execPath, [program, root, elsewhere], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const done = new Map<string, number>();
    const refused = new Map<string, number>();
    try {
      await once(swapper.stdout, "data");
      for (let round = 0; round < rounds; round++) {
        for (const [name, write] of Object.entries(writes(root, round))) {
          try {
            await write();
            done.set(name, (done.get(name) ?? 0) + 1);
          } catch (error) {
            if (!(error instanceof UserError)) throw error;
            refused.set(name, (refused.get(name) ?? 0) + 1);
          }
        }
      }
      assert.equal(swapper.exitCode, null);
    } finally {
      swapper.kill("SIGKILL");
      await once(swapper, "exit");
    }
    assert.deepEqual(await contentsOf([join(root, ".git"), elsewhere]), before);
    for (const name of Object.keys(writes(root, 0))) {
      say(`${name}: ${done.get(name) ?? 0} done, ${refused.get(name) ?? 0} refused`);
      assert.ok((done.get(name) ?? 0) > 0, `${name} was never done`);
      // Where nothing was in its way it was not tried.
      if (name !== "clean up") assert.ok((refused.get(name) ?? 0) > 0, `${name} was never refused`);
    }
    await rm(base, { recursive: true });
  });
});

/** Returns one write of each kind that state has. */
function writes(root: string, round: number): Record<string, () => Promise<unknown>> {
  const files = new DiskFileSystem(root);
  const lock = new FileLock(root, "test");
  return {
    replace: () => files.replaceFile(".rooroo/queue.jsonl", `${round}\n`),
    "replace in the task's folder": () => files.replaceFile(`${task}/report.json`, `${round}\n`),
    create: () => files.createFile(`${task}/new-${round}`, "ours\n"),
    append: () => files.appendLines(`${task}/transcript.jsonl`, [`${round}`]),
    "append durably": () => files.appendLines(".rooroo/queue.jsonl", ["x"], { durable: true }),
    remove: () => files.removeFile(`${task}/new-${round - 1}`),
    "remove what is there too": () => files.removeFile(`${task}/question.json`),
    "set the mode": () => files.setMode(`${task}/report.json`, 0o640),
    lock: async () => {
      const result = await lock.tryHold(`run-${round}`);
      if ("held" in result) await result.held.release();
    },
    output: async () => {
      const keeper = new OutputKeeper({ root, path: `${task}/output/call.log` });
      await keeper.add("o".repeat(30_000));
      const { output } = await keeper.finish();
      if (output.includes("could not be kept"))
        throw new UserError("childFailed", "{output}", { output: output.slice(-300) });
    },
    "clean up": () => files.removeTemporaries(".rooroo"),
  };
}

/** Makes a file under every name that is written to, and one that looks like a leftover. */
async function makeBait(folder: string): Promise<void> {
  await mkdir(join(folder, "tasks/X/output"), { recursive: true });
  await mkdir(join(folder, "locks"));
  const leftover = ".queue.jsonl.000000000000000000000000.tmp";
  const names = [
    "queue.jsonl",
    "report.json",
    "transcript.jsonl",
    "question.json",
    "call.log",
    leftover,
  ];
  for (const name of [...names, "config", "new-0"]) {
    for (const place of ["", "tasks/X/", "tasks/X/output/", "locks/"]) {
      await writeFile(join(folder, place, name), bait);
      await chmod(join(folder, place, name), 0o600);
    }
  }
}

/** Names, contents and modes of everything below the folders. */
async function contentsOf(folders: readonly string[]): Promise<string[]> {
  const all: string[] = [];
  for (const folder of folders) {
    for (const name of (await readdir(folder, { recursive: true })).sort()) {
      const path = join(folder, name);
      const found = await stat(path);
      const text = found.isFile() ? await readFile(path, "utf8") : "folder";
      all.push(`${path} ${found.mode.toString(8)} ${text}`);
    }
  }
  return all;
}
