import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { UserPlaces } from "../../core/access/userPlaces.js";

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

/**
 * Returns the user's own folders of skills and commands: those of this program, the one that agents share
 * (https://agentskills.io), and those of the programs whose workspace folders are read, too.
 */
export function userPlaces(env: NodeJS.ProcessEnv): UserPlaces {
  const homes = [".agents", ".roo", ".claude"].map((name) => join(homedir(), name));
  const below = (name: string) => [userFolder(env), ...homes].map((home) => join(home, name));
  return { skills: below("skills"), commands: below("commands") };
}
