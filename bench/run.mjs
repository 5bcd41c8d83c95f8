// How fast and how small Rooroo Navigator is: `npm run bench`.
//   --only NAME[,NAME]   some of the sections; their names head the table's parts
//   --quick              the smallest sizes and fewest repetitions: coarse numbers, in seconds a section
//   --corpora FOLDER     what models have written, for `replay`; or ROOROO_CORPORA in the environment
//   --json               the rows as JSON on stdout, the table on stderr
//   --strict             exit code 1 when a goal is missed or something could not be measured
//
// Every number is the median of several runs, taken in turns with what it is compared with, so that
// a busy machine spoils both alike. A goal is the most that a row's value may be. Each section runs in a process of
// its own and is ended after the minutes that `measurements.mjs` states (quick: five); what it lacks here (VS Code,
// Chromium, PostgreSQL, corpora) it names in a row that says "not measured". No section needs a screen. The last result
// stays in bench/results/latest.json.
import { mkdir, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { cleanUp, cleanUpOnSignals } from "../scripts/process/cleanup.mjs";
import { root } from "../scripts/root.mjs";
import { compile } from "./harness/compiled.mjs";
import { readFlags } from "./harness/flags.mjs";
import { runSection } from "./harness/runSection.mjs";
import { section } from "./harness/table.mjs";
import { measurements, quickMinutes } from "./measurements.mjs";

const flags = readFlags(process.argv.slice(2), Object.keys(measurements));
const show = flags.json ? console.error : console.log;

cleanUpOnSignals();
const startedAt = performance.now();
const result = {
  at: new Date().toISOString(),
  node: process.version,
  platform: `${process.platform}-${process.arch}`,
  cores: cpus().length,
  /** The load of the machine in the minute before: above the number of cores, times are too long. */
  loadBefore: loadavg()[0],
  quick: flags.quick,
  /** @type {Record<string, import("./harness/row.mjs").Row[]>} */
  rows: {},
  /** @type {Record<string, string>} */
  skipped: {},
};
await compile();
for (const name of flags.only) {
  try {
    const minutes = flags.quick ? quickMinutes : measurements[name].minutes;
    result.rows[name] = await runSection(name, flags, { limitMs: minutes * 60_000 });
    show(section(name, result.rows[name]));
  } catch (error) {
    result.skipped[name] = error instanceof Error ? error.message : String(error);
    const [why, ...more] = result.skipped[name].split("\n");
    show([name, `  not measured: ${why}`, ...more.slice(0, 3), ""].join("\n"));
  }
}
await cleanUp();

const rows = Object.values(result.rows).flat();
const missed = rows.filter((row) => row.ok === false);
const unmeasured = rows.filter((row) => row.value === null);
const notMeasured = unmeasured.length + Object.keys(result.skipped).length;
const seconds = Math.round((performance.now() - startedAt) / 1000);
if (result.loadBefore > result.cores) {
  show(
    `The machine was busy (load ${result.loadBefore.toFixed(1)}): the times are longer than on a quiet one.\n`,
  );
}
show(
  `${rows.length - unmeasured.length} rows, ${missed.length} goals missed, ` +
    `${notMeasured} not measured, ${seconds} s`,
);
const json = `${JSON.stringify(result, null, 2)}\n`;
if (flags.json) process.stdout.write(json);
await mkdir(join(root, "bench", "results"), { recursive: true });
await writeFile(join(root, "bench", "results", "latest.json"), json);
const failed = missed.length > 0 || notMeasured > 0;
process.exit(flags.strict && failed ? 1 : 0);
