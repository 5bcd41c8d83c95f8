import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureVSCodeServer } from "../../scripts/host/ensureVSCodeServer.mjs";
import { run } from "../../scripts/process/run.mjs";
import { root } from "../../scripts/root.mjs";
import { scratch } from "../harness/scratch.mjs";
import { packaged } from "./packaged.mjs";

/** @type {Promise<string> | undefined} */
let installing;

/**
 * Installs the packaged extension as a person would, and the empty one beside it; once. Resolves
 * with the editor's profile, for `launchEditor`.
 */
export function installed() {
  return (installing ??= install());
}

async function install() {
  const profileDir = await scratch();
  const vsix = await packaged();
  const empty = join(profileDir, "empty.vsix");
  await run(
    process.execPath,
    [
      join(root, "node_modules", "@vscode", "vsce", "vsce"),
      "package",
      "--no-dependencies",
      "--allow-missing-repository",
      "--skip-license",
      "--out",
      empty,
    ],
    { cwd: fileURLToPath(new URL("empty", import.meta.url)) },
  );
  const { node, main } = await ensureVSCodeServer();
  const dataDir = join(profileDir, "server");
  await run(node, [
    main,
    "--server-data-dir",
    dataDir,
    "--accept-server-license-terms",
    "--install-extension",
    vsix,
    "--install-extension",
    empty,
  ]);
  return profileDir;
}
