// npm start: installs what is missing, builds, and opens VS Code with the extension on a project.
// Until dependencies are there, only Node's own modules may be imported here.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureDependencies } from "./install/ensureDependencies.mjs";
import { atEnd, cleanUp, cleanUpOnSignals } from "./process/cleanup.mjs";
import { run } from "./process/run.mjs";
import { say } from "./process/say.mjs";
import { root } from "./root.mjs";
import { createSampleProject } from "./sample/createSampleProject.mjs";
import { openEditor } from "./start/openEditor.mjs";
import { help, readOptions } from "./start/options.mjs";

const WRONG_USE = 64;

/** A folder of the person's own is theirs to trust. */
const askForTrust = {
  "security.workspace.trust.enabled": true,
  "security.workspace.trust.startupPrompt": "once",
};

/** @returns {Promise<number>} The exit code, once the editor has ended. */
async function main() {
  let options;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${help}`);
    return WRONG_USE;
  }
  if (options.help) {
    console.log(help);
    return 0;
  }
  cleanUpOnSignals({ interrupted: 0 });
  await ensureDependencies();
  await run(process.execPath, [join(root, "scripts", "build.mjs")], { cwd: root });
  say("The extension is built.");
  const scratch = await mkdtemp(join(tmpdir(), "rooroo-start-"));
  atEnd(() => rm(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const workspace = options.workspace ?? (await sample());
  const { chooseModel } = await import("./start/chooseModel.mjs");
  const env = { ...(await chooseModel()), ROOROO_REVEAL: "1" };
  const settings = options.workspace === undefined ? {} : askForTrust;
  const editor = await openEditor({ scratch, workspace, env, settings }, options);
  console.log(
    'Try "Fix the failing test", "Plan a CSV export" or "Write a guide to this project". Ctrl-C here ends it all.',
  );
  return editor.stopped;
}

/** Stays when we end: what was done in it can be looked at, and gone on with. */
async function sample() {
  const folder = join(await mkdtemp(join(tmpdir(), "rooroo-sample-")), "tally");
  await createSampleProject(folder);
  // An empty queue makes the extension start, and so its view open, with the window.
  await mkdir(join(folder, ".rooroo"));
  await writeFile(join(folder, ".rooroo", "queue.jsonl"), "");
  say(`Sample project: ${folder} (come back to it with --workspace)`);
  return folder;
}

let code = 1;
try {
  code = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
}
await cleanUp();
process.exit(code);
