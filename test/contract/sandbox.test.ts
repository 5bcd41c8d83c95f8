import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { FileError } from "../../src/core/errors.js";
import type { SandboxProfile, ShellResult } from "../../src/core/ports/shell.js";
import { type Said, spoken } from "../../src/core/text/words.js";
import { markerOf } from "../../src/node/processes/commandMarker.js";
import { processTable } from "../../src/node/processes/processTable.js";
import { ProcessShell } from "../../src/node/shell/processShell.js";
import { describeSandboxed, never, noNetwork, requestOf } from "./sandboxed.js";

await describeSandboxed("Sandbox: what a command sees", (world) => {
  it("says which one it is", async () => {
    const ability = await world.shell().sandbox();
    assert.ok(ability.available);
    assert.match(ability.name, /^bubblewrap \d/);
  });

  it("runs as outside: shell, folder, exit code, streams, an input that is at its end", async () => {
    await mkdir(join(world.root, "sub dir"));
    const command = "pwd; echo bad >&2; read line; echo read=$?; exit 3";
    const apart = await world.run(command, { cwd: "sub dir", separateStreams: true });
    assert.deepEqual(apart.streams, {
      stdout: `${world.root}/sub dir\nread=1\n`,
      stderr: "bad\n",
    });
    assert.deepEqual([apart.exitCode, apart.endedBy, apart.signal], [3, "itself", null]);
    const together = await world.run("for i in 1 2 3; do echo out $i; echo err $i >&2; done");
    assert.equal(together.output, [1, 2, 3].map((i) => `out ${i}\nerr ${i}\n`).join(""));
    assert.match((await world.run("no-such-command-anywhere")).output, /not found/);
    await assert.rejects(world.run("pwd", { cwd: "none" }), {
      name: "FileError",
      code: "ENOENT",
      params: { folder: "none" },
    });
  });

  it("gives it its input and variables, if it has any", async () => {
    const more = { input: "one\ntwo\n", env: { OWN: "a b" } };
    assert.equal((await world.run('cat; echo "$OWN"', more)).output, "one\ntwo\na b\n");
    const hosts = { ...noNetwork, network: { hosts: ["example.test"] } };
    assert.equal((await world.run("cat", { ...more, sandbox: hosts })).output, "one\ntwo\n");
  });

  it("lets nothing that it writes reach the workspace, nor anything else of the machine", async () => {
    await writeFile(join(world.root, "a.txt"), "old");
    await writeFile(join(world.home, "b.txt"), "old");
    const { output } = await world.run(
      `echo new > a.txt; echo new > c.txt; cat a.txt c.txt; echo new > ${world.home}/b.txt || echo refused; echo new > /etc/rooroo-test || echo refused; touch /dev/x /usr/x || echo refused`,
    );
    assert.deepEqual(output.match(/^(new|refused)$/gm), [
      "new",
      "new",
      "refused",
      "refused",
      "refused",
    ]);
    assert.equal(await readFile(join(world.root, "a.txt"), "utf8"), "old");
    assert.equal(await readFile(join(world.home, "b.txt"), "utf8"), "old");
    assert.deepEqual(await readdir(world.root), ["a.txt"]);
  });

  it("gives it a /tmp, a /run and shared memory of its own", async () => {
    const secret = join(world.home, "..", "outside.txt");
    await writeFile(secret, "seen");
    const { output } = await world.run(
      `cat ${secret}; ls /run /dev/shm; echo x > /tmp/x && echo x > /dev/shm/x && echo written; echo $TMPDIR`,
    );
    assert.doesNotMatch(output, /seen/);
    assert.match(output, /written\n\/tmp\n$/);
    assert.ok(!existsSync("/dev/shm/x") && !existsSync("/tmp/x"));
  });

  it("lets it reach no program through a socket's file, outside or in the workspace", async () => {
    let connections = 0;
    const paths = [world.home, world.root].map((folder) => join(folder, "socket"));
    const servers = paths.map((path) =>
      createServer((socket) => {
        connections++;
        socket.destroy();
      }).listen(path),
    );
    await Promise.all(servers.map((server) => once(server, "listening")));
    const connect = `require("net").connect(process.argv[1]).on("error", (e) => console.log("refused", e.code)).on("connect", () => console.log("reached"))`;
    const tries = paths.map((path) => `node -e '${connect}' ${path}`).join("; ");
    const { output } = await world.run(`${tries}; ls ${world.home}`);
    for (const server of servers) server.close();
    assert.equal(connections, 0);
    assert.equal(output.match(/^refused /gm)?.length, 2, output);
  });

  it("shows it no process but its own, and lets it set nothing of the kernel's", async () => {
    // It writes what is there already, so that nothing changes where it is not refused.
    const { output } = await world.run(
      `tr '\\0' '\\n' < /proc/$PPID/environ | grep -c ROOROO_COMMAND; ls -d /proc/[0-9]* | wc -l; for f in core_pattern hostname sysrq; do said=$(cat /proc/sys/kernel/$f); echo "$said" > /proc/sys/kernel/$f || echo refused; done; grep CapEff /proc/self/status; ls /proc/self/fd | wc -l`,
    );
    assert.equal(output.match(/refused/g)?.length, 3);
    assert.match(output, /CapEff:\t0+$/m);
    const [ofParent, processes, ...rest] = output.split("\n");
    assert.equal(ofParent, "1");
    assert.ok(Number(processes) <= 6, output);
    assert.equal(rest.at(-2), "4");
  });

  it("lets it make no further namespaces and mount nothing", async () => {
    await writeFile(join(world.root, ".env"), "hidden");
    const { output } = await world.run(
      "unshare -Um sh -c 'umount .env; cat .env' || echo refused; unshare -Ur true || echo refused; umount .env || echo refused; cat .env; mount -t tmpfs t /mnt || echo refused",
      { sandbox: { ...noNetwork, masks: (path) => path === ".env" } },
    );
    assert.doesNotMatch(output, /hidden/);
    assert.equal(output.match(/refused/g)?.length, 4);
  });

  it("keeps secrets out of its environment, and ways to programs outside", async () => {
    const set = {
      MY_API_KEY: "secret-1",
      GITHUB_TOKEN: "secret-2",
      DB_PASSWORD: "secret-3",
      DATABASE_URL: "postgres://me:secret-4@localhost/db",
      SSH_AUTH_SOCK: "/secret-5",
      DOCKER_HOST: "secret-6",
      ROOROO_TEST_KEPT: "yes",
    };
    Object.assign(process.env, set);
    try {
      const { output } = await world.run("env");
      assert.doesNotMatch(output, /secret-/);
      assert.match(output, /^ROOROO_TEST_KEPT=yes$/m);
      assert.match(output, /^GIT_TERMINAL_PROMPT=0$/m);
    } finally {
      for (const name of Object.keys(set)) Reflect.deleteProperty(process.env, name);
    }
  });

  it("shows masked files and folders empty, and refuses to write them", async () => {
    await writeFile(join(world.root, ".env"), "hidden");
    await mkdir(join(world.root, "a", "secrets"), { recursive: true });
    await writeFile(join(world.root, "a", "secrets", "key"), "hidden");
    await writeFile(join(world.root, "a", "real, \\ name: with #"), "hidden");
    await symlink("real, \\ name: with #", join(world.root, "a", "masked-link"));
    await writeFile(join(world.root, "open.txt"), "open");
    const { output } = await world.run(
      `cat .env a/masked-link a/real*; ls a/secrets; cat open.txt; echo x > .env || echo refused; rm -f .env || echo refused; echo x > a/secrets/new || echo refused; rm -rf a || echo refused`,
      { sandbox: { ...noNetwork, masks: (path) => /(\.env|secrets|masked-link)$/.test(path) } },
    );
    assert.doesNotMatch(output, /hidden/);
    assert.match(output, /^open/);
    assert.equal(output.match(/refused/g)?.length, 4);
  });

  it("masks a new file in a folder that it has looked into before", async () => {
    const profile: SandboxProfile = { ...noNetwork, masks: (path) => path.endsWith(".env") };
    const shell = world.shell();
    const run = async (command: string) => {
      const result = await shell.run({ ...requestOf(command), sandbox: profile }, never);
      await result.layer?.discard();
      return result.output;
    };
    await mkdir(join(world.root, "sub"));
    assert.equal(await run("ls sub"), "");
    await writeFile(join(world.root, "sub", ".env"), "hidden");
    assert.equal(await run("ls -A sub; cat sub/.env"), ".env\n");
  });

  it("lets protected files be read and not be changed, whoever owns them", async () => {
    await mkdir(join(world.root, ".git", "hooks"), { recursive: true });
    await writeFile(join(world.root, ".git", "config"), "config\n");
    const { output, layer } = await world.run(
      `cat .git/config; echo x >> .git/config || echo refused; echo x > .git/hooks/pre-commit || echo refused; chmod 777 .git/config || echo refused; mv .git/config .git/c || echo refused; rm -rf .git || echo refused`,
      { sandbox: { ...noNetwork, protects: (path) => /^\.git\/(config|hooks)$/.test(path) } },
    );
    assert.match(output, /^config\n/);
    assert.equal(output.match(/refused/g)?.length, 5);
    assert.deepEqual(layer?.changes, []);
  });

  it("hides what lies at home and is nobody's business", async () => {
    for (const folder of [".ssh", ".aws", ".config/rooroo"]) {
      await mkdir(join(world.home, folder), { recursive: true });
      await writeFile(join(world.home, folder, "file"), "hidden");
    }
    await writeFile(join(world.home, ".npmrc"), "hidden");
    await writeFile(join(world.home, ".gitconfig"), "[user]\n\tname = seen\n");
    const { output } = await world.run(
      `cat ${world.home}/.npmrc ${world.home}/.*/file ${world.home}/.config/*/*; cat ${world.home}/.gitconfig; ls ${world.data} | wc -l`,
      { options: { hidden: [join(world.home, ".config/rooroo")] } },
    );
    assert.doesNotMatch(output, /hidden/);
    assert.match(output, /seen\n0\n$/);
  });

  it("keeps what tools cache for the next command, and changes nothing of the person's", async () => {
    await mkdir(join(world.home, ".cargo"));
    await writeFile(join(world.home, ".cargo", "index"), "of the person");
    const command = `cat ~/.cargo/index ~/.cargo/added "$XDG_CACHE_HOME/x"; echo added > ~/.cargo/added; echo cached > "$XDG_CACHE_HOME/x"`;
    const home = `HOME=${world.home}; `;
    assert.match((await world.run(home + command)).output, /^of the person.*No such file/s);
    assert.match((await world.run(home + command)).output, /^of the personadded\ncached\n$/);
    assert.deepEqual(await readdir(join(world.home, ".cargo")), ["index"]);
    assert.deepEqual(await readdir(world.home), [".cargo"]);
  });

  it("has no network: what listens outside is not reached", async () => {
    const server = createServer((socket) => socket.end("reached")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    const command = `exec 9<>/dev/tcp/127.0.0.1/${address.port} && cat <&9`;
    try {
      assert.doesNotMatch((await world.run(command)).output, /reached/);
      const open = await world.run(command, { sandbox: { ...noNetwork, network: "open" } });
      assert.equal(open.output, "reached");
    } finally {
      server.close();
    }
  });

  it("reaches no socket in the workspace", async () => {
    const server = createServer((socket) => socket.end("reached"));
    server.listen(join(world.root, "s.sock"));
    await once(server, "listening");
    const script = `require("net").connect("s.sock").on("data", d => console.log(String(d))).on("error", e => console.log(e.code))`;
    try {
      const { output } = await world.run(`"${process.execPath}" -e '${script}'`);
      assert.match(output, /^E\w+\n$/);
    } finally {
      server.close();
    }
  });

  /** Runs a command in a shell with these times, and stops it at its first output where that is wanted. */
  async function runWith(
    times: { graceMs?: number; drainTimeoutMs?: number },
    command: string,
    { timeoutMs = 60_000, stopsAtOutput = false } = {},
  ): Promise<ShellResult> {
    const { root, data, home } = world;
    const shell = new ProcessShell(root, { ...times, sandbox: { data, home } });
    const stopper = new AbortController();
    const onOutput = () => {
      if (stopsAtOutput) stopper.abort();
    };
    const request = { ...requestOf(command), sandbox: noNetwork, timeoutMs, onOutput };
    const result = await shell.run(request, stopper.signal);
    await result.layer?.discard();
    return result;
  }

  it("ends all of a command when the time is up, its own way of ending first", async () => {
    const before = startedBy();
    const command =
      "trap 'echo tidied; exit 5' TERM; (setsid sleep 1000 &) ; echo on; sleep 1000 & wait";
    const late = await runWith({ graceMs: 60_000 }, command, { timeoutMs: 5_000 });
    assert.deepEqual([late.endedBy, late.output], ["timeout", "on\ntidied\n"]);
    assert.deepEqual(startedBy(), before);
  });

  it("ends a command that does not want to end when somebody stops it", async () => {
    const before = startedBy();
    const command = "trap '' TERM; echo on; exec sleep 1000";
    const stopped = await runWith({ graceMs: 500 }, command, { stopsAtOutput: true });
    assert.deepEqual([stopped.endedBy, stopped.exitCode], ["stop", null]);
    assert.deepEqual(startedBy(), before);
  });

  it("hears what a command has left running", async () => {
    const command = "(sleep 0.1; echo late) & echo early";
    const { output } = await runWith({ drainTimeoutMs: 60_000 }, command);
    assert.equal(output, "early\nlate\n");
  });

  it("says whether a command that ended by itself had left processes, which were ended", async () => {
    const left = await world.run("sleep 1000 & echo on");
    assert.deepEqual([left.exitCode, left.output, left.leftRunning], [0, "on\n", true]);
    const hosts = { ...noNetwork, network: { hosts: ["example.test"] } };
    assert.equal((await world.run("sleep 1000 & echo on", { sandbox: hosts })).leftRunning, true);
    for (const sandbox of [noNetwork, hosts]) {
      assert.equal((await world.run("sleep 0.1 & wait", { sandbox })).leftRunning, undefined);
    }
  });

  it("ends what a command has left running", async () => {
    const before = startedBy();
    const { output } = await world.run("env -i sleep 1000 & echo early");
    assert.equal(output, "early\n");
    assert.deepEqual(startedBy(), before);
  });

  it("knows a folder whose name has meanings for programs that mount", async () => {
    const name = 'a,b:c\\d "e" #f\tg\nh';
    await mkdir(join(world.root, name));
    const inner = join(world.root, name);
    await writeFile(join(inner, ".env"), "hidden");
    const shell = new ProcessShell(inner, { sandbox: { data: world.data, home: world.home } });
    const profile: SandboxProfile = { ...noNetwork, masks: (path) => path === ".env" };
    const result = await shell.run(
      { ...requestOf("cat .env; echo new > new"), sandbox: profile },
      never,
    );
    assert.equal(result.output, "");
    assert.deepEqual(result.layer?.changes, [{ path: "new", kind: "file", size: 4 }]);
    assert.deepEqual(await result.layer.apply(result.layer.changes), []);
    await result.layer.discard();
    assert.equal(await readFile(join(inner, "new"), "utf8"), "new\n");
  });

  it("finds the repository of which the workspace is a folder", async () => {
    const repository = join(world.home, "repository");
    const inner = join(repository, "part");
    await mkdir(inner, { recursive: true });
    await promisify(execFile)("git", ["init", "--quiet", repository]);
    const shell = new ProcessShell(inner, { sandbox: { data: world.data, home: world.home } });
    const request = { ...requestOf("git rev-parse --show-prefix"), sandbox: noNetwork };
    const result = await shell.run(request, never);
    assert.equal(result.output, "part/\n");
    await result.layer?.discard();
  });

  it("ends with a host that is killed, and the next host removes what it has written", async () => {
    const script = fileURLToPath(new URL("sandboxHost.js", import.meta.url));
    const command = "echo new > new; echo on; trap '' TERM; sleep 1000";
    const host = spawn(process.execPath, [script, world.root, world.data, world.home, command], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(host.stdout, "data");
    assert.notEqual(startedBy(host.pid).length, 0);
    host.kill("SIGKILL");
    await once(host, "exit");
    while (startedBy(host.pid).length > 0) await turn();
    assert.equal((await readdir(join(world.data, "layers"))).length, 1);
    assert.ok((await world.shell().sandbox()).available);
    assert.deepEqual(await readdir(join(world.data, "layers")), []);
    assert.deepEqual(await readdir(world.root), []);
  });

  it("works on file systems that forbid set-user-id programs, devices and programs", async () => {
    const script = fileURLToPath(new URL("sandboxHost.js", import.meta.url));
    const mounted = `mount -t tmpfs -o nosuid,nodev,noexec none "$1" && mkdir "$1/w" "$1/d" && exec "$0" "$2" "$1/w" "$1/d" "$3" "echo new > new; cat new"`;
    const host = spawn(
      "unshare",
      [
        "--user",
        "--map-root-user",
        "--mount",
        "--",
        "/bin/sh",
        "-c",
        mounted,
        process.execPath,
        world.root,
        script,
        world.home,
      ],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    const [stdout, stderr] = await Promise.all([text(host.stdout), text(host.stderr)]);
    assert.equal(stdout, "new\n", stderr);
  });

  it("is tried out once for several processes, and again when a command could not be started", async () => {
    const tried = join(world.data, "tried.json");
    const ability = await world.shell().sandbox();
    assert.ok(ability.available);
    const kept = await readFile(tried, "utf8");
    // A later process believes what is kept: the name shows that it does.
    await writeFile(tried, kept.replace(JSON.stringify(ability.name), '"bubblewrap, as kept"'));
    assert.deepEqual(await world.shell().sandbox(), {
      available: true,
      name: "bubblewrap, as kept",
    });
    for (const other of [kept.replace(/"key":"/, '"key":"!'), "{", "{}", ""]) {
      await writeFile(tried, other);
      assert.deepEqual(await world.shell().sandbox(), ability, other);
      assert.equal(await readFile(tried, "utf8"), kept);
    }
    const shell = world.shell();
    const unmountable = {
      ...noNetwork,
      masks: (path: string): boolean => {
        if (!path.endsWith(".env")) return false;
        rmSync(join(world.root, path));
        writeFileSync(join(world.root, `${path.length}${path}`), "");
        return true;
      },
    };
    await writeFile(join(world.root, "gone.env"), "");
    await assert.rejects(shell.run({ ...requestOf("true"), sandbox: unmountable }, never));
    await assert.rejects(readFile(tried), /ENOENT/);
  });

  it("refuses to keep what commands write in the workspace itself", async () => {
    const ability = await world.shell({ data: join(world.root, "data") }).sandbox();
    assert.ok(!ability.available);
    assert.match(spoken(ability.reason), /must not be one in the other/);
  });

  it("looks again when a file that was to be hidden has gone before it could be", async () => {
    const masks = (path: string): boolean => {
      if (path.startsWith("gone.")) rmSync(join(world.root, path));
      return path.startsWith("gone.");
    };
    await writeFile(join(world.root, "gone.env"), "");
    const { output } = await world.run("echo ran", { sandbox: { ...noNetwork, masks } });
    assert.equal(output, "ran\n");
  });

  it("runs nothing when the sandbox cannot be set up", async () => {
    const shell = world.shell();
    assert.ok((await shell.sandbox()).available);
    let made = 0;
    const masks = (path: string): boolean => {
      if (!path.endsWith(".env")) return false;
      // Gone between the look and the mount, each time anew.
      rmSync(join(world.root, path));
      writeFileSync(join(world.root, `gone-${++made}.env`), "");
      return true;
    };
    await writeFile(join(world.root, "gone.env"), "");
    await assert.rejects(
      shell.run({ ...requestOf("echo ran"), sandbox: { ...noNetwork, masks } }, never),
      (error) => {
        assert.ok(error instanceof FileError);
        assert.equal(error.code, "ESANDBOX");
        assert.match(spoken(error.params["cause"] as Said), /gone-\d\.env/);
        return true;
      },
    );
    assert.deepEqual(await readdir(join(world.data, "layers")), []);
  });
});

/** Markers of the commands' processes that live. */
function startedBy(host = process.pid): string[] {
  return (processTable() ?? [])
    .flatMap(({ pid }) => markerOf(pid) ?? [])
    .filter((marker) => marker.startsWith(`${host}.`))
    .sort();
}
