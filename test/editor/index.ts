import Mocha from "mocha";
import { runMocha } from "../../scripts/test/runMocha.mjs";

/** Runs the tests; VS Code calls it inside of its extension host. Rejects when a test has failed. */
export async function run(): Promise<void> {
  const mocha = new Mocha({ ui: "bdd", timeout: 180_000 });
  mocha.suite.emit("pre-require", globalThis, "", mocha);
  await import("./activation.test.js");
  await import("./settings.test.js");
  await import("./apiKey.test.js");
  await import("./tasks.test.js");
  await import("./modes.test.js");
  await import("./jobs.test.js");
  await import("./runs.test.js");
  await import("./navigator.test.js");
  await import("./editorModel.test.js");
  await import("./chat.test.js");
  await import("./selectModel.test.js");
  await import("./changes.test.js");
  await import("./tools.test.js");
  await import("./charts.test.js");
  await import("./terminal.test.js");
  await import("./leftovers.test.js");
  const failed = await runMocha(mocha);
  // What was printed last is lost with the process; what is thrown is told by VS Code.
  if (failed.length > 0) throw new Error(`${failed.length} failed.\n${failed.join("\n")}`);
}
