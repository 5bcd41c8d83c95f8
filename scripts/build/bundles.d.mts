import type { BuildOptions } from "esbuild";

/**
 * Returns esbuild's options for each bundle. `build.mjs` decides what becomes of the outputs.
 *
 * @param options `release`: minified, without source maps; `version`: the product's
 */
export function bundles(options: {
  readonly release: boolean;
  readonly version: string;
}): Record<"chartWorker" | "pdfWorker" | "extension" | "rooroo" | "panel", BuildOptions>;
