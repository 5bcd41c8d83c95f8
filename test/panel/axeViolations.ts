import axe from "axe-core";
import type { Page } from "playwright-core";

/**
 * The arrow keys in the input go through the list of completions and scroll it. To axe that is right only where the
 * input has the role `combobox`, which a textarea may not have.
 */
const scrolledFromInput = "scrollable-region-focusable: #hints ";

/** The rules whose verdict depends on colors, among those that axe asks without being told. */
export const colorRules = ["color-contrast", "link-in-text-block"];

/**
 * Returns what axe objects to on a page, or in a frame of one, each with where it is.
 *
 * @param rules the names of the rules that are asked; default: all but axe's optional ones
 */
export async function axeViolations(
  page: Pick<Page, "evaluate">,
  rules?: readonly string[],
): Promise<string[]> {
  // Half a megabyte, of which a page keeps what it has been given.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const options = rules === undefined ? {} : { runOnly: rules };
  const run = `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const found = await page.evaluate<readonly axe.Result[]>(run);
  return found
    .flatMap(({ id, nodes }) =>
      nodes.map(
        ({ target, failureSummary = "" }) => `${id}: ${target.join(" ")} ${failureSummary}`,
      ),
    )
    .filter((violation) => !violation.startsWith(scrolledFromInput));
}
