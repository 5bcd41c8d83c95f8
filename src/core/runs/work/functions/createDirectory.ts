import * as z from "zod";
import type { Tool } from "../../../agent/tool.js";
import { failed } from "../../../tools/calls/failed.js";
import { resolvePath } from "../../../tools/calls/resolvePath.js";
import { preparedWrite } from "../../../tools/editing/preparedWrite.js";

const parameters = z.object({ path: z.string() });

/**
 * Creates a folder with an empty file in it, as for a run's own folders, so that it can be reviewed and
 * undone.
 */
export const createDirectory: Tool<z.infer<typeof parameters>> = {
  kind: "action",
  name: "create_directory",
  description: "Create a directory.",
  parameters,
  access: "write",
  title: ({ path }) => path,

  async prepare({ path }, context) {
    const { files, guard } = context;
    const folder = await resolvePath(path, guard);
    if ("failure" in folder) return folder.failure;
    const stat = await files.stat(folder.location);
    if (stat?.kind === "folder") {
      const content = `${path} is there already.`;
      return { action: undefined, run: () => Promise.resolve({ ok: true, content }) };
    }
    if (stat) return failed(`${path} is a file. Name another folder.`);
    const location = await guard.locate(`${folder.location.path}/.gitkeep`);
    const done = `Created ${folder.location.path}/.`;
    const after = new Uint8Array();
    return preparedWrite({ location, before: undefined, unsaved: false, after, done }, context);
  },
};
