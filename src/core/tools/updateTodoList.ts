import * as z from "zod";
import { type ChecklistStep, plainStep } from "../agent/checklist.js";
import type { Tool } from "../agent/tool.js";
import { visibleLine } from "../text/visibleText.js";
import { words } from "../text/words.js";
import { failed } from "./calls/failed.js";

const parameters = z.object({
  todos: z.string().describe("All steps, one a line: [ ] to do, [-] doing, [x] done"),
});
type Arguments = z.infer<typeof parameters>;

export const updateTodoList: Tool<Arguments> = {
  kind: "action",
  name: "update_todo_list",
  description: "Show the user your steps, for work of several; call again as they get done.",
  parameters,
  access: "none",
  title: ({ todos }) => {
    const steps = parseChecklist(todos);
    const done = steps.filter(({ state }) => state === "done").length;
    const doing = steps.find(({ state }) => state === "doing");
    const counts = words("{done} of {all} done", { done, all: steps.length });
    return doing === undefined
      ? counts
      : words("{counts}: {now}", { counts, now: visibleLine(doing.text) });
  },

  prepare({ todos }) {
    const steps = parseChecklist(todos);
    if (steps.length === 0) {
      return Promise.resolve(
        failed("todos has no steps. Write one a line, as in `[ ] Read the tests`."),
      );
    }
    const left = steps.filter(({ state }) => state !== "done").length;
    const content = left === 0 ? "Shown. All steps are done." : `Shown. ${left} to go.`;
    return Promise.resolve({
      action: undefined,
      run: () => Promise.resolve({ ok: true, content, checklist: steps }),
    });
  },
};

/** Further steps are dropped: a longer list is of no use to the user. */
const maxSteps = 100;
const maxLength = 500;

const states: Readonly<Record<string, ChecklistStep["state"]>> = {
  "": "open",
  "-": "doing",
  "~": "doing",
  ">": "doing",
  x: "done",
};

/**
 * Reads a Markdown checklist with one step on a line: `[ ] to do`, `[-] under way`, `[x] done`,
 * with or without a bullet or a number before it. A step without a box is to do. Empty lines and
 * headings are skipped, and so is prose beside steps; without a bullet, number or box on any line,
 * each line is a step. Never throws.
 */
export function parseChecklist(text: string): ChecklistStep[] {
  const lines = text
    .split("\n")
    .filter((line) => !/^\s*(?:#{1,6}(\s|$)|```|---)/.test(line))
    .map((line) => {
      const [, bullet, box, rest = ""] =
        /^\s*([-*+]\s+|\d{1,3}[.)]\s+)?(\[[ xX~>-]?\])?(.*)/s.exec(line) ?? [];
      const words = rest.trim();
      const isMarked = (bullet ?? box) !== undefined || words.startsWith("[");
      return { box: box?.slice(1, -1).trim().toLowerCase() ?? "", words, isMarked };
    })
    .filter(({ words }) => words !== "");
  const marked = lines.filter(({ isMarked }) => isMarked);
  return (marked.length > 0 ? marked : lines).slice(0, maxSteps).map(({ box, words }) => {
    const plain = plainStep(words);
    return {
      text: plain.length > maxLength ? `${plain.slice(0, maxLength)}…` : plain,
      state: states[box] ?? "open",
    };
  });
}
