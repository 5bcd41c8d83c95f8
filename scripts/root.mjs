import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The folder of what is downloaded for development and tests; git ignores it. */
export const cacheFolder = join(root, ".vscode-test");
