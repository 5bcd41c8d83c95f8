import * as z from "zod";
import type { Tool, ToolResult } from "../../agent/tool.js";
import { mayHoldSecrets } from "../../access/secretFiles.js";
import type { SearchMatch } from "../../ports/search.js";
import type { AgentFiles } from "../../access/agentFiles.js";
import type { LocatedPath } from "../../access/locatedPath.js";
import { failed } from "../failed.js";
import { listedPath, readAction, resolvePath, shownPath } from "../resolvePath.js";

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
  description:
    "Find the lines that match a regular expression in a folder or file, at most 200. Each line is matched by itself, in the syntax that Rust and JavaScript share; (?i) at the start ignores case.",
  parameters,
  access: "read",
  title: ({ path, regex, file_pattern }) =>
    `/${regex}/ in ${shownPath(path)}${(file_pattern ?? "") === "" ? "" : ` (${file_pattern ?? ""})`}`,

  async prepare(args, context) {
    const resolved = await resolvePath(args.path, context.guard);
    if ("failure" in resolved) return resolved.failure;
    const { location } = resolved;
    const { files, search, signal } = context;
    const { path } = location;
    const problem = location.inside ? await problemOf(args.path, location, files) : undefined;
    if (problem) return problem;
    const pattern = args.file_pattern?.trim() ?? "";
    const query = {
      path,
      regex: args.regex,
      limit,
      // The content of a file with secrets is shown only if the path names it and that is allowed.
      ...(location.inside && !mayHoldSecrets(path) ? { hides: mayHoldSecrets } : {}),
      ...(pattern === "" ? {} : { filePattern: pattern }),
    };
    return {
      action: readAction(`Search ${searchFiles.title({ ...args, path: location.path })}`, location),
      run: async () => {
        const late = await problemOf(args.path, location, files);
        if (late) return late;
        const { matches, truncated } = await search.matches(query, signal);
        if (matches.length === 0) return { ok: true, content: "No line matches." };
        const more = truncated ? `\n(Only the first ${limit} matches; search more narrowly.)` : "";
        return { ok: true, content: byFile(matches) + more };
      },
    };
  },
};

async function problemOf(
  given: string,
  location: LocatedPath,
  files: AgentFiles,
): Promise<ToolResult | undefined> {
  if (await files.stat(location)) return undefined;
  return failed(`There is no ${given}. Search "." or look with list_files.`);
}

function byFile(matches: readonly SearchMatch[]): string {
  const lines: string[] = [];
  let current: string | undefined;
  for (const { path, line, text } of matches) {
    if (path !== current) lines.push(...(current === undefined ? [] : [""]), listedPath(path));
    current = path;
    const shown = text.length > maxLineLength ? `${text.slice(0, maxLineLength)}…` : text;
    lines.push(`${line} | ${shown}`);
  }
  return lines.join("\n");
}
