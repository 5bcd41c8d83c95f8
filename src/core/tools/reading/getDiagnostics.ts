import * as z from "zod";
import type { Tool } from "../../agent/tool.js";
import type { Problem } from "../../ports/editor.js";
import { failed } from "../calls/failed.js";
import { resolveInside, shownPath } from "../calls/resolvePath.js";
import { problemLines } from "./problemWatch.js";

const parameters = z.object({ path: z.string().nullish() });
type Arguments = z.infer<typeof parameters>;

export const getDiagnostics: Tool<Arguments> = {
  kind: "action",
  name: "get_diagnostics",
  description: "List the problems that the editor knows of, in a file, a folder or everywhere.",
  parameters,
  access: "read",
  needs: "problems",
  title: ({ path }) => shownPath(path ?? ""),

  async prepare(args, { files, guard, problems, signal }) {
    if (problems === undefined)
      return failed("There is no editor here to ask. Run the project's own checks.");
    const resolved = await resolveInside(args.path ?? "", guard);
    if ("failure" in resolved) return resolved.failure;
    const { location } = resolved;
    const { path } = location;
    if (path !== "" && !(await files.stat(location)))
      return failed(`There is no ${shownPath(path)}. Look with list_files.`);
    return {
      action: undefined,
      run: async () => {
        const found: Problem[] = [];
        for (const problem of await problems.now(path, signal)) {
          if ((await guard.locate(problem.path)).ignored === undefined) found.push(problem);
        }
        if (found.length > 0) return { ok: true, content: problemLines(found) };
        const content =
          "The editor knows of no problems there. In a folder it checks files that are open, and of some languages all.";
        return { ok: true, content };
      },
    };
  },
};
