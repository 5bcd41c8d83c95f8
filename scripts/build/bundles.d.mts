import type { BuildOptions } from "esbuild";

/**
 * What is bundled, and how. What the outputs are made into afterwards is for `build.mjs` to say.
 *
 * @param options `release`: minified, without source maps; `version`: the product's
 */
export function bundles(options: {
  readonly release: boolean;
  readonly version: string;
}): Record<"chartWorker" | "extension" | "rooroo" | "panel", BuildOptions>;
