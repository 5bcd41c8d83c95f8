import { UserError } from "../errors.js";
import type { OddRow } from "../ports/teamQueue.js";

/** Says which row cannot be read. Nothing is quoted of it but its name and those of the columns. */
export function oddRowError({ row, columns }: OddRow): UserError {
  return new UserError(
    "teamRowOdd",
    "In the team's database, {row} cannot be read ({columns}), so it is left out. Update Rooroo if a newer version has written it; otherwise put it right, or cancel the plan and send it again.",
    { row, columns: columns.join(", ") },
  );
}
