import { homedir } from "node:os";
import { join } from "node:path";

/** The names under which editors that are built on VS Code keep their data. */
const editors = ["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];

/** Folders of editors that run on another machine than their window. */
const servers = [".vscode-server", ".vscode-server-insiders", ".cursor-server", ".windsurf-server"];

/**
 * Returns the absolute paths of the folders in which editors may keep the files of extensions. Source:
 * https://code.visualstudio.com/docs/configure/settings#_settings-file-locations.
 */
export function editorStorages(env: NodeJS.ProcessEnv): readonly string[] {
  const home = homedir();
  const base =
    process.platform === "win32"
      ? (env["APPDATA"] ?? join(home, "AppData", "Roaming"))
      : process.platform === "darwin"
        ? join(home, "Library", "Application Support")
        : (env["XDG_CONFIG_HOME"] ?? join(home, ".config"));
  return [
    ...editors.map((name) => join(base, name, "User", "globalStorage")),
    ...servers.map((name) => join(home, name, "data", "User", "globalStorage")),
  ];
}
