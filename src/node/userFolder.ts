import { homedir } from "node:os";
import { join, resolve } from "node:path";

/** Where the command line keeps what is the person's own on this machine. Absolute. */
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
