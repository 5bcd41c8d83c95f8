import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  link,
  lstat,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import type { Shell, ShellRequest, ShellResult } from "../../src/core/ports/shell.js";
import { markerOf, markerVariable } from "../../src/node/processes/commandMarker.js";
import { listedProcess, processTable } from "../../src/node/processes/processTable.js";
import { ProcessShell } from "../../src/node/shell/processShell.js";
import { runsUntilStopped, ScriptedShell } from "../fakes/scriptedShell.js";
import { temporaryFolder } from "./temporaryFolder.js";

/** Defines the tests of what every {@link Shell} promises, by commands that the fake has scripts for. */
function shellContract(make: () => Shell): void {
  const run = (command: string, more: Partial<ShellRequest> = {}, signal = never) =>
    make().run({ command, cwd: "", timeoutMs: 60_000, onOutput: () => undefined, ...more }, signal);

  it("says which shell it is", () => {
    assert.match(make().description, /^\w+ on \w+$/);
  });

  it("gives the exit code and the output, also as it comes", async () => {
    let live = "";
    const onOutput = (text: string) => (live += text);
    const result = await run("echo hello; exit 3", { onOutput });
    assert.deepEqual(
      [result.exitCode, result.signal, result.endedBy, result.output, result.omitted],
      [3, null, "itself", "hello\n", 0],
    );
    assert.equal(live, "hello\n");
  });

  it("lets nobody see what a filter takes out", async () => {
    let live = "";
    const onOutput = (text: string) => (live += text);
    const filter = () => {
      let held = "";
      return {
        add: (piece: string) => {
          const text = held + piece.replaceAll("l", "");
          held = text.slice(-1);
          return text.slice(0, -1);
        },
        finish: () => held && `${held}(end)`,
      };
    };
    const result = await run("echo hello; exit 3", { onOutput, filter });
    assert.deepEqual([result.output, live], ["heo\n(end)", "heo\n(end)"]);
  });

  it("gives the command its input and variables, and bears that it reads none", async () => {
    const input = `${"x".repeat(300_000)}\n`;
    const env = { OWN: "a b" };
    assert.equal((await run('wc -c; echo "$OWN"', { input, env })).output, "300001\na b\n");
    assert.equal((await run("exit 4", { input })).exitCode, 4);
  });

  it("answers an unknown command as a shell does", async () => {
    const result = await run("no-such-command-anywhere");
    assert.equal(result.exitCode, 127);
    assert.match(result.output, /not found/);
  });

  it("ends what runs when it is stopped", async () => {
    const stopper = new AbortController();
    const onOutput = () => {
      stopper.abort();
    };
    const result = await run("echo started; exec sleep 1000", { onOutput }, stopper.signal);
    assert.deepEqual([result.exitCode, result.endedBy], [null, "stop"]);
  });

  it("starts nothing when it was stopped before", async () => {
    const result = await run("echo hello; exit 3", {}, AbortSignal.abort());
    assert.deepEqual([result.endedBy, result.output], ["stop", ""]);
  });
}

const never = new AbortController().signal;

describe("Shell: scripted", () => {
  shellContract(
    () =>
      new ScriptedShell({
        "echo hello; exit 3": { exitCode: 3, output: "hello\n" },
        'wc -c; echo "$OWN"': { output: "300001\na b\n" },
        "exit 4": { exitCode: 4 },
        "echo started; exec sleep 1000": async (request, signal) => {
          const script = runsUntilStopped(() => {
            queueMicrotask(() => {
              request.onOutput("started\n");
            });
          });
          assert.ok(typeof script === "function");
          return script(request, signal);
        },
      }),
  );
});

