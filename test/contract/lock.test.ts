import assert from "node:assert/strict";
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  watch,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { FileLock } from "../../src/node/locks/fileLock.js";
import { thisProcess, type ProcessIdentity } from "../../src/node/processes/processIdentity.js";
import { MemoryLock } from "../fakes/memoryLock.js";
import { held, lockContract } from "./lockContract.js";
import { temporaryFolder } from "./temporaryFolder.js";

describe("Lock: memory", () => {
  lockContract(() => new MemoryLock());

  it("plays another process that holds it", async () => {
    const lock = new MemoryLock();
    const leave = lock.occupy("run", "another window");
    assert.equal((await lock.holder("run"))?.label, "another window");
    leave();
    await held(lock, "run");
  });
});

describe("Lock: files", () => {
  const folder = temporaryFolder();
  const lock = () => new FileLock(folder.path, "test");
  const path = (name: string) => join(folder.path, ".rooroo/locks", name);
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill("SIGKILL");
  });
  lockContract(lock);

  /** Starts another process, whose `body` finds `lock`, `folder` and `say`. */
  const otherProcess = (body: string): ChildProcess => {
    const module = join(import.meta.dirname, "../../src/node/locks/fileLock.js");
    const script = `const { FileLock } = await import(process.argv[1]);
      const folder = process.argv[2];
      const lock = new FileLock(folder, "another process");
      const say = (text) => process.stdout.write(text + "\\n");
      ${body}`;
    const flags = ["--input-type=module", "--eval", script, module, folder.path];
    const child = spawn(process.execPath, flags, { stdio: ["pipe", "pipe", "inherit"] });
    children.push(child);
    return child;
  };
  const holding = `await lock.tryHold("run"); say("held"); process.stdin.resume();`;
  const said = async (child: ChildProcess) =>
    String((await once(child.stdout!, "data"))[0] as Buffer).trim();

  /** Leaves a lock file as another process would have. */
  const leave = async (name: string, identity: Partial<ProcessIdentity>, token = "t0") => {
    await mkdir(path(""), { recursive: true });
    const since = "2025-01-02T03:04:05.000Z";
    const content = { ...thisProcess(), ...identity, label: "gone", since, token };
    await writeFile(path(name), JSON.stringify(content));
  };

  it("writes and reads nothing where a link leads", async () => {
    await mkdir(path(""), { recursive: true });
    await symlink("/dev/zero", path("run.lock"));
    assert.equal((await lock().holder("run"))?.label, "an unknown program");
    await assert.rejects(lock().tryHold("run"), {
      code: "notALock",
      params: { path: ".rooroo/locks/run.lock" },
    });
    await rm(path(""), { recursive: true });
    const outside = `${folder.path}-outside`;
    await mkdir(outside);
    try {
      await symlink(outside, join(folder.path, ".rooroo/locks"));
      await assert.rejects(lock().tryHold("run"), { code: "ELEADSOUT" });
      assert.deepEqual(await readdir(outside), []);
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it("leaves nothing behind, and nothing for git to see", async () => {
    await (await held(lock(), "run")).release();
    await lock().exclusively("queue", () => Promise.resolve());
    assert.deepEqual(await readdir(path("")), [".gitignore"]);
    assert.equal(await readFile(path(".gitignore"), "utf8"), "*\n");
  });

  it("has git ignore all records but those worth committing, and leaves an edited file as it is", async () => {
    const rules = join(folder.path, ".rooroo/.gitignore");
    const locked = async () => {
      await (await held(lock(), "run")).release();
      return readFile(rules, "utf8");
    };
    const current = await locked();
    execFileSync("git", ["init", "--quiet"], { cwd: folder.path });
    for (const name of ["rules/a.md", "brainstorming/b.md", "tasks/1/report.json", "queue.jsonl"]) {
      await mkdir(dirname(join(folder.path, ".rooroo", name)), { recursive: true });
      await writeFile(join(folder.path, ".rooroo", name), "");
    }
    const seen = execFileSync("git", ["status", "--porcelain", "--untracked-files=all"], {
      cwd: folder.path,
      encoding: "utf8",
    });
    assert.equal(seen, "?? .rooroo/brainstorming/b.md\n?? .rooroo/rules/a.md\n");
    await writeFile(rules, `${current}!/plans/\n`);
    assert.equal(await locked(), `${current}!/plans/\n`);
  });

  it("hides nothing from git where it tracks files of .rooroo already, also below the repository's root", async () => {
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder.path });
    git("init", "--quiet");
    for (const name of [".rooroo/queue.jsonl", "part/.rooroo/queue.jsonl", "other/.rooroo.txt"]) {
      await mkdir(dirname(join(folder.path, name)), { recursive: true });
      await writeFile(join(folder.path, name), "");
    }
    const names = async (root: string) => {
      await (await held(new FileLock(join(folder.path, root), "test"), "run")).release();
      return readdir(join(folder.path, root, ".rooroo"));
    };
    git("add", ".rooroo", "other");
    assert.deepEqual((await names("")).sort(), ["locks", "queue.jsonl"]);
    assert.deepEqual((await readdir(path(""))).sort(), [".gitignore", "tracked"]);
    assert.ok((await names("other")).includes(".gitignore"));
    git("add", "part");
    assert.deepEqual((await names("part")).sort(), ["locks", "queue.jsonl"]);
  });

  it("makes no folder for who only asks", async () => {
    assert.equal(await lock().holder("run"), undefined);
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("names the process that holds it", async () => {
    const child = otherProcess(holding);
    assert.equal(await said(child), "held");
    const result = await lock().tryHold("run");
    assert.ok("holder" in result);
    assert.deepEqual([result.holder.pid, result.holder.label], [child.pid, "another process"]);
  });

  it("takes over from a process that was killed", async () => {
    const child = otherProcess(holding);
    assert.equal(await said(child), "held");
    assert.ok("holder" in (await lock().tryHold("run")));
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.equal(await lock().holder("run"), undefined);
    await (await held(lock(), "run")).release();
    assert.deepEqual(await readdir(path("")), [".gitignore"]);
  });

  it("takes over from a process that stands still past its lease, whose late work is refused", async () => {
    const beat = 40;
    const child = otherProcess(`
      const quick = new FileLock(folder, "another process", ${beat});
      const { held } = await quick.tryHold("run");
      say("held");
      process.stdin.on("data", () => {
        held.check().then(() => say("mine"), (error) => say(error.code));
      });`);
    assert.equal(await said(child), "held");
    child.stdin!.write("check\n");
    assert.equal(await said(child), "mine");
    child.kill("SIGSTOP");

    // It counts as alive until it has been silent for long enough; then this process gets it.
    const quick = new FileLock(folder.path, "test", beat);
    let result = await quick.tryHold("run");
    while ("holder" in result) result = await quick.tryHold("run");
    child.kill("SIGCONT");
    child.stdin!.write("check\n");
    assert.equal(await said(child), "workTakenOver");
    await result.held.check();
    await result.held.release();
  });

  it("holds a lease through a clock that jumps, forth or back, while its holder lives", async () => {
    const child = otherProcess(`
      const quick = new FileLock(folder, "another process", 40);
      await quick.tryHold("run");
      say("held");
      process.stdin.resume();`);
    assert.equal(await said(child), "held");
    // The one who asks waits far longer than the holder needs for a heartbeat, on a busy machine, too.
    const patient = new FileLock(folder.path, "test", 1000);
    for (const jump of [-3_600_000, 3_600_000]) {
      const then = new Date(Date.now() + jump);
      await utimes(path("run.lock"), then, then);
      assert.ok("holder" in (await patient.tryHold("run")));
    }
  });

  it("keeps three processes from running at once", async () => {
    await writeFile(join(folder.path, "count"), "0");
    const body = `
      const { readFile, writeFile } = await import("node:fs/promises");
      for (let i = 0; i < 50; i++) {
        await lock.exclusively("count", async () => {
          const count = Number(await readFile(folder + "/count", "utf8"));
          await writeFile(folder + "/count", String(count + 1));
        });
      }`;
    const counting = [1, 2, 3].map(() => otherProcess(body));
    const codes = await Promise.all(counting.map((child) => once(child, "exit")));
    assert.deepEqual(
      codes.map(([code]: unknown[]) => code),
      [0, 0, 0],
    );
    assert.equal(await readFile(join(folder.path, "count"), "utf8"), "150");
  });

  it("tells a dead holder from a living one", async () => {
    const cases: [Partial<ProcessIdentity>, boolean][] = [
      [{}, true],
      [{ pid: 2 ** 22 + 1 }, false],
      [{ processStart: "1" }, false],
      [{ bootId: "another boot" }, false],
      [{ host: "another host", pid: 1 }, true],
      [{ pidNamespace: "another container", pid: 2 ** 22 + 1 }, true],
    ];
    for (const [index, [identity, alive]] of cases.entries()) {
      await leave(`run${index}.lock`, identity);
      const holder = await lock().holder(`run${index}`);
      assert.equal(holder !== undefined, alive, JSON.stringify(identity));
      assert.equal("holder" in (await lock().tryHold(`run${index}`)), alive);
    }
  });

  it("takes over from another host that has been silent for a minute", async () => {
    await leave("run.lock", { host: "another host" });
    const then = new Date(Date.now() - 61_000);
    await utimes(path("run.lock"), then, then);
    await held(lock(), "run");
  });

  it("is taken over by one only, and never from the successor", async () => {
    for (let round = 0; round < 10; round++) {
      await leave("run.lock", { processStart: "1" }, `dead${round}`);
      const tries = Array.from({ length: 15 }, () => lock().tryHold("run"));
      const winners = (await Promise.all(tries)).flatMap((one) => ("held" in one ? [one] : []));
      assert.equal(winners.length, 1);
      await winners[0]?.held.release();
    }
  });

  it("finishes a takeover that somebody died in", async () => {
    await leave("run.lock", { processStart: "1" }, "dead");
    await leave("dead.takeover", { processStart: "1" }, "died-too");
    const tries = Array.from({ length: 5 }, () => lock().tryHold("run"));
    const results = await Promise.all(tries);
    assert.equal(results.filter((one) => "held" in one).length, 1);
  });

  it("shows that it lives as long as it holds", async () => {
    const run = await held(new FileLock(folder.path, "test", 10), "run");
    const then = new Date(Date.now() - 61_000);
    await utimes(path("run.lock"), then, then);
    for await (const { eventType } of watch(path("run.lock"))) {
      if (eventType === "change" && (await stat(path("run.lock"))).mtimeMs > Date.now() - 60_000) {
        break;
      }
    }
    await run.release();
  });

  it("says which file is in the way where that is no lock that it has written", async () => {
    await mkdir(path(""), { recursive: true });
    const since = "2025-01-02T03:04:05.000Z";
    const outside = { ...thisProcess(), label: "x", since, token: "../../outside" };
    for (const foreign of ["", "{}", "a lock\n", JSON.stringify(outside)]) {
      await writeFile(path("run.lock"), foreign);
      await assert.rejects(lock().tryHold("run"), {
        name: "UserError",
        code: "notALock",
        params: { path: ".rooroo/locks/run.lock" },
      });
      assert.equal(await readFile(path("run.lock"), "utf8"), foreign);
    }
    await rm(path("run.lock"));
    await held(lock(), "run");
  });

  it("does not touch a file that it cannot read until that has been idle", async () => {
    await mkdir(path(""), { recursive: true });
    await writeFile(path("run.lock"), "");
    assert.equal((await lock().holder("run"))?.label, "an unknown program");
    const then = new Date(Date.now() - 61_000);
    await utimes(path("run.lock"), then, then);
    await held(lock(), "run");
  });
});
