import { readKeyedTable } from "../documents/keyedTable.js";
import { writeCell } from "../documents/tableCell.js";
import { type PhaseName, phaseNames } from "./runLayout.js";

const columns = ["phase_name", "phase_purpose"] as const;

/** What each phase is for (R-MV-13). */
const purposes: Readonly<Record<PhaseName, string>> = {
  ANALYZING:
    "What is there? Gather the facts of the material, each in a small document of its own.",
  STRATEGIZING: "What follows from it? Decide the direction, from the facts.",
  REFINING_CONTENT: "How does it go deeper? Work facts and direction into content that holds.",
  GENERATING_OUTPUT:
    "What is handed over? Plan how the parts go together, make them, and publish the outputs.",
};

const row = (cells: readonly string[]) => `| ${cells.map(writeCell).join(" | ")} |\n`;

export const defaultPhases = [
  row(columns),
  row(columns.map(() => ":---")),
  ...phaseNames.map((name) => row([name, purposes[name]])),
].join("");

/** Returns the phases with the purposes that a template gives them. */
export function phasesOf(
  template: string,
): { readonly name: PhaseName; readonly purpose: string }[] {
  const { rows } = readKeyedTable<(typeof columns)[number]>(template, columns);
  return phaseNames.map((name) => {
    const own = rows.find(({ values }) => values.phase_name === name)?.values.phase_purpose ?? "";
    return { name, purpose: own === "" ? purposes[name] : own };
  });
}
