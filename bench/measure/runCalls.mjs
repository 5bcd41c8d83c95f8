import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { compiled } from "../harness/compiled.mjs";
import { measured, sharedStart } from "../harness/prompts.mjs";
import { row } from "../harness/row.mjs";
import { runWorldAt } from "../harness/runWorldAt.mjs";
import { scratch } from "../harness/scratch.mjs";
import { runReply } from "../model/runScript.mjs";

const cities = ["Oslo", "Rome", "Bern", "Graz", "Lyon", "Turin", "Porto", "Ghent"];
const material = {
  "assets/hives.csv": `city,year,hives\n${cities.flatMap((city, n) => [2023, 2024, 2025].map((year) => `${city},${year},${60 + 40 * n + year - 2023}\n`)).join("")}`,
  "assets/notes.md": `# Notes\n\n${"Bees like cities with parks, and beekeepers who talk to each other.\n".repeat(150)}\n`,
  "guidelines/style.md": `# Style\n\n${"Use short words, and say first what matters.\n".repeat(70)}\n`,
  "guidelines/structure.md": `# Structure\n\n${"Begin with the finding, then its numbers, then its source.\n".repeat(60)}\n`,
};
const { signal } = new AbortController();

/**
 * Measures what a run of one task a phase and one chart costs: calls of the model, and the tokens of its requests. Once
 * with a model that does as it is told, once with one that submits with a reply of its own. Quick: the first alone.
 *
 * @param {{ quick: boolean }} options
 */
export async function runCalls({ quick }) {
  const rows = [];
  for (const oneStepAReply of quick ? [false] : [false, true]) {
    const { calls, tokens, repeated } = await wholeRun(oneStepAReply);
    const name = oneStepAReply ? "the same, submitted by a reply of its own" : "a run";
    const goals = oneStepAReply ? [] : [18, 60_000];
    rows.push(
      row(`${name}: calls`, calls, "", goals[0]),
      row(`${name}: prompt tokens`, tokens, "tokens", goals[1]),
      row(`${name}: as an earlier request began`, repeated, "%"),
    );
  }
  return rows;
}

/** @param {boolean} oneStepAReply */
async function wholeRun(oneStepAReply) {
  const root = await scratch();
  for (const [path, text] of Object.entries(material)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  /** @type {{ tokens: number, text: string }[]} */
  const asked = [];
  const model = {
    name: "bench",
    /** @param {any} request */
    async *respond(request) {
      asked.push(measured(request));
      for (const [index, { name, args }] of runReply(request, { oneStepAReply }).entries()) {
        const id = `call_${asked.length}_${index}`;
        yield { type: "toolCall", call: { id, name, arguments: JSON.stringify(args) } };
      }
      yield { type: "finish", reason: "toolCalls" };
    },
  };
  const { store, world } = await runWorldAt(root, model);
  const { carryOutRunAction } = await compiled("core/runs/runAction");
  const request = "Report how many hives the cities have, and what follows for gardens";
  const action = { type: "start", request, isSimple: undefined };
  const { runId, ...begun } = await carryOutRunAction(action, store, world, signal);
  if (begun.status !== "waiting") throw new Error(`the run began with: ${JSON.stringify(begun)}`);
  const confirm = { type: "decide", runId, decision: { type: "CONFIRM" } };
  const end = await carryOutRunAction(confirm, store, world, signal);
  if (end.status !== "done") throw new Error(`the run ended with: ${JSON.stringify(end)}`);
  const all = asked.reduce((sum, { text }) => sum + text.length, 0);
  const again = asked.reduce((sum, one, index) => sum + sharedStart(one.text, asked, index), 0);
  const tokens = asked.reduce((sum, one) => sum + one.tokens, 0);
  return { calls: asked.length, tokens, repeated: (100 * again) / all };
}
