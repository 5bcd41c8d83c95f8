import type { FileIntent } from "../agent/tool.js";
import type { Location } from "../ports.js";
import { visibleText } from "./visibleText.js";

/**
 * Returns the proposed action of reading a path.
 *
 * @param what its title, as in `Read src/cart.js`, with the canonical path
 */
export function readIntent(what: string, { path, inside }: Location): FileIntent {
  const title = visibleText(what);
  return { access: "read", title, path, inside, preview: { kind: "text", text: title } };
}
