import * as z from "zod";
import type { AgentFiles } from "../../access/agentFiles.js";
import type { LocatedPath } from "../../access/locatedPath.js";
import type { Tool, ToolResult } from "../../agent/tool.js";
import { words } from "../../text/words.js";
import { failed } from "../calls/failed.js";
import { listedPath, readAction, resolveToRead, shownPath } from "../calls/resolvePath.js";

const limit = 1000;

const parameters = z.object({
  path: z.string(),
  recursive: z.boolean().nullish(),
});
type Arguments = z.infer<typeof parameters>;

export const listFiles: Tool<Arguments> = {
  kind: "action",
  name: "list_files",
  description: "List a folder, leaving out what git ignores. `.` is the workspace.",
  parameters,
  access: "read",
  title: ({ path, recursive }) =>
    recursive === true
      ? words("{folder} (recursive)", { folder: shownPath(path) })
      : shownPath(path),

  async prepare(args, context) {
    const { files, search, signal } = context;
    const problem = (at: LocatedPath) => problemOf(args.path, at, files);
    const resolved = await resolveToRead(args.path, context.guard, problem);
    if ("failure" in resolved) return resolved.failure;
    const { location } = resolved;
    const { path } = location;
    return {
      action: readAction(
        words("List {folder}", { folder: listFiles.title({ ...args, path: location.path }) }),
        location,
      ),
      run: async () => {
        const late = await problem(location);
        if (late) return late;
        const query = { path, recursive: args.recursive ?? false, limit };
        const { paths, truncated } = await search.files(query, signal);
        if (paths.length === 0) return { ok: true, content: "(Nothing that git does not ignore.)" };
        const more = truncated ? [`(Only the first ${limit}; list a folder below instead.)`] : [];
        return { ok: true, content: [...paths.map(listedPath), ...more].join("\n") };
      },
    };
  },
};

async function problemOf(
  given: string,
  location: LocatedPath,
  files: AgentFiles,
): Promise<ToolResult | undefined> {
  const stat = await files.stat(location);
  if (!stat) return failed(`There is no folder ${given}. Begin with list_files of ".".`);
  if (stat.kind !== "folder") return failed(`${given} is a file. Use read_file.`);
  return undefined;
}
