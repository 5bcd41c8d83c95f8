import { empty, rooroo } from "../editor/extensions.mjs";
import { firstTextAt } from "../editor/firstTextAt.mjs";
import { hosts } from "../editor/hosts.mjs";
import { lacksEditor } from "../editor/lacksEditor.mjs";
import { panelGone } from "../editor/panelGone.mjs";
import { median } from "../harness/median.mjs";
import { notMeasured, row } from "../harness/row.mjs";

/**
 * Measures the time from the command that shows the view to the first text painted in it: in a window in which the
 * extension has not run yet, and when the view was hidden and comes back. The same for a page that
 * is one line of text shows what of it is VS Code's own time.
 *
 * @param {{ quick: boolean }} options
 */
export async function panel({ quick }) {
  const lacks = await lacksEditor();
  if (lacks !== undefined) return [notMeasured("to first text", lacks)];
  const { editor, fresh } = await hosts({ quick });
  const open = async (/** @type {typeof rooroo} */ { id, view }) => {
    const { startedAt } = await host.run(`${view}.focus`);
    const took = (await firstTextAt(editor, id)) - startedAt;
    await host.run("workbench.view.explorer");
    await panelGone(editor.page, id);
    return took;
  };
  /** @type {import("../editor/hosts.mjs").Host} */
  let host;
  // The browser's own first time, with nothing cached, is nobody's every day.
  if (!quick) {
    host = await fresh();
    for (const extension of [rooroo, empty]) await open(extension);
  }

  const took = new Map(
    [rooroo, empty].map((one) => [
      one,
      /** @type {Record<"first" | "again", number[]>} */ ({ first: [], again: [] }),
    ]),
  );
  for (let start = 0; start < (quick ? 1 : 5); start++) {
    host = await fresh();
    for (const [extension, { first, again }] of start % 2 === 0 ? took : [...took].reverse()) {
      first.push(await open(extension));
      again.push(await open(extension));
    }
  }
  return [...took].flatMap(([extension, { first, again }]) => {
    const [name, goal] =
      extension === rooroo ? ["to first text", quick ? null : 300] : ["one-line page", null];
    return [
      row(`${name}, first time`, median(first), "ms", goal),
      row(`${name}, shown again`, median(again), "ms", goal),
    ];
  });
}
