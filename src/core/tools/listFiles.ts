import * as z from "zod";
import type { Tool } from "../agent/tool.js";
import { failed } from "./failed.js";
import { readIntent } from "./readIntent.js";
import { resolveInside, shownPath } from "./resolvePath.js";

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
  title: ({ path, recursive }) => shownPath(path) + (recursive === true ? " (recursive)" : ""),

  async prepare(args, { files, search, signal }) {
    const resolved = await resolveInside(args.path, files);
    if ("failure" in resolved) return resolved.failure;
    const { path } = resolved;
    const stat = await files.stat(path);
    if (!stat) return failed(`There is no folder ${args.path}. Begin with list_files of ".".`);
    if (stat.kind !== "folder") return failed(`${args.path} is a file. Use read_file.`);
    return {
      intent: readIntent(`List ${listFiles.title(args)}`, path),
      run: async () => {
        const query = { path, recursive: args.recursive ?? false, limit };
        const { paths, truncated } = await search.files(query, signal);
        if (paths.length === 0) return { ok: true, content: "(Nothing that git does not ignore.)" };
        const more = truncated ? [`(Only the first ${limit}; list a folder below instead.)`] : [];
        return { ok: true, content: [...paths, ...more].join("\n") };
      },
    };
  },
};
