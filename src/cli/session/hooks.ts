import { type Hooks, readHooks } from "../../core/experts/hooks.js";
import { hookFile } from "../../node/user/userFolder.js";
import { readUserFile } from "./userFile.js";

/** Returns the hooks of the user's own file, never of the workspace. Throws as {@link readUserFile} does. */
export function givenHooks(env: NodeJS.ProcessEnv): Promise<Hooks | undefined> {
  return readUserFile(hookFile(env), "docs/hooks.md", (json) => {
    const read = readHooks(json);
    return "hooks" in read ? { content: read.hooks } : read;
  });
}
