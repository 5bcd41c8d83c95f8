import assert from "node:assert/strict";
import { type CountingServer, countingServers } from "../fakes/countingServers.js";
import type { HttpScript } from "../fakes/httpModel.js";
import { calls, completes } from "../fakes/navigatorWorld.js";
import { notes, plans, plays } from "./script.js";
import { closeStages, Stage } from "./stage.js";

const direct = { route: "direct", expert: "rooroo-developer", goal: "Read it all" };
const names = Array.from({ length: 12 }, (_, index) => `big${index}.txt`);
const files = Object.fromEntries(names.map((name) => [name, `${name} has words. `.repeat(480)]));

/** The tokens of a usual tokenizer that a window has: instructions and tools, and about five of the files. */
const usualWindow = 21_000;

/** Answers requests for a summary, too, which have no tools. */
const summarises =
  (script: HttpScript): HttpScript =>
  (request, index) =>
    request.tools.length === 0 ? { text: "Read some of the files." } : script(request, index);

async function open(server: CountingServer, script: HttpScript, texts = {}, env = {}) {
  const stage = await Stage.open(summarises(script), texts, env);
  const { tokens = 1 } = server;
  stage.model.counting = { server, window: Math.ceil(usualWindow * tokens) };
  stage.model.thinking = server.thinking?.();
  return stage;
}

const words = ["one", "two", "three", "four", "five"];
const jobPlays: HttpScript = ({ messages, results }) => {
  if (messages[0]?.content?.includes("PLANNER") === true) {
    const items = words.map((word, index) => ({ text: `${index + 1}. ${word}` }));
    const changes = [{ action: "add", items }];
    return calls("attempt_completion", { title: "Trip", summary: "Planned.", changes });
  }
  const name = /objective: Task \d+\. (\w+)/.exec(messages[1]?.content ?? "")?.[1] ?? "";
  return results.length === 0
    ? calls("write_to_file", { path: `${name}.txt`, content: `${name}\n` })
    : calls("attempt_completion", { result: "Succeeded", summary: `Wrote ${name}.` });
};

describe("rooroo with servers that refuse, cut and count as real ones do", () => {
  afterEach(closeStages);

  for (const [name, server] of countingServers) {
    it(`${name}: a long task is compacted in time, and resumed`, async () => {
      let reads = 0;
      let isRefused = false;
      const stage = await open(
        server,
        plays(direct, {
          "rooroo-developer": () => {
            if (reads === 9 && !isRefused) {
              isRefused = true;
              return { status: 401, message: "No such key." };
            }
            const path = names[reads++];
            return path === undefined
              ? completes({ message: "Read it all." })
              : calls("read_file", { path });
          },
        }),
        files,
        // A server that cuts says nothing of its window.
        server.refusal === undefined ? { ROOROO_CONTEXT_TOKENS: String(usualWindow) } : {},
      );
      const asked = await stage.run("ask", "Read it all");
      const [, taskId = ""] = /→ rooroo resume (\S+)/.exec(asked.stdout + asked.stderr) ?? [];
      assert.notEqual(taskId, "", asked.stdout + asked.stderr);
      const resumed = await stage.run("resume", taskId);
      assert.equal(resumed.code, 0, resumed.stdout + resumed.stderr);
      const { model } = stage;
      const summaries = model.requests.filter(({ tools }) => tools.length === 0);
      assert.ok(summaries.length > 0, "nothing was summarised");
      assert.ok(model.lengths.longest <= model.counting!.window, JSON.stringify(model.lengths));
      // Where the window is learnt from a refusal, the next time is seen coming.
      assert.ok(model.lengths.refused <= 2, JSON.stringify(model.lengths));
      const said = await stage.conversations();
      assert.equal(said.includes("That cannot be"), server.isOdd === true);
    });

    it(`${name}: a plan, and a job of five tasks, are worked through`, async () => {
      const stage = await open(
        server,
        plays(
          { route: "plan", goal: "Build it" },
          { "rooroo-planner": plans("One", "Two"), "rooroo-developer": notes },
        ),
      );
      const { code, stdout } = await stage.runAll("ask", "Build it");
      assert.equal(code, 0, stdout);
      assert.match(stdout, /One: noted[^]*Two: noted/);
      const job = await open(server, jobPlays, { ".jixo/trip.job.md": "Plan a trip.\n" });
      const ran = await job.runAll("job", "run", "trip");
      assert.equal(ran.code, 0, ran.stdout + ran.stderr);
      for (const word of words) assert.equal(await job.read(`${word}.txt`), `${word}\n`);
    });
  }
});
