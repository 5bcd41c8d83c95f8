// One section in a process of its own, so that it can be ended and leaves nothing behind:
//   node section.mjs NAME '{"quick": true}'    tells its parent the rows, or why there are none
import { cleanUp, cleanUpOnSignals } from "../scripts/process/cleanup.mjs";
import { measurements } from "./measurements.mjs";

const [name = "", options = "{}"] = process.argv.slice(2);
cleanUpOnSignals();
/** @type {{ rows: import("./harness/row.mjs").Row[] } | { error: string }} */
let told;
try {
  told = { rows: await measurements[name].measure(JSON.parse(options)) };
} catch (error) {
  told = { error: error instanceof Error ? error.message : String(error) };
}
await cleanUp();
process.send?.(told, () => process.exit(0));
