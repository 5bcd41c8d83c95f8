import type * as z from "zod";
import type { Tool, ToolResult } from "../../agent/tool.js";
import type { PatternMatch, Patterns } from "../../ports/search.js";
import { allOf } from "../../tools/calls/allOf.js";
import { failed } from "../../tools/calls/failed.js";
import { preparedWrite } from "../../tools/editing/preparedWrite.js";
import { type TextToEdit, textToEdit } from "../../tools/editing/textToEdit.js";
import { payloads } from "../envelope.js";

/** The most places of one command; a person could not review more. */
const maxMatches = 100;

type Arguments = z.infer<typeof payloads.replace>;

/**
 * R-ENV-13: Replaces a text, or the matches of an expression, everywhere in some files: all of them or
 * none.
 */
export function replaceCommand(patterns: Patterns): Tool<Arguments> {
  return {
    kind: "action",
    name: "replace",
    description: "Replace a text or an expression in files.",
    parameters: payloads.replace,
    access: "write",
    title: ({ files, raw, regex }) => `${files.join(", ")}: ${raw ?? `/${regex ?? ""}/`}`,

    async prepare(args, context) {
      const targets = new Map<string, TextToEdit>();
      for (const path of args.files) {
        const file = await textToEdit(path, context, args.replacement);
        if ("failure" in file) return nothingWritten(file.failure);
        if ("missing" in file)
          return nothingWritten(failed(`There is no file ${path}. Name one that exists.`));
        targets.set(file.location.path, file);
      }
      const files = [...targets.values()];
      const texts = files.map(({ text }) => text);
      const matches = found(args, texts, patterns);
      if (matches.length > maxMatches) {
        return failed(
          `More than ${maxMatches} places match, so nothing was written. Name fewer files, or a narrower text.`,
        );
      }
      const writes = files.flatMap((file, index) => {
        const own = matches.filter(({ text }) => text === index);
        const after = replaced(file.text, own, args.replacement);
        if (after === file.text) return [];
        const done = `Replaced ${own.length} in ${file.location.path}.`;
        const { location, bytes: before, unsaved } = file;
        const plan = { location, before, unsaved, after: file.encode(after), done };
        return [preparedWrite(plan, context)];
      });
      if (writes.length === 0) {
        return failed(
          matches.length === 0
            ? "Nothing matches, so nothing was written. Read the files, then copy the text from there."
            : "The replacement is what is there already, so nothing was written. Go on.",
        );
      }
      return allOf(writes, context.signal, (results) => ({
        ok: results.every(({ ok }) => ok),
        content: results.map(({ content }) => content).join("\n"),
        diff: results.map(({ diff }) => diff ?? "").join(""),
      }));
    },
  };
}

function nothingWritten(failure: ToolResult): ToolResult {
  return failed(`Nothing was written. ${failure.content}`);
}

function found({ raw, regex, flags }: Arguments, texts: readonly string[], patterns: Patterns) {
  if (raw === "") return [];
  const source = raw === undefined ? (regex ?? "") : raw.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return patterns.find({ source, flags: flags ?? "" }, texts, maxMatches + 1);
}

/** Returns the text with the matches replaced. The replacement is literal: `$1` is two characters. */
function replaced(text: string, matches: readonly PatternMatch[], replacement: string): string {
  let result = "";
  let at = 0;
  for (const { start, end } of matches) {
    result += text.slice(at, start) + replacement;
    at = end;
  }
  return result + text.slice(at);
}
