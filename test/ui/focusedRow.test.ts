import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

const id = (number: number) => `ROO#TASK_20260102-03040${number}_00000${number}`;
const queue = ["Alpha", "Beta", "Gamma", "Delta"].map((goal, index) =>
  JSON.stringify({
    taskId: id(index),
    parentTaskId: null,
    suggested_mode: "rooroo-developer",
    context_file_path: `.rooroo/tasks/${id(index)}/context.md`,
    goal_for_expert: goal,
  }),
);

describe("the keys of the list of tasks", () => {
  let stage: Stage;
  useStage({ files: { ".rooroo/queue.jsonl": `${queue.join("\n")}\n` } }, (opened) => {
    stage = opened;
  });

  const goals = async () =>
    (await stage.read(".rooroo/queue.jsonl"))
      .split("\n")
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { goal_for_expert: string }).goal_for_expert)
      .join(" ");

  /** Resolves when the queue has this order, and the list shows it: a list that is drawn anew takes no keys. */
  async function order(wanted: string): Promise<void> {
    await until(async () => (await goals()) === wanted, `the queue is ${wanted}`);
    const shown = async () => {
      const rows = await stage
        .row(/Alpha|Beta|Gamma|Delta/)
        .evaluateAll((all) =>
          all.map((row) => ({ text: row.textContent, top: row.getBoundingClientRect().top })),
        );
      const sorted = rows.toSorted((a, b) => a.top - b.top);
      return sorted.map(({ text }) => /Alpha|Beta|Gamma|Delta/.exec(text)?.[0]).join(" ");
    };
    await until(async () => (await shown()) === wanted, `the list shows ${wanted}`);
  }

  it("are about the row that has the focus, not the one that is selected", async () => {
    await stage.runCommand("rooroo.tasks.focus");
    await stage.row(/Alpha/).click();
    await stage.page.keyboard.press("ArrowDown");
    await stage.page.keyboard.press("ArrowDown");
    await stage.page.keyboard.press("Delete");
    await until(async () => (await goals()) !== "Alpha Beta Gamma Delta", "one is removed");
    await order("Alpha Beta Delta");
    await stage.page.getByRole("button", { name: "Undo" }).click();
    await order("Alpha Beta Gamma Delta");
    // What is selected already has the focus.
    await stage.row(/Beta/).click();
    await stage.page.keyboard.press("Alt+ArrowDown");
    await order("Alpha Gamma Beta Delta");
    await stage.page.keyboard.press("Alt+ArrowDown");
    await order("Alpha Gamma Delta Beta");
  });
});
