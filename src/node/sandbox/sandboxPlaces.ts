import { join } from "node:path";
import { userFolder } from "../user/userFolder.js";
import type { SandboxOptions } from "./sandbox.js";

/**
 * Returns where the product keeps what sandboxed commands write, and which of its own folders they must
 * not read.
 *
 * @param more absolute paths of further folders that are the product's own
 */
export function sandboxPlaces(
  env: NodeJS.ProcessEnv,
  more: readonly string[] = [],
): SandboxOptions {
  const own = userFolder(env);
  return { data: join(own, "sandbox"), hidden: [own, ...more] };
}