describe("Shell: processes", () => {
  const folder = temporaryFolder();
  // This shell is for commands that have to be killed. All others get a minute, so that a busy machine does not kill them.
  const hasty = () => new ProcessShell(folder.path, { graceMs: 200 });
  const make = () => new ProcessShell(folder.path, { graceMs: 60_000, secrets: ["MY_TOKEN"] });
  shellContract(hasty);

  const run = (
    command: string,
    more: Partial<ShellRequest> = {},
    signal = never,
    shell = make(),
  ): Promise<ShellResult> =>
    shell.run({ command, cwd: "", timeoutMs: 60_000, onOutput: () => undefined, ...more }, signal);

  it("runs in the folder that it is told", async () => {
    await mkdir(join(folder.path, "sub dir"));
    assert.equal((await run("pwd", { cwd: "sub dir" })).output, `${folder.path}/sub dir\n`);
    assert.equal((await run("pwd", { cwd: "/" })).output, "/\n");
    await assert.rejects(run("pwd", { cwd: "none" }), {
      name: "FileError",
      code: "ENOENT",
      params: { folder: "none" },
    });
  });

  it("keeps the streams apart where that is wanted, and gives both together all the same", async () => {
    const command = "echo out; echo bad >&2; exit 2";
    const { exitCode, output, streams } = await run(command, { separateStreams: true });
    assert.deepEqual([exitCode, streams], [2, { stdout: "out\n", stderr: "bad\n" }]);
    assert.deepEqual(output.trim().split("\n").sort(), ["bad", "out"]);
    assert.equal((await run(command)).streams, undefined);
  });

  it("says what to do about a command that is too long for the system", async () => {
    await assert.rejects(run(`: ${"x".repeat(4_000_000)}`), { name: "FileError", code: "E2BIG" });
  });

  it("keeps the host's secrets and the editor's own variables to itself", async () => {
    const set = {
      OPENAI_API_KEY: "key-1",
      ANTHROPIC_API_KEY: "key-3",
      MY_TOKEN: "key-2",
      ROOROO_TEAM_KEY: "key-4",
      ROOROO_TEAM_DATABASE: "postgresql://rooroo:key-5@db.example.test/team",
      ELECTRON_RUN_AS_NODE: "1",
      VSCODE_IPC_HOOK: "x",
      FORCE_COLOR: "1",
      ROOROO_TEST_KEPT: "yes",
    };
    Object.assign(process.env, set);
    try {
      const { output } = await run("env");
      assert.doesNotMatch(output, /key-[1-5]|ELECTRON|VSCODE_|FORCE_COLOR/);
      for (const expected of ["ROOROO_TEST_KEPT=yes", "PAGER=cat", "GIT_TERMINAL_PROMPT=0"]) {
        assert.match(output, new RegExp(`^${expected}$`, "m"));
      }
    } finally {
      for (const name of Object.keys(set)) Reflect.deleteProperty(process.env, name);
    }
  });

  it("tells a program that waits for input that there is none", async () => {
    const result = await run("cat; read line; echo read=$?; test -t 0; echo terminal=$?");
    assert.equal(result.output, "read=1\nterminal=1\n");
  });

  it("gives both streams in the order in which they were printed", async () => {
    const result = await run("for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done");
    assert.equal(result.output, [1, 2, 3, 4, 5].map((i) => `out ${i}\nerr ${i}\n`).join(""));
  });

  it("puts characters together that came in pieces", async () => {
    let live = "";
    const onOutput = (text: string) => (live += text);
    const script = `process.stdout.write("x" + "ä€😀".repeat(60000))`;
    const result = await run(`"${process.execPath}" -e '${script}'`, { onOutput });
    assert.equal(live, `x${"ä€😀".repeat(60_000)}`);
    assert.equal(result.omitted + result.output.replace(/\n\[….*?…\]\n/, "").length, live.length);
    assert.doesNotMatch(
      result.output,
      /[\uD800-\uDFFF](?<![\uD800-\uDBFF][\uDC00-\uDFFF])(?![\uDC00-\uDFFF])/,
    );
  });

  it("keeps both ends of a long output in memory and all of it in a file", async () => {
    const before = process.memoryUsage().rss;
    let peak = before;
    const onOutput = () => {
      peak = Math.max(peak, process.memoryUsage().rss);
    };
    const result = await run(
      "echo first; head -c 50000000 /dev/zero | tr '\\0' x; echo; echo last >&2",
      { outputPath: ".rooroo/tasks/1/output/call.log", onOutput },
    );
    assert.ok(result.output.length < 25_000);
    assert.match(result.output, /^first\nx+\n\[… \d+ characters left out …\]\nx+\nlast\n$/);
    assert.equal(result.omitted, 50_000_012 - 24_000);
    const log = join(folder.path, ".rooroo/tasks/1/output/call.log");
    assert.equal((await stat(log)).size, 50_000_012);
    assert.ok(peak - before < 150_000_000, `${(peak - before) / 1e6} MB`);
  });

  it("ends a command that prints more than is kept, and says so", async () => {
    const shell = new ProcessShell(folder.path, { graceMs: 200, mostOutputMegabytes: 2 });
    const request = { command: "yes €€", cwd: "", timeoutMs: 60_000, onOutput: () => undefined };
    const result = await shell.run({ ...request, outputPath: "output/call.log" }, never);
    assert.deepEqual([result.endedBy, result.limit], ["limit", "output (2 MB)"]);
    assert.match(result.output, /\[The file with the complete output ends after 2 MB/);
    const log = await readFile(join(folder.path, "output/call.log"));
    assert.ok(log.length <= 2 * 1024 * 1024 && log.length > 2 * 1024 * 1024 - 3, `${log.length}`);
    // The last character is a whole one.
    assert.match(log.toString().slice(-1), /[€\n]/);
  });

  it("puts the complete output into a file of its own, and writes through no link", async () => {
    const print = "printf %24001s x";
    await mkdir(join(folder.path, "output"));
    await writeFile(join(folder.path, "config"), "theirs");
    const log = join(folder.path, "output/call.log");
    const outputPath = "output/call.log";
    for (const leave of [
      () => symlink("../config", log),
      () => link(join(folder.path, "config"), log),
      () => writeFile(log, "of a call before"),
    ]) {
      await rm(log, { force: true });
      await leave();
      const { output } = await run(print, { outputPath });
      assert.doesNotMatch(output, /could not be kept/);
      assert.equal((await lstat(log)).isFile(), true);
      assert.equal((await readFile(log)).length, 24_001);
    }
    await rm(join(folder.path, "output"), { recursive: true });
    await mkdir(join(folder.path, "hooks"));
    await symlink("hooks", join(folder.path, "output"));
    assert.match(
      (await run(print, { outputPath })).output,
      /could not be kept: .*output is a link/,
    );
    assert.deepEqual(await readdir(join(folder.path, "hooks")), []);
    assert.equal(await readFile(join(folder.path, "config"), "utf8"), "theirs");
  });

  it("makes no file for an output that is whole in the result", async () => {
    const result = await run("printf %24000s x", { outputPath: "output/call.log" });
    assert.deepEqual([result.output.length, result.omitted], [24_000, 0]);
    assert.deepEqual(await readdir(folder.path), []);
    const longer = await run("printf %24001s x", { outputPath: "output/call.log" });
    assert.equal(longer.omitted, 1);
    const log = await readFile(join(folder.path, "output/call.log"), "utf8");
    assert.equal(log, `${" ".repeat(24_000)}x`);
  });

  it("goes on when the complete output cannot be kept, and says so", async () => {
    const result = await run("printf %30000s x; exit 4", { outputPath: "/dev/null/call.log" });
    assert.equal(result.exitCode, 4);
    assert.match(result.output, /x\n\[The complete output could not be kept: .*\]\n$/);
  });

  it("[R-ENV-15] ends a whole tree that does not want to end", async () => {
    const pids = new Pids();
    const stopper = new AbortController();
    const onOutput = (text: string) => {
      pids.read(text);
      if (pids.all.length === 2) stopper.abort();
    };
    const command =
      "trap '' TERM; (trap '' TERM; echo $BASHPID; while :; do sleep 1; done) & echo $$; while :; do sleep 1; done";
    const result = await run(command, { onOutput }, stopper.signal, hasty());
    assert.deepEqual([result.exitCode, result.signal, result.endedBy], [null, "SIGKILL", "stop"]);
    pids.assertGone();
  });

  it("[R-ENV-15] ends what takes longer than it may", async () => {
    const result = await run("exec sleep 1000", { timeoutMs: 50 });
    assert.deepEqual(
      [result.exitCode, result.signal, result.endedBy],
      [null, "SIGTERM", "timeout"],
    );
    assert.ok(result.durationMs >= 49);
  });

  it("[R-ENV-15] lets a command end by itself when it is asked to", async () => {
    const stopper = new AbortController();
    const onOutput = () => {
      stopper.abort();
    };
    const command = "trap 'echo bye; exit 7' TERM; echo ready; while :; do sleep 0.05; done";
    const result = await run(command, { onOutput }, stopper.signal);
    assert.deepEqual([result.exitCode, result.endedBy], [7, "stop"]);
    assert.match(result.output, /^ready\n(.*\n)*bye\n/);
  });

  it("[R-ENV-15] asks a command to end, and kills it a second later", async () => {
    const stopper = new AbortController();
    const onOutput = () => {
      stopper.abort();
    };
    const command = "trap 'echo asked' TERM; echo ready; while :; do sleep 0.05; done";
    const request = { command, cwd: "", timeoutMs: 60_000, onOutput };
    const result = await new ProcessShell(folder.path).run(request, stopper.signal);
    assert.deepEqual([result.signal, result.endedBy], ["SIGKILL", "stop"]);
    assert.match(result.output, /^ready\n(.*\n)*asked\n/);
    assert.ok(result.durationMs >= 1_000 && result.durationMs < 20_000, String(result.durationMs));
  });

  it("says whether a command that ended by itself had left processes, which were ended", async () => {
    const left = await run("sleep 1000 & echo on");
    assert.deepEqual([left.exitCode, left.output, left.leftRunning], [0, "on\n", true]);
    for (const command of ["echo on", "sleep 0.1 & wait", "echo on | cat"]) {
      assert.equal((await run(command)).leftRunning, undefined, command);
    }
    const late = await run("sleep 1000 & exec sleep 1000", { timeoutMs: 200 }, never, hasty());
    assert.deepEqual([late.endedBy, late.leftRunning], ["timeout", undefined]);
  });

  it("takes along what a command leaves in the background", async () => {
    const pids = new Pids();
    const result = await run("sleep 1000 >/dev/null 2>&1 & echo $!", { onOutput: pids.read });
    assert.deepEqual([result.exitCode, result.endedBy], [0, "itself"]);
    pids.assertGone();
  });

  it("takes along what has left the group, also when it holds on to the output", async () => {
    const pids = new Pids();
    const quiet = "(setsid sh -c 'echo $$; exec sleep 1000 >/dev/null 2>&1' &)";
    const loud = "setsid sh -c 'trap \"\" TERM HUP; echo $$; while :; do sleep 1; done' &";
    const { read } = pids;
    const result = await run(`${quiet}; ${loud} sleep 0.2`, { onOutput: read }, never, hasty());
    assert.equal(result.endedBy, "itself");
    assert.ok(result.durationMs < 10_000);
    assert.equal(pids.all.length, 2);
    pids.assertGone();
  });

  it("ends nothing that a command did not start", async () => {
    const other = spawn("sleep", ["1000"], { detached: true, stdio: "ignore" });
    try {
      await run("setsid sleep 1000 & sleep 0.1");
      assert.equal(isRunning(other.pid ?? 0), true);
    } finally {
      other.kill("SIGKILL");
    }
  });

  it("leaves nothing of 50 commands, one after another", async () => {
    const pids = new Pids();
    for (let i = 0; i < 50; i++)
      await run("echo $$; sleep 1000 >/dev/null 2>&1 & true", { onOutput: pids.read });
    assert.equal(pids.all.length, 50);
    pids.assertGone();
    const left = (processTable() ?? []).filter(
      // Other test processes have commands, too.
      ({ pid }) => markerOf(pid)?.startsWith(`${process.pid}.`) === true,
    );
    assert.deepEqual(left, []);
  });

  it("ends what a host that was killed has left, and nothing of one that lives", async () => {
    const shell = join(import.meta.dirname, "../../src/node/shell/processShell.js");
    const script = `const { ProcessShell } = await import(process.argv[1]);
      new ProcessShell(process.argv[2]).run({ command: process.argv[3], cwd: "", timeoutMs: 60000,
        onOutput: (text) => process.stdout.write(text) }, new AbortController().signal);`;
    const child = "setsid sh -c 'echo $$; exec sleep 1000' &";
    // Any Rooroo on this machine ends what a dead host has left, but knows nothing of a process without the marker.
    const command = `echo $$; ${child} env -u ${markerVariable} ${child} exec sleep 1000`;
    const host = spawn(
      process.execPath,
      ["--input-type=module", "--eval", script, shell, folder.path, command],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const pids = new Pids();
    for await (const chunk of host.stdout) {
      pids.read(String(chunk));
      if (pids.all.length === 3) break;
    }
    const [unmarked = 0, ...more] = pids.all.filter((pid) => markerOf(pid) === undefined);
    assert.deepEqual(more, []);
    await make().endOrphaned();
    assert.deepEqual(pids.all.map(isRunning), [true, true, true]);
    host.kill("SIGKILL");
    await once(host, "exit");
    await make().endOrphaned();
    while (pids.all.some((pid) => pid !== unmarked && isRunning(pid))) await turn();
    assert.equal(isRunning(unmarked), true, "the host's death alone ends no process");
    process.kill(unmarked, "SIGKILL");
    await pids.untilGone();
  });

  describe("what a command finds", () => {
    it("finds no program of the workspace by its bare name", async () => {
      await mkdir(join(folder.path, "bin"));
      const program = join(folder.path, "bin/rooroo-test-program");
      await writeFile(program, "#!/bin/sh\necho from the workspace\n", { mode: 0o755 });
      await writeFile(join(folder.path, "rooroo-test-program"), "#!/bin/sh\n", { mode: 0o755 });
      await symlink(join(folder.path, "bin"), `${folder.path}-link`);
      const before = process.env["PATH"];
      process.env["PATH"] = [
        "",
        ".",
        "bin",
        `${folder.path}/bin`,
        `${folder.path}-link`,
        before,
      ].join(":");
      try {
        const { exitCode } = await run("rooroo-test-program");
        assert.equal(exitCode, 127);
        assert.equal((await run("ls / >/dev/null")).exitCode, 0);
        assert.equal((await run("bin/rooroo-test-program")).output, "from the workspace\n");
      } finally {
        process.env["PATH"] = before;
        await unlink(`${folder.path}-link`);
      }
    });

    it("runs nothing that a repository tells git to run when it is looked at", async () => {
      const ran = join(folder.path, "ran");
      const trap = join(folder.path, "trap.sh");
      await writeFile(trap, `#!/bin/sh\necho "$0 $*" >> '${ran}'\n`, { mode: 0o755 });
      const settings = [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.askPass",
        "gpg.program",
      ];
      const make = [
        "git init -q r && cd r && git config user.email a@b.c && git config user.name n",
        "echo a > f && git add f && git commit -qm one && echo b >> f",
        ...settings.map((name) => `git config ${name} ${trap}`),
        `cp ${trap} .git/hooks/post-index-change`,
        "git config log.showSignature true && git init -q --bare ../layout",
        `git -C ../layout config core.fsmonitor ${trap} && mkdir ../layout/w`,
        "git -C ../layout config core.bare false && git -C ../layout config core.worktree w",
      ].join(" && ");
      const look = "touch f; git status; git diff; git log; git show HEAD";
      await promisify(execFile)("bash", ["-c", make], { cwd: folder.path });
      await promisify(execFile)("bash", ["-c", look], { cwd: join(folder.path, "r") });
      await promisify(execFile)("git", ["-C", "layout", "status"], { cwd: folder.path });
      assert.match(await readFile(ran, "utf8"), /trap\.sh[^]*post-index-change/);
      await unlink(ran);

      const result = await run(look, { cwd: "r" });
      assert.match(result.output, /\+b\n[^]*one/);
      const bare = await run("git -C layout status");
      assert.match(bare.output, /safe\.bareRepository|not a git repository|cannot use bare/);
      await run("git var GIT_EDITOR; git credential fill <<< url=https://127.0.0.1:1/x", {
        cwd: "r",
      });
      await assert.rejects(readFile(ran, "utf8"), { code: "ENOENT" });
    });

    it("keeps the git settings that the environment gives already", async () => {
      const given = {
        GIT_CONFIG_COUNT: "1",
        GIT_CONFIG_KEY_0: "user.name",
        GIT_CONFIG_VALUE_0: "N",
      };
      Object.assign(process.env, given);
      try {
        const { output } = await run("git config user.name; git config core.fsmonitor");
        assert.equal(output, "N\nfalse\n");
      } finally {
        for (const name of Object.keys(given)) Reflect.deleteProperty(process.env, name);
      }
    });
  });

  it("hears what a background process still says right after the end", async () => {
    // The shell does not wait for the reader of a process substitution.
    const patient = new ProcessShell(folder.path, { drainTimeoutMs: 30_000 });
    const result = await patient.run(
      {
        command: "echo late > >(cat; echo done)",
        cwd: "",
        timeoutMs: 60_000,
        onOutput: () => undefined,
      },
      never,
    );
    assert.equal(result.output, "late\ndone\n");
  });
});

/** Process ids that a command prints. */
class Pids {
  private output = "";
  readonly read = (text: string): void => {
    this.output += text;
  };

  get all(): number[] {
    return [...this.output.matchAll(/^\d+$/gm)].map((match) => Number(match[0]));
  }

  /** Waits until the processes are gone: the system needs a moment for what it was told to kill. */
  async untilGone(): Promise<void> {
    while (this.all.some(isRunning)) await turn();
  }

  assertGone(): void {
    assert.notEqual(this.all.length, 0);
    for (const pid of this.all) assert.equal(isRunning(pid), false, `process ${pid} is left`);
  }
}

function isRunning(pid: number): boolean {
  return listedProcess(pid) !== undefined;
}
