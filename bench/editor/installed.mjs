import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureVSCodeServer } from "../../scripts/host/ensureVSCodeServer.mjs";
import { run } from "../../scripts/process/run.mjs";
import { root } from "../../scripts/root.mjs";
import { built } from "../harness/built.mjs";
import { scratch } from "../harness/scratch.mjs";
import { packaged } from "./packaged.mjs";

/** @type {Promise<string> | undefined} */
let installing;

/**
 * Installs the packaged extension as a person would, and the empty one beside it; once. Quick: copies the build for
 * development to where VS Code looks for what is installed. Resolves with the editor's profile, for `launchEditor`.
 *
 * @param {{ quick: boolean }} options
 */
export function installed({ quick }) {
  return (installing ??= quick ? copy() : install());
}

const emptyFolder = fileURLToPath(new URL("empty", import.meta.url));

async function copy() {
  await built();
  const profileDir = await scratch();
  const extensions = join(profileDir, "server", "extensions");
  const own = join(extensions, "rooroo.rooroo-navigator-0.0.0");
  await mkdir(own, { recursive: true });
  for (const name of ["package.json", "package.nls.json", "l10n", "media", "dist"]) {
    await cp(join(root, name), join(own, name), {
      recursive: true,
      filter: (path) => !path.endsWith(".map"),
    });
  }
  await cp(emptyFolder, join(extensions, "rooroo-bench.bench-empty-0.0.0"), { recursive: true });
  return profileDir;
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
    { cwd: emptyFolder },
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
