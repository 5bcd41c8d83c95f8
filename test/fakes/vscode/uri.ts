import type * as real from "vscode";
import { URI, Utils } from "vscode-uri";

/** Made of the package that VS Code's own authors publish of its `Uri`; only `joinPath` stands elsewhere there. */
export const Uri = Object.assign(URI, { joinPath: Utils.joinPath }) as unknown as typeof real.Uri;
