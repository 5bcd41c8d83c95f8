import type { FileIntent } from "../agent/tool.js";
import type { Location } from "../ports.js";
import { visibleText } from "./visibleText.js";

/** @param what as in `Read src/cart.js`, on one line, with the path as it really is */
export function readIntent(what: string, { path, inside }: Location): FileIntent {
  const title = visibleText(what);
  return { access: "read", title, path, inside, preview: { kind: "text", text: title } };
}
