import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { Language, Parser } from "web-tree-sitter";

/** A parser for the grammar of bash; this file is to be imported dynamically. */
export async function loadBashGrammar(): Promise<Parser> {
  await Parser.init({ locateFile: () => located("web-tree-sitter/web-tree-sitter.wasm") });
  const parser = new Parser();
  parser.setLanguage(await Language.load(located("tree-sitter-bash/tree-sitter-bash.wasm")));
  return parser;
}

/** Beside this file where it is bundled, else in its package. */
function located(file: string): string {
  return typeof __dirname === "string"
    ? join(__dirname, basename(file))
    : createRequire(import.meta.url).resolve(file);
}
