import * as z from "zod";
import type { SeenFile } from "../../../agent/seenFiles.js";
import type { PreparedCall, Tool, ToolContext, ToolResult } from "../../../agent/tool.js";
import { words } from "../../../text/words.js";
import { allOf } from "../../../tools/calls/allOf.js";
import { failed } from "../../../tools/calls/failed.js";
import { listedPath, readAction, shownPath } from "../../../tools/calls/resolvePath.js";
import { findFiles, isGlob } from "../../../tools/reading/findFiles.js";
import { readFile } from "../../../tools/reading/readFile.js";
import { inRunNames } from "./inRunNames.js";

/** The most characters of all files together. */
const maxCharacters = 60_000;

const parameters = z.object({ paths: z.array(z.string()).min(1).max(100) });
type Arguments = z.infer<typeof parameters>;

export const readManyFiles: Tool<Arguments> = {
  kind: "action",
  name: "read_many_files",
  description: "Read several files, by paths or globs.",
  parameters,
  access: "read",
  title: ({ paths }) => paths.map(shownPath).join(", "),

  async prepare({ paths }, context) {
    const room = { left: maxCharacters };
    const calls: PreparedCall[] = [];
    for (const path of new Set(paths)) {
      calls.push(await (isGlob(path) ? byGlob(path, room, context) : one(path, room, context)));
    }
    return allOf(calls, context.signal, (results) => ({
      ok: results.some(({ ok }) => ok),
      content: results.map(({ content }) => content).join("\n\n"),
    }));
  },
};

/** The characters left for the files of a call. */
interface Room {
  left: number;
}

async function one(path: string, room: Room, context: ToolContext): Promise<PreparedCall> {
  const call = inRunNames(await readFile.prepare({ path }, context));
  if ("ok" in call) return { action: undefined, run: () => Promise.resolve(call) };
  return { ...call, run: (granted) => headed(path, () => call.run(granted), room) };
}

async function byGlob(glob: string, room: Room, context: ToolContext): Promise<PreparedCall> {
  const search = await findFiles(glob, "", context);
  if ("failure" in search) {
    const failure = inRunNames<ToolResult>(search.failure);
    return { action: undefined, run: () => Promise.resolve(failure) };
  }
  const { folder } = search;
  return {
    action: readAction(
      words("Read {pattern} in {folder}", { pattern: glob, folder: shownPath(folder.path) }),
      folder,
    ),
    run: async (granted) => {
      const { paths, truncated } = await search.run();
      const found: string[] = [];
      const seen: SeenFile[] = [];
      for (const [index, path] of paths.entries()) {
        if (room.left <= 0) {
          found.push(`(${paths.length - index} more are left out for their length.)`);
          break;
        }
        const call = await readFile.prepare({ path }, context);
        // The path may be a link to a place that was not covered by the approval.
        if ("ok" in call || call.action?.access !== "read") continue;
        const { inside, path: real } = call.action;
        if (inside !== folder.inside || (inside && (await context.guard.locate(real)).secret)) {
          continue;
        }
        const read = await headed(path, () => call.run(granted), room);
        found.push(read.content);
        seen.push(...(read.seen ?? []));
      }
      if (found.length === 0) return failed(`No file fits ${glob}. Give another pattern.`);
      if (truncated) found.push(`(There are more that fit ${glob}.)`);
      return { ok: true, content: found.join("\n\n"), seen };
    },
  };
}

/** Returns a file's text below its name, cut to the characters that are left. */
async function headed(
  path: string,
  read: () => Promise<ToolResult>,
  room: Room,
): Promise<ToolResult> {
  const name = listedPath(path);
  if (room.left <= 0) return failed(`${name}: left out for its length; read it by itself.`);
  const { ok, content, seen = [] } = inRunNames<ToolResult>(await read());
  const shown = content.slice(0, room.left);
  room.left -= content.length;
  const cut = shown.length < content.length ? "\n(Cut here; read it by itself.)" : "";
  return { ok, content: `${name}:\n${shown}${cut}`, seen: cut === "" ? seen : [] };
}
