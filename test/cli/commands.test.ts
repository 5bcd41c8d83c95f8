import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { plays, settled } from "./script.js";
import { closeStages, Stage } from "./stage.js";

/** Returns a stage in a repository with three commits, on which this expert runs these commands in turn. */
async function stageWith(commands: readonly string[], expert = "rooroo-developer"): Promise<Stage> {
  const decision = { route: "direct", expert, goal: "Look" };
  const stage = await Stage.open(
    plays(decision, {
      [expert]: (request) => {
        const command = commands[settled(request)];
        return command === undefined ? completes() : calls("execute_command", { command });
      },
    }),
    { "a.txt": "one\n", "package.json": "{}" },
  );
  const git = (...args: string[]) => {
    const identity = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
    execFileSync("git", [...identity, ...args], { cwd: stage.root, stdio: "ignore" });
  };
  git("init", "-q");
  for (const name of ["first", "second", "third"]) git("commit", "-q", "--allow-empty", "-m", name);
  return stage;
}

/** Returns the results that the model was given, in the order of its calls. */
function results(stage: Stage): readonly string[] {
  return stage.model.requests.at(-1)?.results.map(({ content }) => content) ?? [];
}

describe("commands under --approve safe", () => {
  afterEach(closeStages);

  it("run unasked when they only read", async () => {
    const stage = await stageWith(["git log --format=%s | head -3", "cat a.txt && ls *.json"]);
    const { code, stderr } = await stage.run("ask", "Look");
    assert.equal(code, 0, stderr);
    const [log, cat] = results(stage);
    assert.match(log ?? "", /^Exit code 0[^]*\nthird\nsecond\nfirst$/);
    assert.match(cat ?? "", /\none\npackage\.json$/);
  });

  it("wait for approval when they would write, whatever they look like", async () => {
    for (const command of ["git show > ~/.ssh/x", "git log --output=x", 'git log --out"put"=x']) {
      const stage = await stageWith([command]);
      const { code, stdout } = await stage.run("ask", "Look");
      assert.equal(code, 2, command);
      assert.match(stdout, /Awaiting approval: Run git/);
      assert.deepEqual(
        (await stage.list("")).filter((name) => name === "x"),
        [],
      );
    }
  });

  it("follow the rules that were given: what is denied never runs", async () => {
    const stage = await stageWith(["touch made", "git log -1 --format=%s", "touch b && git gc"]);
    const rules = [
      "--allow-command",
      "touch",
      "--deny-command",
      "git log",
      "--deny-command",
      "git gc",
    ];
    const { code } = await stage.run("ask", "Look", ...rules);
    assert.equal(code, 0);
    assert.deepEqual(
      (await stage.list("")).filter((name) => /^(made|b)$/.test(name)),
      ["made"],
    );
    const [made, log, both] = results(stage);
    assert.match(made ?? "", /^Exit code 0/);
    assert.match(log ?? "", /settings do not let you do this: Your settings deny “git log”/);
    assert.match(both ?? "", /deny “git gc”/);
    const all = await stageWith(["sh -c 'git log'"]);
    await all.runAll("ask", "Look", ...rules);
    assert.match(results(all)[0] ?? "", /deny “git log”/);
    assert.equal((await all.run("ask", "Look", "--deny-command", "a | b")).code, 64);
  });

  it("are asked about when an analyzer's do more than read, even under --approve all", async () => {
    const stage = await stageWith(["git log --format=%s -1", "touch x"], "rooroo-analyzer");
    await stage.runAll("ask", "Look");
    const [log, touched] = results(stage);
    assert.match(log ?? "", /\nthird$/);
    assert.match(touched ?? "", /rooroo-analyzer may write only files below/);
    const node = await stageWith(["node --eval 1"], "rooroo-analyzer");
    const { code, stdout } = await node.runAll("ask", "Look");
    assert.equal(code, 2);
    assert.match(stdout, /Awaiting approval: Run node/);
  });
});

describe("rooroo explain", () => {
  afterEach(closeStages);

  it("says of each program in a line why it is asked about, and runs nothing", async () => {
    const stage = await stageWith([]);
    const explain = async (...args: string[]) => (await stage.run("explain", ...args)).stdout;
    assert.match(
      await explain("git log | head"),
      /^Under “safe” it runs without asking: [^]*reads {4}git log\n[^]*reads {4}head\n/,
    );
    assert.match(
      await explain("cd . && npm test > .vscode/x"),
      /^Under “safe” it requires approval: It writes \.vscode\/x[^]*asks {5}npm test\n[^]*runs {5}package\.json/,
    );
    assert.match(await explain("rm x", "--deny-command", "rm"), /it never runs: /);
    const { decision, commands, writes } = await stage.json(
      "explain",
      "touch x",
      "--approve",
      "all",
    );
    assert.equal((decision as { type: string }).type, "allow");
    assert.deepEqual(
      (commands as { words: string[] }[]).map(({ words }) => words),
      [["touch", "x"]],
    );
    assert.deepEqual(writes, ["x"]);
    assert.deepEqual(
      (await stage.list("")).filter((name) => name === "x"),
      [],
    );
  });
});

describe("commands that run in the tests' process", () => {
  afterEach(closeStages);

  it("do the same in a process of their own: output, errors, exit code, language", async () => {
    const stage = await Stage.open(
      plays({ route: "acknowledge" }, {}),
      {},
      { LANG: "de_DE.UTF-8" },
    );
    for (const args of [
      ["status", "--json"],
      ["ask", "thanks"],
      ["nonsense"],
      ["resume", "nothing", "--json"],
      ["plan", "--help"],
      ["ask", "thanks", "--model", ""],
    ]) {
      const here = await stage.run(...args);
      assert.deepEqual(await stage.runProcess(...args), here, args.join(" "));
    }
  });
});
