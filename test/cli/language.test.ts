import assert from "node:assert/strict";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const direct = { route: "direct", expert: "rooroo-developer", goal: "Write it" };

describe("rooroo in the language of LANG", () => {
  afterEach(closeStages);

  const opened = (LANG: string) =>
    Stage.open(
      plays(direct, {
        "rooroo-developer": ({ results }) =>
          results.length === 0
            ? calls("write_to_file", { path: "a.txt", content: "a\n" })
            : completes({ message: "It is written." }),
      }),
      {},
      { LANG },
    );

  it("helps, shows its work and says what is wrong in German", async () => {
    const stage = await opened("de_AT.UTF-8");
    const help = await stage.run("--help");
    assert.match(help.stdout, /^Verwendung: rooroo/);
    assert.match(help.stdout, /die Aufgaben der Warteschlange ausführen/);
    assert.doesNotMatch(help.stdout, /Usage:|Options:|default:|choices:|Exit codes/);

    const wrong = await stage.run("ask", "--bogus");
    assert.match(wrong.stderr, /^Fehler: unbekannte Option '--bogus'/);
    const missing = await stage.run("resume", "XXXX");
    assert.match(missing.stderr, /Hier gibt es keine Aufgabe XXXX\./);

    const waiting = await stage.run("ask", "Write a.txt");
    assert.match(waiting.stdout, /Die Aufgabe wartet auf eine Genehmigung/);
    const done = await stage.runAll("resume", (await stage.tasks())[0]?.taskId ?? "");
    assert.match(done.stdout, /✓ Schreiben a\.txt/);
    assert.match(done.stdout, /✓ Erledigt[^]*It is written\.[^]*Modellaufruf/);
  });

  it("says in German what each command is for that it offers", async () => {
    const stage = await Stage.open(plays({ route: "none" }, {}), {}, { LANG: "de_DE.UTF-8" });
    const { stdout, stderr } = await stage.run("ask", "Write a.txt");
    assert.match(stdout + stderr, /→ rooroo ask [^\n]*'Write a\.txt' +# Erneut versuchen\n/);
  });

  it("speaks Spanish, Japanese and Chinese as well", async () => {
    for (const [LANG, usage] of [
      ["es_MX.UTF-8", "Uso:"],
      ["ja_JP.UTF-8", "使い方:"],
      ["zh_CN.UTF-8", "用法:"],
    ] as const) {
      const { stdout } = await (await opened(LANG)).run("--help");
      assert.ok(stdout.startsWith(usage), stdout.slice(0, 80));
    }
  });

  it("prints the same JSON, and keeps the same files, in every language", async () => {
    const stage = await opened("de_DE.UTF-8");
    const { stdout } = await stage.runAll("ask", "Write a.txt", "--json");
    assert.doesNotMatch(stdout, /Erledigt|Schreiben|Aufgabe/);
    assert.doesNotMatch(await stage.conversations(), /Erledigt|Schreiben|Aufgabe/);
    const wrong = await stage.run("resume", "XXXX", "--json");
    assert.match(wrong.stderr, /"There is no task XXXX here\./);
  });

  it("stays English where nothing is translated", async () => {
    const { stdout } = await (await opened("fr_FR.UTF-8")).run("--help");
    assert.match(stdout, /^Usage: rooroo/);
  });
});

describe("the help of rooroo", () => {
  afterEach(closeStages);

  it("is short without arguments, whole by name, and of one command or group where it is named", async () => {
    const stage = await Stage.open(plays(direct, {}));
    const short = await stage.run();
    assert.equal(short.code, 64);
    assert.match(short.stderr, /^State a goal[^]*\n {2}rooroo ask {6}[^]*rooroo help\n$/);
    assert.ok(short.stderr.split("\n").length < 20);
    const whole = await stage.run("help");
    assert.equal(whole.code, 0);
    assert.match(
      whole.stdout,
      /^Usage: rooroo \[options\][^]*What --approve allows without asking:/,
    );
    assert.match((await stage.run("help", "job", "run")).stdout, /^Usage: rooroo job run /);
    const group = await stage.run("job");
    assert.match(group.stderr, /^Usage: rooroo job[^]*\n {2}stop <name>/);
    assert.doesNotMatch(group.stderr, /--workspace/);
  });
});
