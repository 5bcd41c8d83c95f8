import * as z from "zod";
import type { Tool } from "../../../agent/tool.js";
import { words } from "../../../text/words.js";
import { listedPath, readAction, shownPath } from "../../../tools/calls/resolvePath.js";
import { findFiles } from "../../../tools/reading/findFiles.js";
import { inRunNames } from "./inRunNames.js";

const limit = 500;

const parameters = z.object({ pattern: z.string().min(1), path: z.string().nullish() });
type Arguments = z.infer<typeof parameters>;

export const globFunction: Tool<Arguments> = {
  kind: "action",
  name: "glob",
  description: "Find files by a glob, as **/*.md, newest first, with absolute paths.",
  parameters,
  access: "read",
  title: ({ pattern, path }) =>
    words("{pattern} in {folder}", { pattern, folder: shownPath(path ?? "") }),

  async prepare({ pattern, path }, context) {
    const search = await findFiles(pattern, path ?? "", context);
    if ("failure" in search) return inRunNames(search.failure);
    return {
      action: readAction(
        words("Find {pattern} in {folder}", { pattern, folder: shownPath(search.folder.path) }),
        search.folder,
      ),
      run: async () => {
        const { paths, truncated } = await search.run();
        if (paths.length === 0) return { ok: true, content: "No file fits." };
        const shown = paths.slice(0, limit).map((one) => listedPath(context.files.absolute(one)));
        const more =
          truncated || paths.length > limit
            ? ["(There are more; look for them more narrowly.)"]
            : [];
        return { ok: true, content: [...shown, ...more].join("\n") };
      },
    };
  },
};
