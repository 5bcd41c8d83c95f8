import * as z from "zod";
import type { OddRow } from "../core/ports/teamQueue.js";
import { oddRowError } from "../core/team/oddRow.js";
import { visibleLine } from "../core/text/visibleText.js";

/** What a row is of: one of our tables, or of the engine's. */
export type Table = "plan" | "task" | "ask" | "queue" | "job";

/** What names a row, and the plan that it belongs to. */
const named = z.looseObject({
  id: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
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

/**
 * Reads the first row, if there is one.
 *
 * @throws {UserError} if it cannot be read
 */
export function readRow<T>(
  table: Table,
  form: z.ZodType<T>,
  rows: readonly unknown[],
): T | undefined {
  const read = readEach(table, form, rows.slice(0, 1));
  for (const one of read.odd) throw oddRowError(one);
  return read.rows[0];
}

function oddRow(table: Table, row: unknown, { issues }: z.ZodError): OddRow {
  const { id, name, plan } = named.safeParse(row).data ?? {};
  const columns = new Set(issues.map(({ path: [column] }) => String(column ?? "all")));
  return {
    plan: table === "plan" ? id : plan,
    row: `${table} ${visibleLine(id ?? name ?? "?")}`,
    columns: [...columns],
  };
}
