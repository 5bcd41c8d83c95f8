import * as z from "zod";
import type { Tool } from "../agent/tool.js";
import type { SearchMatch } from "../ports.js";
import { failed } from "./failed.js";
import { readIntent } from "./readIntent.js";
import { resolveInside, shownPath } from "./resolvePath.js";

const limit = 200;
const maxLineLength = 300;

const parameters = z.object({
  path: z.string(),
  regex: z.string().min(1),
  file_pattern: z.string().nullish().describe("Glob, as *.ts"),
});
type Arguments = z.infer<typeof parameters>;

export const searchFiles: Tool<Arguments> = {
  kind: "action",
  name: "search_files",
  description: "Find the lines that match a regular expression in a folder or file.",
  parameters,
  access: "read",
  title: ({ path, regex, file_pattern }) =>
    `/${regex}/ in ${shownPath(path)}${(file_pattern ?? "") === "" ? "" : ` (${file_pattern ?? ""})`}`,

  async prepare(args, { files, search, signal }) {
    const resolved = await resolveInside(args.path, files);
    if ("failure" in resolved) return resolved.failure;
    const { path } = resolved;
    if (!(await files.stat(path))) {
      return failed(`There is no ${args.path}. Search "." or look with list_files.`);
    }
    const pattern = args.file_pattern?.trim() ?? "";
    const query = {
      path,
      regex: args.regex,
      limit,
      ...(pattern === "" ? {} : { filePattern: pattern }),
    };
    return {
      intent: readIntent(`Search ${searchFiles.title(args)}`, path),
      run: async () => {
        const { matches, truncated } = await search.matches(query, signal);
        if (matches.length === 0) return { ok: true, content: "No line matches." };
        const more = truncated ? `\n(Only the first ${limit} matches; search more narrowly.)` : "";
        return { ok: true, content: byFile(matches) + more };
      },
    };
  },
};

function byFile(matches: readonly SearchMatch[]): string {
  const lines: string[] = [];
  let current: string | undefined;
  for (const { path, line, text } of matches) {
    if (path !== current) lines.push(...(current === undefined ? [] : [""]), path);
    current = path;
    const shown = text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text;
    lines.push(`${line} | ${shown}`);
  }
  return lines.join("\n");
}
