import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

export interface BenchRow {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  readonly ok: boolean | null;
  readonly lacks?: string;
}

export interface BenchSection {
  readonly measure: (options: { readonly quick: boolean }) => Promise<readonly BenchRow[]>;
  readonly minutes: number;
}

/** Units of numbers that a busy machine makes worse. */
const ofTheMachine = new Set(["ms", "s", "x", "MiB"]);

/** Imports a script of the bench or of `scripts/`. */
export async function script<T>(...path: readonly string[]): Promise<T> {
  return (await import(pathToFileURL(join(root, ...path)).href)) as T;
}

/** Returns all sections of the bench, by name; they run what is compiled and built. */
export async function benchSections(): Promise<Readonly<Record<string, BenchSection>>> {
  process.env["ROOROO_BENCH_COMPILED"] = "yes";
  process.env["ROOROO_BENCH_BUILT"] = "yes";
  const { measurements } = await script<{
    readonly measurements: Readonly<Record<string, BenchSection>>;
  }>("bench", "measurements.mjs");
  return measurements;
}

/** Runs a section in its quickest form, and returns its rows, which are numbers; how fast it was does not matter. */
export async function quickRows(name: string): Promise<readonly BenchRow[]> {
  const rows = await (await benchSections())[name]?.measure({ quick: true });
  assert.ok(rows !== undefined && rows.length > 0);
  const isWrong = ({ value, unit, ok, lacks }: BenchRow): boolean =>
    lacks === undefined && (!Number.isFinite(value) || (ok === false && !ofTheMachine.has(unit)));
  assert.deepEqual(rows.filter(isWrong), []);
  return rows;
}

/** Removes what sections leave until the bench ends. */
export async function endBench(): Promise<void> {
  const { cleanUp } = await script<{ readonly cleanUp: () => Promise<void> }>(
    "scripts",
    "process",
    "cleanup.mjs",
  );
  await cleanUp();
}
