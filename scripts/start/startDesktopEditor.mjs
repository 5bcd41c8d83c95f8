import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quietSettings } from "../host/quietSettings.mjs";
import { withoutEditorVariables } from "../host/withoutEditorVariables.mjs";
import { atEnd } from "../process/cleanup.mjs";
import { say } from "../process/say.mjs";
import { startProcess } from "../process/startProcess.mjs";
import { root } from "../root.mjs";

/**
 * Opens a window with a profile of its own, so that nothing of the person's is touched.
 *
 * @param {string} executable
 * @param {import("./openEditor.mjs").Session} session
 * @returns {Promise<import("./openEditor.mjs").OpenEditor>} Ends when its windows are closed.
 */
export async function startDesktopEditor(executable, { scratch, workspace, env, settings }) {
  const userFolder = join(scratch, "user", "User");
  await mkdir(userFolder, { recursive: true });
  const all = { ...quietSettings({ trusted: true }), ...settings };
  await writeFile(join(userFolder, "settings.json"), JSON.stringify(all, null, 2));
  const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  const editor = startProcess(
    executable,
    [
      workspace,
      `--extensionDevelopmentPath=${root}`,
      `--user-data-dir=${join(scratch, "user")}`,
      `--extensions-dir=${join(scratch, "extensions")}`,
      "--new-window",
      "--skip-welcome",
      "--skip-release-notes",
      "--disable-telemetry",
      ...asRoot,
    ],
    {
      env: { ...withoutEditorVariables(process.env), ...env },
      stdio: ["ignore", "ignore", "ignore"],
    },
  );
  atEnd(editor.stop);
  say("VS Code opens its window.");
  return editor;
}
