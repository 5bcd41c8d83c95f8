import * as z from "zod";
import type { PreparedCall, Tool, ToolContext, ToolResult } from "../../agent/tool.js";
import { encodeText } from "../../text/textFile.js";
import { allOf } from "../calls/allOf.js";
import { failed } from "../calls/failed.js";
import { resolvePath } from "../calls/resolvePath.js";
import type { EditBlock } from "./editBlock.js";
import { applyBlocks, type EditedByBlocks } from "./editText.js";
import type { FileChange } from "./fileChanges.js";
import { preparedWrite } from "./preparedWrite.js";
import { readDiff } from "./readDiff.js";
import { blockFormat } from "./searchReplaceBlocks.js";
import { noSuchFile, textToEdit } from "./textToEdit.js";

const parameters = z.object({
  path: z.string(),
  diff: z.string(),
});
type Arguments = z.infer<typeof parameters>;

export const applyDiff: Tool<Arguments> = {
  kind: "action",
  name: "apply_diff",
  description: `Edit a file with blocks, a unified diff or a *** Begin Patch. :start_line: is optional:\n${blockFormat}`,
  parameters,
  access: "write",
  title: ({ path }) => path,

  async prepare({ path, diff }, context) {
    const read = readDiff(diff);
    if ("problem" in read) {
      return failed(`The diff cannot be read. ${read.problem} Write it like this:\n${blockFormat}`);
    }
    const files = await blocksByFile(path, read.changes, context);
    if (!files.has(path)) {
      return failed(
        `Nothing was written: path is ${path}, but the diff is about ${[...files.keys()].join(", ")}. Set path to the file that is meant.`,
      );
    }
    const edits = [];
    for (const [name, blocks] of files) edits.push(await editOf(name, blocks, context));
    const [only, ...others] = edits;
    return only && others.length === 0 ? finished(only) : allFiles(edits, context);
  },
};

/** Returns the blocks for each file; those for the file at `path` under this very name. */
async function blocksByFile(
  path: string,
  changes: readonly FileChange[],
  context: ToolContext,
): Promise<ReadonlyMap<string, readonly EditBlock[]>> {
  const files = new Map<string, readonly EditBlock[]>();
  for (const { names, blocks } of changes) {
    if (blocks.length === 0) continue;
    const own = names.length === 0 || (await someIs(names, path, context));
    const file = own ? path : (names.at(-1) ?? path);
    files.set(file, [...(files.get(file) ?? []), ...blocks]);
  }
  return files;
}

/** Returns whether a diff's name for a file, which may lack the folders it is in, means the file at `path`. */
async function someIs(
  names: readonly string[],
  path: string,
  { guard }: ToolContext,
): Promise<boolean> {
  const meant = await resolvePath(path, guard);
  if ("failure" in meant) return names.includes(path);
  for (const name of names) {
    const named = await resolvePath(name, guard);
    if ("failure" in named) continue;
    const [one, other] = [named.location.path, meant.location.path];
    if (one === other || other.endsWith(`/${one}`)) return true;
  }
  return false;
}

/** An edit of one file: what is to be written, or why nothing can be. */
type FileEdit =
  | { readonly write: PreparedCall; readonly isPartial: boolean; readonly notes: string }
  | { readonly failure: ToolResult };

async function editOf(
  path: string,
  blocks: readonly EditBlock[],
  context: ToolContext,
): Promise<FileEdit> {
  const added = blocks.flatMap((block) => block.replace).join("\n");
  const file = await textToEdit(path, context, added);
  if ("failure" in file) return file;
  const isNew = "missing" in file;
  if (isNew && blocks.every(({ search }) => search.length > 0)) {
    return { failure: noSuchFile(path) };
  }
  const before = isNew ? "" : file.text;
  const edited = applyBlocks(before, blocks);
  const notes = edited.notes.join("\n");
  const real = (isNew ? file.missing : file.location).path;
  if (edited.applied === 0 || (edited.text === before && edited.refused > 0)) {
    return { failure: failed(`Nothing was written to ${real}.\n${notes}`) };
  }
  if (edited.text === before && !isNew) {
    return { failure: failed(`${real} already is as the diff would make it. Go on.\n${notes}`) };
  }
  const partial = edited.refused > 0;
  const done = `${doneWords(real, isNew, edited)}\n${notes}`;
  const plan = isNew
    ? {
        location: file.missing,
        before: undefined,
        unsaved: false,
        after: encodeText(edited.text, "utf-8"),
      }
    : {
        location: file.location,
        before: file.bytes,
        unsaved: file.unsaved,
        after: file.encode(edited.text),
      };
  return {
    write: preparedWrite({ ...plan, done, partial }, context),
    isPartial: partial,
    notes: `${real}:\n${notes}`,
  };
}

function doneWords(path: string, isNew: boolean, { applied, refused }: EditedByBlocks): string {
  const done = isNew ? "Created" : "Edited";
  return refused === 0
    ? `${done} ${path}.`
    : `${done} ${path}, but only ${applied} of ${applied + refused} blocks were applied. Send those that were not once more, corrected; leave the others out.`;
}

function finished(edit: FileEdit): PreparedCall | ToolResult {
  return "failure" in edit ? edit.failure : edit.write;
}

/** Several files are written only if every block of every file can be applied. */
function allFiles(edits: readonly FileEdit[], { signal }: ToolContext): PreparedCall | ToolResult {
  const writes = edits.flatMap((edit) => ("write" in edit && !edit.isPartial ? [edit.write] : []));
  if (writes.length < edits.length) {
    const words = edits.map((edit) => ("failure" in edit ? edit.failure.content : edit.notes));
    return failed(
      `Nothing was written, because not all of the diff can be applied. Correct it, or send one call for each file.\n${words.join("\n")}`,
    );
  }
  return allOf(writes, signal, (results) => {
    const done = results.filter(({ ok }) => ok).length;
    return {
      ok: done === results.length,
      worked: done > 0,
      content: results.map(({ content }) => content).join("\n"),
      diff: results.map(({ diff }) => diff ?? "").join(""),
    };
  });
}
