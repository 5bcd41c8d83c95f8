import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GitProcess } from "../../src/node/git/gitProcess.js";
import {
  asArguments,
  type GitSetting,
  networkOff,
  offline,
  programsOff,
} from "../../src/node/git/programsOff.js";
import { TeamRepository } from "../../src/node/git/teamRepository.js";
import { findProgram } from "../../src/node/processes/findProgram.js";
import { commandEnvironment } from "../../src/node/shell/commandEnvironment.js";
import { temporaryFolder } from "./temporaryFolder.js";

/** How a repository has git run a program by a key, and what git is asked for then. */
interface Row {
  readonly plant: () => Promise<void> | void;
  readonly args: readonly string[];
  readonly input?: string;
  /** A program that git itself starts where the key counts, by the words that it begins with. Absent: the planted one. */
  readonly starts?: readonly string[];
  /** Whether git succeeds where the key does not count. */
  readonly succeeds?: true;
  /** Whether all that tells is that it succeeds: another switch has the planted program not run. */
  readonly onlySucceeds?: true;
}

interface Started {
  readonly code: number | null;
  /** What git has started, as words. */
  readonly programs: readonly (readonly string[])[];
}

if (findProgram(["git"], "/nowhere") !== undefined && process.platform !== "win32") {
  describe("switches of programs that a repository names", () => {
    const folder = temporaryFolder();
    const path = (name: string) => join(folder.path, name);
    const witness = () => path("ran");
    const plain = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };
    let root = "";
    let run = "";

    const git = (...args: string[]) =>
      execFileSync("git", args, {
        cwd: root,
        encoding: "utf8",
        stdio: "pipe",
        env: { ...process.env, ...plain },
      }).trim();
    const config = (key: string, value: string) => git("config", key, value);

    async function program(name: string): Promise<string> {
      await writeFile(path(name), `#!/bin/sh\necho "$0" >> '${witness()}'\nexit 1\n`);
      await chmod(path(name), 0o755);
      return path(name);
    }

    async function repository(name: string): Promise<void> {
      root = path(name);
      await mkdir(root);
      git("init", "--quiet", "--initial-branch=main", "--template=");
      config("user.name", "Ada");
      config("user.email", "ada@example.test");
      await writeFile(join(root, "a.txt"), "one\n");
      git("add", ".");
      git("commit", "--quiet", "-m", "First");
    }

    beforeEach(async () => {
      await repository("work");
      run = await program("p.sh");
    });

    /** Puts a commit in place of the last one that has a signature, which nobody has made. */
    function sign(begin: string, end: string): void {
      const [head = "", ...message] = git("cat-file", "commit", "HEAD").split("\n\n");
      const lines = [begin, " ", " AAAA", ` ${end}`].join("\n");
      const object = `${head}\ngpgsig ${lines}\n\n${message.join("\n\n")}\n`;
      const made = spawnSync("git", ["hash-object", "-t", "commit", "-w", "--stdin"], {
        cwd: root,
        input: object,
        encoding: "utf8",
      });
      git("update-ref", "refs/heads/main", made.stdout.trim());
    }
    const pgp = () => {
      sign("-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----");
    };

    /** Gives the repository one inside, which names programs in its own configuration. */
    async function withSubmodule(): Promise<void> {
      const outer = root;
      await repository("inner");
      root = outer;
      const file = ["-c", "protocol.file.allow=always"];
      git(...file, "submodule", "--quiet", "add", "--name", "sub", path("inner"), "sub");
      git("commit", "--quiet", "-m", "Sub");
      root = join(outer, "sub");
      config("user.name", "Ada");
      config("user.email", "ada@example.test");
      await writeFile(join(root, "a.txt"), "later\n");
      git("commit", "--quiet", "-am", "Later");
      for (const key of ["core.fsmonitor", "diff.external", "remote.origin.uploadpack"]) {
        config(key, run);
      }
      root = outer;
    }

    const bare = (name: string): string => {
      git("init", "--quiet", "--bare", "--template=", path(name));
      git("push", "--quiet", path(name), "main");
      return path(name);
    };

    const rows: Readonly<Record<string, Row>> = {
      "core.hooksPath": {
        plant: async () => {
          await mkdir(path("hooks"));
          await program("hooks/reference-transaction");
          config("core.hooksPath", path("hooks"));
        },
        args: ["update-ref", "refs/x/y", "HEAD"],
        succeeds: true,
      },
      "core.fsmonitor": {
        plant: () => void config("core.fsmonitor", run),
        args: ["status"],
        succeeds: true,
      },
      "core.alternateRefsCommand": {
        plant: async () => {
          const other = bare("other.git");
          await mkdir(join(root, ".git/objects/info"), { recursive: true });
          await writeFile(join(root, ".git/objects/info/alternates"), `${other}/objects\n`);
          config("core.alternateRefsCommand", run);
        },
        args: ["rev-list", "--alternate-refs", "HEAD"],
      },
      "commit.gpgSign": {
        plant: () => {
          config("commit.gpgSign", "true");
          config("gpg.program", run);
        },
        args: ["commit", "--quiet", "--allow-empty", "-m", "x"],
        onlySucceeds: true,
      },
      "tag.gpgSign": {
        plant: () => {
          config("tag.gpgSign", "true");
          config("gpg.program", run);
        },
        args: ["tag", "-m", "x", "v1"],
        onlySucceeds: true,
      },
      "push.gpgSign": {
        plant: () => {
          const remote = bare("other.git");
          execFileSync("git", ["--git-dir", remote, "config", "receive.certNonceSeed", "x"]);
          config("push.gpgSign", "if-asked");
          config("gpg.program", run);
        },
        args: ["push", "--quiet", "../other.git", "main:refs/heads/y"],
        onlySucceeds: true,
      },
      "log.showSignature": {
        plant: () => {
          pgp();
          config("log.showSignature", "true");
          config("gpg.program", run);
        },
        args: ["log", "-1"],
        starts: ["false"],
      },
      // The two names mean the same to git.
      "gpg.program, gpg.openpgp.program": {
        plant: () => {
          pgp();
          config("gpg.program", run);
          config("gpg.openpgp.program", run);
        },
        args: ["verify-commit", "HEAD"],
      },
      "gpg.x509.program": {
        plant: () => {
          sign("-----BEGIN SIGNED MESSAGE-----", "-----END SIGNED MESSAGE-----");
          config("gpg.x509.program", run);
        },
        args: ["verify-commit", "HEAD"],
      },
      "gpg.ssh.program": {
        plant: async () => {
          sign("-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----");
          await writeFile(path("signers"), "");
          config("gpg.ssh.allowedSignersFile", path("signers"));
          config("gpg.ssh.program", run);
        },
        args: ["verify-commit", "HEAD"],
      },
      "gc.auto": {
        plant: async () => {
          config("gc.auto", "1");
          config("gc.autoDetach", "false");
          config("gc.autoPackLimit", "1");
          git("repack", "-d", "--quiet");
          await writeFile(join(root, "a.txt"), "two\n");
          git("commit", "--quiet", "-am", "Second");
          git("repack", "-d", "--quiet");
        },
        args: ["gc", "--auto"],
        starts: ["git", "repack"],
      },
      "maintenance.auto": {
        plant: () => void config("maintenance.auto", "true"),
        args: ["commit", "--quiet", "--allow-empty", "-m", "x"],
        starts: ["git", "maintenance"],
      },
      "submodule.recurse": {
        plant: async () => {
          await withSubmodule();
          config("submodule.recurse", "true");
          git("remote", "add", "origin", bare("other.git"));
        },
        args: ["fetch", "--quiet", "origin"],
        succeeds: true,
      },
      "diff.submodule": {
        plant: async () => {
          await withSubmodule();
          config("diff.submodule", "diff");
        },
        args: ["diff", "--ignore-submodules=dirty"],
        succeeds: true,
      },
      "status.submoduleSummary": {
        plant: async () => {
          await withSubmodule();
          config("status.submoduleSummary", "true");
        },
        args: ["status", "--ignore-submodules=dirty"],
        starts: ["git", "submodule"],
      },
      "core.sshCommand": {
        plant: () => void config("core.sshCommand", run),
        args: ["ls-remote", "ssh://host.example.test/x"],
      },
      "credential.helper": {
        plant: () => {
          config("credential.helper", `!${run}`);
          config("credential.https://host.example.test.helper", `!${run}`);
        },
        args: ["credential", "fill"],
        input: "protocol=https\nhost=host.example.test\n\n",
      },
      // Those below are switched off by variables.
      GIT_ALLOW_PROTOCOL: {
        plant: () => {
          config("protocol.ext.allow", "always");
          config("remote.origin.url", `ext::${run}`);
        },
        args: ["ls-remote", "origin"],
      },
      GIT_PROXY_COMMAND: {
        plant: () => void config("core.gitProxy", run),
        args: ["ls-remote", "git://127.0.0.1:1/x"],
      },
      GIT_ASKPASS: {
        plant: () => void config("core.askPass", run),
        args: ["credential", "fill"],
        input: "protocol=https\nhost=host.example.test\n\n",
      },
      GIT_EDITOR: {
        plant: () => void config("core.editor", run),
        args: ["commit", "--quiet", "--allow-empty"],
      },
      GIT_SEQUENCE_EDITOR: {
        plant: () => void config("sequence.editor", run),
        args: ["rebase", "--interactive", "--root"],
      },
    };

    /** Runs git as it runs by itself, with variables and settings given; returns its code, and the programs that it starts. */
    async function started(
      { args, input = "" }: Row,
      settings: readonly GitSetting[],
      env: NodeJS.ProcessEnv,
    ): Promise<Started> {
      const trace = path("trace");
      await rm(trace, { force: true });
      const { status } = spawnSync("git", [...asArguments(settings), ...args], {
        cwd: root,
        input,
        env: {
          PATH: process.env["PATH"],
          ...plain,
          GIT_TERMINAL_PROMPT: "0",
          ...env,
          GIT_TRACE2_EVENT: trace,
        },
      });
      const events = (await readFile(trace, "utf8")).trim().split("\n");
      const programs = events.flatMap((line) => {
        const event = JSON.parse(line) as { event: string; argv?: string[] };
        return event.event === "child_start" ? [event.argv ?? []] : [];
      });
      return { code: status, programs };
    }

    /** Takes what cannot be done twice back. */
    async function anew(): Promise<void> {
      await rm(witness(), { force: true });
      git("-c", "core.hooksPath=/dev/null", "update-ref", "-d", "refs/x/y");
    }

    for (const [key, row] of Object.entries(rows)) {
      it(`keep git from running what ${key} stands for`, async () => {
        await row.plant();
        await rm(witness(), { force: true });
        const isOf = (name: string) => key.split(", ").includes(name);
        const all = [...programsOff, ...networkOff];
        const reached = isOf("GIT_ALLOW_PROTOCOL") ? {} : { GIT_ALLOW_PROTOCOL: "file:ssh:git" };
        const { starts, onlySucceeds = false, succeeds = onlySucceeds } = row;
        const hasStarted = ({ programs }: Started) =>
          starts === undefined
            ? existsSync(witness())
            : programs.some((argv) => starts.every((word, at) => argv[at] === word));

        const isHeld = async () => {
          // With this one alone, unless what tells of it is what another one starts.
          const variables = Object.entries({
            ...commandEnvironment({}, { workspace: root }),
            ...offline,
          });
          const closed = await started(
            row,
            onlySucceeds || starts !== undefined ? all : all.filter(([name]) => isOf(name)),
            {
              ...reached,
              ...Object.fromEntries(variables.filter(([name]) => isOf(name))),
            },
          );
          assert.equal(hasStarted(closed), false, "git runs it in spite of the switch");
          if (succeeds) assert.equal(closed.code, 0);
        };
        const isRun = async () => {
          // With all switches but this one: the others do not stand in for it.
          const others = all.filter(([name]) => !isOf(name));
          const open = await started(row, others, reached);
          if (onlySucceeds) assert.notEqual(open.code, 0);
          else assert.equal(hasStarted(open), true, "git runs it without the switch");
        };
        // Each comes first where the other leaves git nothing to do.
        for (const look of onlySucceeds ? [isRun, isHeld] : [isHeld, isRun]) {
          await look();
          await anew();
        }
        // So do all that code of ours runs git with.
        await new GitProcess(root).try(row.args, { input: row.input ?? "" });
        assert.equal(existsSync(witness()), false);
      });
    }

    it("are all in the table, so that none can go unseen", () => {
      const tried = Object.keys(rows).flatMap((key) => key.split(", "));
      for (const [key] of [...programsOff, ...networkOff]) assert.ok(tried.includes(key), key);
      for (const name of Object.keys(offline)) {
        // Git before 2.44 does not know the variable for lazy fetches; the protocols hold there.
        assert.ok(tried.includes(name) || name === "GIT_NO_LAZY_FETCH", name);
      }
    });

    it("hold for what is sent to other machines: the programs that a remote names do not run", async () => {
      const remote = bare("other.git");
      git("remote", "add", "origin", remote);
      for (const key of ["uploadpack", "receivepack"]) config(`remote.origin.${key}`, run);
      const head = git("rev-parse", "HEAD");
      assert.throws(() => git("fetch", "--quiet", "origin", "main"));
      assert.equal(existsSync(witness()), true, "a person's own git runs it");
      await rm(witness());
      const repository = new TeamRepository(join(root, ".git"), "origin");
      await repository.push(head, "refs/rooroo/x");
      const other = await TeamRepository.cache(path("cache.git"), remote);
      await other.fetch(head, ["refs/rooroo/x"]);
      await repository.deleteRefs(["refs/rooroo/x"], (ref) => ref === "refs/rooroo/x");
      assert.equal(existsSync(witness()), false);
      assert.throws(() => git("ls-remote", "--exit-code", remote, "refs/rooroo/x"));
    });
  });
}
