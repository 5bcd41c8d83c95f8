import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { Language, Parser } from "web-tree-sitter";
import { once } from "../../core/once.js";

/**
 * Loads a parser for the bash grammar, one for the process: calls at the same time would have a WebAssembly module each, of
 * which the library uses the last one for all parsers (0.27.1, `Parser.init`; see `findings/web-tree-sitter-two-inits.sh`).
 * Import this file dynamically: it loads the parser's library.
 */
export const loadBashGrammar = once(async (): Promise<Parser> => {
  const [reader, grammar] = await Promise.all([
    bytesOf("web-tree-sitter/web-tree-sitter.wasm"),
    bytesOf("tree-sitter-bash/tree-sitter-bash.wasm"),
  ]);
  await Parser.init({ wasmBinary: reader });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return parser;
});

/** Reads the copy beside this file in a bundle, else the file in its npm package. */
function bytesOf(file: string): Promise<Uint8Array> {
  return readFile(
    typeof __dirname === "string"
      ? join(__dirname, basename(file))
      : createRequire(import.meta.url).resolve(file),
  );
}
