import * as z from "zod";
import type { Tool } from "../agent/tool.js";
import { failed } from "./failed.js";
import { parseChecklist } from "./parseChecklist.js";
import { visibleLine } from "./visibleText.js";

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
    const now = doing === undefined ? "" : `: ${visibleLine(doing.text)}`;
    return `${done} of ${steps.length} done${now}`;
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
      run: () => Promise.resolve({ ok: true, content, checklist: steps }),
    });
  },
};
