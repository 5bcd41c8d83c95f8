import type { HostTool } from "../ports/editor.js";
import { sha256 } from "../text/sha256.js";

/** Returns a hash of what a tool says of itself: a permission for it is valid only while that stays the same. */
export function definitionHash({ description, parameters }: HostTool): Promise<string> {
  return sha256(new TextEncoder().encode(JSON.stringify([description, parameters])));
}
