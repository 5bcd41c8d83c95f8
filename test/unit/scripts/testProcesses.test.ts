import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const scripts = join(import.meta.dirname, "../../../../scripts/test");
const { killTable } = (await import(pathToFileURL(join(scripts, "killTable.mjs")).href)) as {
  killTable: (all: readonly object[]) => string;
};

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  readonly flaky: number;
  readonly kills?: readonly object[];
}

describe("a process of the test run", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), "test-processes-")));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Runs test files as `npm test` does. */
  async function run(
    files: Record<string, string>,
    { only = "", silentMs = 1_800_000 } = {},
  ): Promise<{ counts: Counts; out: string }> {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const program = `
      import { runCounted } from ${JSON.stringify(join(scripts, "runCounted.mjs"))};
      const counts = await runCounted({
        suite: "fixtures",
        files: ${JSON.stringify(Object.keys(files).map((name) => join(folder, name)))},
        args: (files) => [${JSON.stringify(join(scripts, "mochaChild.mjs"))}, "1000", ...files],
        silentMs: ${silentMs},
      });
      console.log("COUNTS" + JSON.stringify(counts));
      process.exit();`;
    const env: NodeJS.ProcessEnv = { ...process.env, FOLDER: folder };
    delete env["ROOROO_TEST_ONLY"];
    if (only !== "") env["ROOROO_TEST_ONLY"] = only;
    const args = ["--input-type=module", "--eval", program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env, cwd: folder });
    const [out = "", counts = ""] = stdout.split("COUNTS");
    return { counts: JSON.parse(counts) as Counts, out };
  }

  const passing = `describe("the other file", () => { it("runs", () => {}); });`;

  it("counts a test as failed that lets a rejection go, and shows it with the test's title", async () => {
    const { counts, out } = await run({
      "a.mjs": `describe("rejections", () => {
        it("is quiet", () => {});
        it("of an error", () => { void Promise.reject(new Error("gone")); });
        it("of a text", async () => { void Promise.reject("only words"); await new Promise(setImmediate); });
        it("and fails", () => { void Promise.reject(new Error("two")); throw new Error("one"); });
      });`,
    });
    assert.deepEqual(counts, { passed: 1, failed: 3, notRun: 0, flaky: 0 });
    assert.match(
      out,
      /FAIL rejections of an error\n.*rejected.*\n\s+Error: gone\n\s+at .*a\.mjs:3/,
    );
    assert.match(out, /FAIL rejections of a text\n.*rejected.*\n\s+only words/);
    assert.match(
      out,
      /FAIL rejections and fails\n\s+Error: one[^]*FAIL rejections and fails\n.*rejected/,
    );
  });

  it("fails a test whose scripted model, command or server asserts in vain", async () => {
    const fakes = (name: string): string =>
      JSON.stringify(pathToFileURL(join(scripts, "../../out/test/fakes", name)).href);
    const { counts, out } = await run({
      "a.mjs": `
        import assert from "node:assert/strict";
        import { HttpModel } from ${fakes("httpModel.js")};
        import { ScriptedModel } from ${fakes("scriptedModel.js")};
        import { ScriptedShell } from ${fakes("scriptedShell.js")};
        const { signal } = new AbortController();
        const deny = () => assert.fail("not so");
        describe("an assertion in the script", () => {
          it("of a model", async () => {
            const request = { messages: [] };
            await new ScriptedModel(deny).respond(request, signal).next().catch(() => undefined);
          });
          it("of a command", async () => {
            await new ScriptedShell({ ls: deny }).run({ command: "ls" }, signal).catch(() => undefined);
          });
          it("of a server", async () => {
            const server = await HttpModel.start(deny);
            const body = JSON.stringify({ model: "m", messages: [] });
            await fetch(server.url + "/chat/completions", { method: "POST", body }).catch(() => undefined);
            await server.stop();
          });
          it("of an error of the server's own", async () => {
            const broken = new ScriptedModel(() => { throw new Error("overloaded"); });
            await broken.respond({ messages: [] }, signal).next().catch(() => undefined);
          });
        });`,
    });
    assert.deepEqual(counts, { passed: 1, failed: 3, notRun: 0, flaky: 0 });
    assert.match(out, /FAIL an assertion in the script of a server\n.*rejected.*\n.*not so/);
  });

  it("counts a rejection after its last test, once", async () => {
    const { counts, out } = await run({
      "a.mjs": `it("says goodbye", () => {
        setTimeout(() => { void Promise.reject(new Error("late")); void Promise.reject(new Error("later")); }, 100);
      });`,
    });
    assert.deepEqual(counts, { passed: 0, failed: 1, notRun: 0, flaky: 0 });
    assert.match(out, /FAIL says goodbye\n.*rejected.*\n\s+Error: late\n[^]*Error: later\n/);
  });

  it("sums up the kills that its tests tell of, those of a second run not among them", async () => {
    const { counts } = await run({
      "a.mjs": `import { appendFileSync } from "node:fs";
        describe("kills", () => {
          it("are told", () => {
            const killed = { of: "plan", kills: 2, lost: 1, twice: 0, locked: 0 };
            appendFileSync(process.env.ROOROO_TEST_RESULT, JSON.stringify({ killed }) + "\\n");
            throw new Error("lost");
          });
        });`,
    });
    const kills = { of: "plan", kills: 2, lost: 1, twice: 0, locked: 0 };
    assert.deepEqual(counts.kills, [kills]);
    const more = { ...kills, kills: 3, lost: 0 };
    const other = { of: "job", kills: 20, lost: 0, twice: 0, locked: 1 };
    assert.equal(
      killTable([kills, other, more]),
      `killed      times       lost        twice       left locked
plan        5           1           0           0
job         20          0           0           1
all         25          1           0           1`,
    );
  });

  it("names a test as flaky that passes when its group is run alone, and has failed all the same", async () => {
    const { counts, out } = await run({
      "a.mjs": `
        import { existsSync, writeFileSync } from "node:fs";
        const before = process.env.FOLDER + "/was-here";
        const isSecond = existsSync(before);
        writeFileSync(before, "");
        describe("a group", () => {
          let first = false;
          it("makes the ground", () => { first = true; });
          it("fails by chance", () => { if (!first || !isSecond) throw new Error("chance"); });
          it("fails always", () => { throw new Error("always"); });
        });
        describe("another group", () => { it("is not run again", () => { console.log("OTHER"); }); });`,
    });
    assert.deepEqual(counts, { passed: 2, failed: 2, notRun: 0, flaky: 1 });
    assert.deepEqual(out.match(/FLAKY.*/g), ["FLAKY a group fails by chance: it passes alone"]);
    assert.equal(out.match(/OTHER/g)?.length, 1);
    const [first = "", second = ""] = out.split("SECOND RUN of what has failed, alone: a group");
    assert.deepEqual(first.match(/FAIL.*/g), [
      "FAIL a group fails by chance",
      "FAIL a group fails always",
    ]);
    assert.deepEqual(second.match(/FAIL.*/g), ["FAIL AGAIN a group fails always"]);
  });

  it("does not call flaky what its second run has not run", async () => {
    const { counts, out } = await run({
      "a.mjs": `if (process.env.ROOROO_TEST_ALONE === undefined)
        describe("there once", () => { it("fails", () => { throw new Error("once"); }); });`,
    });
    assert.deepEqual(counts, { passed: 0, failed: 1, notRun: 0, flaky: 0 });
    assert.ok(!out.includes("FLAKY"), out);
  });

  it("counts tests behind a hook that fails as not run", async () => {
    const { counts } = await run({
      "a.mjs": `describe("behind", () => {
        before(() => { throw new Error("hook"); });
        it("one", () => {});
        it("two", () => {});
      });
      ${passing}`,
    });
    assert.deepEqual(counts, { passed: 1, failed: 1, notRun: 2, flaky: 0 });
  });

  it("names a file that cannot be loaded, has .only or leaves a test out, and runs the others", async () => {
    const { counts, out } = await run({
      "broken.mjs": `describe("broken", () => {`,
      "only.mjs": `describe("only", () => { it.only("one", () => {}); });`,
      "group.mjs": `describe.skip("left out", () => { it("one", () => {}); });`,
      "test.mjs": `describe("a test", () => { it.skip("is left out", () => {}); });`,
      "here.mjs": `describe("a test", () => { it("leaves itself out", function () { this.skip(); }); });`,
      "other.mjs": passing,
    });
    assert.equal(counts.failed, 5);
    const [first = ""] = out.split("SECOND RUN");
    assert.deepEqual(first.replaceAll(/\S+\//g, "").match(/FAIL.*/g), [
      "FAIL broken.mjs cannot be loaded",
      "FAIL only.mjs cannot be loaded",
      "FAIL group.mjs cannot be loaded",
      "FAIL a test is left out",
      "FAIL a test leaves itself out",
    ]);
    assert.match(out, /only.mjs cannot.*\n.*`\.only` forbidden/);
    // The test that was marked, and the other file's.
    assert.equal(counts.passed, 2);
  });

  it("names a file with a hook outside of its groups, and keeps the hook from others' tests", async () => {
    const hooks = ["before", "beforeEach", "afterEach", "after"];
    const files = hooks.map((hook) => [
      `${hook}.mjs`,
      `${hook}(() => { console.log("DISTURBED"); }); ${passing}`,
    ]);
    const { counts, out } = await run(Object.fromEntries(files) as Record<string, string>);
    assert.deepEqual(counts, { passed: 4, failed: 4, notRun: 0, flaky: 0 });
    const [first = ""] = out.split("SECOND RUN");
    assert.deepEqual(
      first.replaceAll(/\S+\//g, "").match(/FAIL.*/g),
      hooks.map((hook) => `FAIL ${hook}.mjs cannot be loaded`),
    );
    assert.match(first, /after\.mjs cannot.*\n.*outside of every `describe`.*"after all" hook/);
    assert.ok(!out.includes("DISTURBED"), out);
  });

  it('runs hooks inside groups, and after all groups an "after" for all files', async () => {
    const { counts, out } = await run({
      "a.mjs": `after("for all files: end what they share", () => { console.log("SAID end"); });
        describe("a group", () => {
          before(() => { console.log("SAID before"); });
          it("runs", () => { console.log("SAID test"); });
        });`,
      "b.mjs": `describe("the other", () => { it("runs", () => { console.log("SAID other"); }); });`,
    });
    assert.deepEqual(counts, { passed: 2, failed: 0, notRun: 0, flaky: 0 });
    assert.deepEqual(out.match(/SAID .*/g), ["SAID before", "SAID test", "SAID other", "SAID end"]);
  });

  it("that dies is named with its files, its signal and the test that ran", async () => {
    const { counts, out } = await run({
      "a.mjs": `describe("deadly", () => {
        beforeEach(() => {});
        it("lives", () => {});
        it("dies", () => { process.kill(process.pid, "SIGKILL"); });
        it("is behind", () => {});
      });`,
      "b.mjs": passing,
    });
    assert.deepEqual(counts, { passed: 1, failed: 1, notRun: 3, flaky: 0 });
    assert.match(
      out,
      /FAIL the process of fixtures \(a\.mjs, b\.mjs\): it ended \(SIGKILL\).*: deadly dies\n/,
    );
  });

  it("that gives no sign any more is ended and named", async () => {
    const { counts, out } = await run(
      { "a.mjs": `describe("a loop", () => { it("has no end", () => { for (;;); }); });` },
      { silentMs: 2000 },
    );
    assert.equal(counts.failed, 1);
    assert.match(out, /FAIL the process of fixtures \(a\.mjs\): it gave no sign/);
  });

  it("without a test has failed, unless only some tests were asked for", async () => {
    const files = { "a.mjs": "export {};" };
    assert.equal((await run(files)).counts.failed, 1);
    assert.equal((await run(files, { only: "another" })).counts.failed, 0);
  });

  it("runs the tests whose full titles contain what was asked for", async () => {
    const files = {
      "a.mjs": `describe("a group", () => { it("one", () => {}); it("two", () => { throw 1; }); });`,
      "b.mjs": passing,
    };
    const { counts } = await run(files, { only: "group one" });
    assert.deepEqual(counts, { passed: 1, failed: 0, notRun: 0, flaky: 0 });
  });
});
