import * as z from "zod";
import type { OddRow } from "../core/ports/teamQueue.js";
import { visibleLine } from "../core/text/visibleText.js";

/** The table that a row is of. */
export type Table = "plan" | "task" | "ask";

/** What names a row, and the plan that it belongs to. */
const named = z.looseObject({
  id: z.string().optional().catch(undefined),
  plan: z.string().optional().catch(undefined),
});

/**
 * Reads rows one by one, so that one in a form that this version does not know, or that somebody has changed, keeps nobody
 * from the others.
 */
export function readEach<T>(
  table: Table,
  form: z.ZodType<T>,
  rows: readonly unknown[],
): { rows: T[]; odd: OddRow[] } {
  const read: T[] = [];
  const odd: OddRow[] = [];
  for (const row of rows) {
    const parsed = form.safeParse(row);
    if (parsed.success) read.push(parsed.data);
    else odd.push(oddRow(table, row, parsed.error));
  }
  return { rows: read, odd };
}

function oddRow(table: Table, row: unknown, { issues }: z.ZodError): OddRow {
  const { id, plan } = named.safeParse(row).data ?? {};
  const columns = new Set(issues.map(({ path: [column] }) => String(column ?? "all")));
  return {
    plan: table === "plan" ? id : plan,
    row: `${table} ${visibleLine(id ?? "?")}`,
    columns: [...columns],
  };
}
