import { homedir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Returns the absolute path of the folder in which the command line keeps the user's own data on this
 * machine.
 */
export function userFolder(env: NodeJS.ProcessEnv): string {
  const given = (name: string): string | undefined => {
    const value = env[name]?.trim() ?? "";
    return value === "" ? undefined : value;
  };
  const own = given("ROOROO_HOME");
  if (own !== undefined) return resolve(own);
  if (process.platform === "win32") {
    return join(given("LOCALAPPDATA") ?? join(homedir(), "AppData", "Local"), "rooroo");
  }
  return join(given("XDG_CONFIG_HOME") ?? join(homedir(), ".config"), "rooroo");
}

/** Returns the absolute path of the user's own list of MCP servers. */
export function mcpList(env: NodeJS.ProcessEnv): string {
  return join(userFolder(env), "mcp.json");
}

/** Returns the absolute path of the file in which the user defines hooks for the command line. */
export function hookFile(env: NodeJS.ProcessEnv): string {
  return join(userFolder(env), "hooks.json");
}

/** Returns the absolute path of the file in which the user defines model profiles for the command line. */
export function modelFile(env: NodeJS.ProcessEnv): string {
  return join(userFolder(env), "models.json");
}
