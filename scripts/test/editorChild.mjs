// Runs the editor suite inside a real VS Code.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runTests } from "@vscode/test-electron";
import { resolveEditor } from "../host/resolveEditor.mjs";
import { say } from "../process/say.mjs";
import { root } from "../root.mjs";
import { createSampleProject } from "../sample/createSampleProject.mjs";

const scratch = await mkdtemp(join(tmpdir(), "editor-"));
const workspace = join(scratch, "tally");
await createSampleProject(workspace);
const { kind, executable } = await resolveEditor();
say(`Running the editor suite in a ${kind === "desktop" ? "desktop" : "browser-based"} VS Code …`);
try {
  await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: [root, join(root, "test", "editor", "companion")],
    extensionTestsPath: join(root, "out", "test", "editor", "index.cjs"),
    extensionTestsEnv: { ROOROO_TEST_WORKSPACE: workspace },
    launchArgs: [
      workspace,
      `--user-data-dir=${join(scratch, "user")}`,
      `--extensions-dir=${join(scratch, "extensions")}`,
    ],
  });
} catch (error) {
  console.log(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
}
