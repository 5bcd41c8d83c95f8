import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compiled } from "../harness/compiled.mjs";
import { measured, sharedStart } from "../harness/prompts.mjs";
import { row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { worldAt } from "../harness/worldAt.mjs";

const phases = 4;
const lines = Array.from(
  { length: 40 },
  (_, n) => `export const value${n} = compute(${n}, "x${n}");`,
);
const summary =
  "Moved the file's constants to the new helper, and ran the tests of this module: 12 passed. Nothing is left.";

/**
 * Measures what a job of 40 small tasks costs: each reads a file of 40 lines, edits it, runs a command and submits,
 * a request each. Quick: four tasks.
 *
 * @param {{ quick: boolean }} options
 */
export async function jobTokens({ quick }) {
  const perPhase = quick ? 1 : 10;
  const name = `a job of ${phases * perPhase} tasks`;
  const root = await scratch();
  await mkdir(join(root, ".jixo"), { recursive: true });
  await mkdir(join(root, "src"), { recursive: true });
  await writeFile(
    join(root, ".jixo/move.job.md"),
    "---\nname: move\n---\n\nMove all constants to the new helper, one file at a time.\n",
  );
  for (let phase = 1; phase <= phases; phase++) {
    for (let task = 1; task <= perPhase; task++) {
      await writeFile(join(root, `src/m${phase}.${task}.js`), `${lines.join("\n")}\n`);
    }
  }
  /** @type {{ tokens: number, text: string, isFirst: boolean }[]} */
  const asked = [];
  const model = {
    name: "bench",
    /** @param {any} request */
    async *respond(request) {
      const turn = request.messages.filter(
        (/** @type {any} */ one) => one.role === "assistant",
      ).length;
      asked.push({ ...measured(request), isFirst: turn === 0 });
      const { name, args } = reply(request, turn, perPhase);
      const call = { id: `call_${asked.length}`, name, arguments: JSON.stringify(args) };
      yield { type: "toolCall", call };
      yield { type: "finish", reason: "toolCalls" };
    },
  };
  const { outerLoop } = await compiled("core/jobs/work/outerLoop");
  const run = { name: "move", startedBy: "person", runners: 1, quota: 30 };
  const end = await outerLoop(run, await worldAt(root, model), new AbortController().signal);
  if (end.code !== 0) throw new Error(`the job ended with: ${JSON.stringify(end)}`);
  const tokens = asked.reduce((sum, one) => sum + one.tokens, 0);
  return [
    row(`${name}: requests`, asked.length, ""),
    row(`${name}: prompt tokens`, tokens, "tokens", quick ? null : 430_000),
    row("as an earlier request began, within a lifecycle", repeated(asked, false), "%"),
    row("as an earlier request began, first of a lifecycle", repeated(asked, true), "%"),
  ];
}

/**
 * @param {any} request
 * @param {number} turn
 * @param {number} perPhase
 * @returns {{ name: string, args: object }}
 */
function reply({ messages }, turn, perPhase) {
  const told = messages[1]?.content ?? "";
  const [, id] = /Your objective: Task ([\d.]+)\. /.exec(told) ?? [];
  if (id === undefined) {
    const items = Array.from({ length: phases }, (_, phase) => ({
      text: `${phase + 1}. Move the constants of part ${phase + 1}`,
      tasks: Array.from({ length: perPhase }, (_one, task) => {
        const number = `${phase + 1}.${task + 1}`;
        const path = `src/m${number}.js`;
        return {
          text: `${number}. Move the constants of ${path}`,
          files: [path],
          done_when: "npm test passes",
        };
      }),
    }));
    const changes = [{ action: "add", items }];
    return {
      name: "attempt_completion",
      args: { title: "Move constants", summary: "Planned.", changes },
    };
  }
  const path = `src/m${id}.js`;
  const edit = { path, old_text: lines[3], new_text: 'export { value3 } from "./helper.js";' };
  const steps = [
    { name: "read_file", args: { path } },
    { name: "edit_file", args: edit },
    { name: "execute_command", args: { command: `grep -c value ${path}` } },
    { name: "attempt_completion", args: { result: "Succeeded", summary } },
  ];
  return steps[Math.min(turn, 3)] ?? steps[3] ?? edit;
}

/**
 * Returns the share of characters, in percent, that requests have in common with the beginning of an earlier one.
 *
 * @param {readonly { text: string, isFirst: boolean }[]} asked
 * @param {boolean} isFirst of which requests: the first of each lifecycle, or the others
 */
function repeated(asked, isFirst) {
  let [all, again] = [0, 0];
  for (const [index, one] of asked.entries()) {
    if (one.isFirst !== isFirst || index === 0) continue;
    all += one.text.length;
    again += sharedStart(one.text, asked, index);
  }
  return (100 * again) / all;
}
