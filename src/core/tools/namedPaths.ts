import type { PathGuard } from "../agent/tool.js";
import { messageOf } from "../errors.js";
import { visibleLine } from "./visibleText.js";

/** The most texts of an input that are looked at; an input with more needs approval. */
const most = 100;

/**
 * Returns why the input of a tool that is not ours needs approval: it names a file outside the
 * workspace, or one that experts may not change without it. Any text may be a path; a path that a
 * tool makes of several texts is not recognized.
 */
export async function namedPathsConcern(
  input: unknown,
  guard: PathGuard,
): Promise<string | undefined> {
  const texts = textsIn(input);
  if (texts.length > most) return "It names too many things to look at them all.";
  for (const text of texts) {
    const path = pathOf(text);
    if (path === undefined) continue;
    try {
      const { inside, hidden, steers, ...real } = await guard.look(path);
      const name = visibleLine(real.path, 200);
      if (!inside) return `It names ${name}, which is outside the workspace.`;
      if (hidden) return `It names ${name}, which is hidden from experts.`;
      if (steers !== undefined) return `It names ${name}. ${steers}`;
    } catch (error) {
      return `It names ${visibleLine(path, 200)}, which cannot be looked at: ${messageOf(error)}`;
    }
  }
  return undefined;
}

/**
 * Returns the texts of an input at any depth, with its keys, because some tools take files by their
 * names. Stops where there are too many.
 */
function textsIn(input: unknown): string[] {
  const texts: string[] = [];
  const waiting = [input];
  while (waiting.length > 0 && texts.length <= most) {
    const value = waiting.pop();
    if (typeof value === "string") texts.push(value);
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) texts.push(...Object.keys(value).slice(0, most + 1));
    for (const one of Object.values(value).reverse() as unknown[]) waiting.push(one);
  }
  return texts;
}

function pathOf(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === "" || trimmed.length > 4096 || /[\n\0]/.test(trimmed)) return undefined;
  if (/^file:/i.test(trimmed)) return decoded(trimmed.replace(/^file:(\/\/[^/]*)?/i, ""));
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(trimmed)) return undefined;
  return trimmed.replaceAll("\\", "/").replace(/^~(?=\/|$)/, "/~");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
