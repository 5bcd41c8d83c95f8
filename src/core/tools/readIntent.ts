import type { FileIntent } from "../agent/tool.js";
import { visibleText } from "./visibleText.js";

/** @param what as in `Read src/cart.js`, on one line */
export function readIntent(what: string, path: string): FileIntent {
  const title = visibleText(what);
  return { access: "read", title, path, inside: true, preview: { kind: "text", text: title } };
}
