import assert from "node:assert/strict";
import { modelApis } from "../../src/core/models/modelApi.js";
import { asks, calls, completes, triages } from "../fakes/navigatorWorld.js";
import { processEnvironment } from "./rooroo.js";
import { runHere } from "./runHere.js";
import { isTriage, notes, plans, plays, settled } from "./script.js";
import { closeStages, Stage } from "./stage.js";

describe("rooroo over each API of models", () => {
  afterEach(closeStages);

  for (const api of modelApis) {
    const run = (stage: Stage, ...args: string[]) =>
      stage.runAll(...args, "--api", api, "--base-url", stage.model.url);

    it(`${api}: fixes directly, with cached tokens counted`, async () => {
      const usage = { inputTokens: 6_000, outputTokens: 10, cachedTokens: 4_000 };
      const stage = await Stage.open(
        plays(
          { route: "direct", expert: "rooroo-developer", goal: "Write it" },
          {
            "rooroo-developer": (request) => ({
              ...(settled(request) === 0
                ? calls("write_to_file", { path: "a.txt", content: "a\n" })
                : completes({ message: "Written." })),
              reasoning: "Hm.",
              usage,
            }),
          },
        ),
      );
      const { code, stdout, stderr } = await run(stage, "ask", "Write a.txt");
      assert.equal(code, 0, stdout + stderr);
      assert.equal(await stage.read("a.txt"), "a\n");
      const [{ taskId } = assert.fail()] = await stage.tasks("done");
      const report = JSON.parse(await stage.read(`.rooroo/tasks/${taskId}/report.json`)) as {
        effort: { cachedTokens: number; inputTokens: number };
      };
      assert.deepEqual([report.effort.inputTokens, report.effort.cachedTokens], [12_000, 8_000]);
    });

    it(`${api}: plans and works through the plan`, async () => {
      const stage = await Stage.open(
        plays(
          { route: "plan", goal: "Build it" },
          { "rooroo-planner": plans("One", "Two"), "rooroo-developer": notes },
        ),
      );
      const { code, stdout } = await run(stage, "ask", "Build it");
      assert.equal(code, 0, stdout);
      assert.match(stdout, /One: noted[^]*Two: noted/);
    });

    it(`${api}: asks, and goes on with the answer`, async () => {
      const stage = await Stage.open(
        plays(
          { route: "direct", expert: "rooroo-developer", goal: "Write it" },
          {
            "rooroo-developer": ({ results }) =>
              results.length === 0
                ? asks("Which file?")
                : completes({ message: `It is ${results[0]?.content ?? ""}.` }),
          },
        ),
      );
      const asked = await run(stage, "ask", "Write it");
      assert.match(asked.stdout, /Which file\?/);
      const [{ taskId } = assert.fail()] = await stage.tasks("needsYou");
      const answered = await run(stage, "answer", taskId, "b.txt");
      assert.match(answered.stdout, /It is b\.txt\./);
    });

    it(`${api}: stops in the middle of an answer, and resumes`, async () => {
      let isSilent = true;
      let asked: () => void;
      const isAsked = new Promise<void>((resolve) => (asked = resolve));
      const stage = await Stage.open((request) => {
        if (isTriage(request)) {
          return triages({ route: "direct", expert: "rooroo-developer", goal: "Write it" });
        }
        if (request.results.length === 0) {
          return calls("write_to_file", { path: "a.txt", content: "a\n" });
        }
        if (!isSilent) return completes({ message: "Written." });
        asked();
        return new Promise<never>(() => undefined);
      });
      const where = ["--api", api, "--base-url", stage.model.url];
      const work = stage.start("ask", "Write it", "--approve", "all", ...where);
      await isAsked;
      work.kill("SIGINT");
      const ended = await work.ended;
      assert.equal(ended.code, 130, ended.stdout + ended.stderr);
      isSilent = false;
      const [{ taskId } = assert.fail()] = await stage.tasks("interrupted");
      const resumed = await run(stage, "resume", taskId);
      assert.match(resumed.stdout, /Written\./);
      const writes = stage.model.requests.at(-1)?.results.map(({ name }) => name);
      assert.deepEqual(writes, ["write_to_file"]);
    });

    it(`${api}: resumes after the model has failed in the middle of an answer`, async () => {
      let isBroken = true;
      const stage = await Stage.open((request) => {
        if (isTriage(request)) {
          return triages({ route: "direct", expert: "rooroo-developer", goal: "Write it" });
        }
        if (request.results.length === 0) {
          return calls("write_to_file", { path: "a.txt", content: "a\n" });
        }
        return isBroken ? { status: 400, message: "No." } : completes({ message: "Written." });
      });
      const { code } = await run(stage, "ask", "Write it");
      assert.notEqual(code, 0);
      isBroken = false;
      const [{ taskId } = assert.fail()] = await stage.tasks();
      const resumed = await run(stage, "resume", taskId);
      assert.match(resumed.stdout, /Written\./);
      const writes = stage.model.requests.at(-1)?.results.map(({ name }) => name);
      assert.deepEqual(writes, ["write_to_file"]);
    });
  }

  it("asks the server of ANTHROPIC_BASE_URL with the key of ANTHROPIC_API_KEY", async () => {
    const direct = { route: "direct", expert: "rooroo-developer", goal: "Look" } as const;
    const stage = await Stage.open(
      plays(direct, { "rooroo-developer": () => completes({ message: "Looked." }) }),
    );
    const env = processEnvironment(stage.root, {
      ROOROO_SANDBOX: "off",
      ROOROO_MODEL: "test-model",
      // As for Anthropic's own clients: without the version.
      ANTHROPIC_BASE_URL: new URL(stage.model.url).origin,
      ANTHROPIC_API_KEY: "key-a",
      OPENAI_BASE_URL: "http://127.0.0.1:1/v1",
      OPENAI_API_KEY: "key-o",
    });
    const { code, stdout, stderr } = await runHere(["ask", "Look", "--api", "messages"], {
      cwd: stage.root,
      env,
    });
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Looked\./);
    const keys = stage.model.requests.map(({ authorization }) => authorization);
    assert.deepEqual(new Set(keys), new Set(["Bearer key-a"]));
  });

  it("names in its help the variables for the address and the key of each maker", async () => {
    const { stdout } = await (await Stage.open(plays({}, {}))).run("--help");
    for (const maker of ["OPENAI", "ANTHROPIC"]) {
      assert.ok(stdout.includes(`$${maker}_BASE_URL`), "by the option");
      assert.match(stdout, new RegExp(`[( ]${maker}_BASE_URL(?:,| and) ${maker}_API_KEY`));
    }
  });
});
