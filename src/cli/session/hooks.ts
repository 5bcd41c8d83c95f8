import { readFile } from "node:fs/promises";
import { parseJson } from "../../core/documents/parseJson.js";
import { readHooks } from "../../core/experts/hooks.js";
import { hookFile } from "../../node/user/userFolder.js";
import { WrongUse } from "../arguments/wrongUse.js";

/**
 * Returns the hooks of the user's own file, never of the workspace. Throws {@link WrongUse} if the file cannot be used,
 * because one of its hooks may be meant to refuse something.
 */
export async function givenHooks(env: NodeJS.ProcessEnv): Promise<unknown> {
  const path = hookFile(env);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new WrongUse("hookFileUnreadable", "{path} cannot be read ({cause}).", {
      path,
      cause: code,
    });
  }
  const json = parseJson(text);
  const read = json.ok ? readHooks(json.value) : { problem: "it is not JSON" };
  if ("hooks" in read) return read.hooks;
  throw new WrongUse(
    "hookFileInvalid",
    "{path} cannot be used: {problem}. See docs/hooks.md for its form.",
    { path, problem: read.problem },
  );
}
