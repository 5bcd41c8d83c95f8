import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Returns the source files and packages' files that an entry point loads with itself, and their minified size. */
async function loadedWith(entryPoint: string) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entryPoint],
    outdir: "nowhere",
    write: false,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    minify: true,
    mainFields: ["module", "main"],
    external: ["vscode"],
    metafile: true,
    logLevel: "error",
  });
  const { outputs } = metafile;
  const start = new Set(
    Object.keys(outputs).filter((file) => outputs[file]?.entryPoint === entryPoint),
  );
  for (const file of start) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind !== "dynamic-import" && path in outputs) start.add(path);
    }
  }
  const loaded = [...start].map((file) => outputs[file]!);
  return {
    bytes: loaded.reduce((sum, { bytes }) => sum + bytes, 0),
    // What is only of types, or not used, has no bytes.
    inputs: loaded.flatMap(({ inputs }) =>
      Object.keys(inputs).filter((path) => inputs[path]!.bytesInOutput > 0),
    ),
  };
}

describe("what is loaded at the start", () => {
  it("is, in a window, what shows and watches: nothing that works, asks models or the web", async () => {
    const { bytes, inputs } = await loadedWith("src/extension.ts");
    const packages = inputs.flatMap((path) => /node_modules\/([^/]+)/.exec(path)?.[1] ?? []);
    assert.deepEqual([...new Set(packages)].sort(), ["jsonl-parse-stringify", "zod"]);
    const classic = inputs.filter((path) => path.includes("/zod/v4/classic/"));
    assert.deepEqual(classic, [], "what is loaded at the start imports zod/mini, which is smaller");
    const heavy =
      /^src\/(core\/(commands|envelope|tools\/\w+Tools|agent\/loop|navigator\/(navigator|expertRunner)|work|changes|jobs\/(?!documents\/jobNames\.ts))|node\/(web\/http|model\/openAi|shell\/processShell|search\/\w+Search)|runtime\/(services|dependencies|runtime)|windowRuntime)/;
    assert.deepEqual(
      inputs.filter((path) => heavy.test(path)),
      [],
    );
    assert.ok(bytes < 241_000, `${bytes} bytes`);
  });

  it("is, for a command line, what reads it", async () => {
    const { bytes, inputs } = await loadedWith("src/cli/main.ts");
    assert.ok(!inputs.includes("src/core/navigator/navigator.ts"));
    assert.ok(bytes < 80_500, `${bytes} bytes`);
  });
});
