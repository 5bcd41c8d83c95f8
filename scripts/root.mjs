import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** What is downloaded for development and tests lives here, outside of what git sees. */
export const cacheFolder = join(root, ".vscode-test");
