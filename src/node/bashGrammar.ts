import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { Language, Parser } from "web-tree-sitter";
import { unpacked } from "./unpacked.js";

/** A parser for the grammar of bash; this file is to be imported dynamically. */
export async function loadBashGrammar(): Promise<Parser> {
  const [reader, grammar] = await Promise.all([
    bytesOf("web-tree-sitter/web-tree-sitter.wasm"),
    bytesOf("tree-sitter-bash/tree-sitter-bash.wasm"),
  ]);
  await Parser.init({ wasmBinary: reader });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return parser;
}

/** Packed beside this file where it is bundled, else in its package. */
async function bytesOf(file: string): Promise<Uint8Array> {
  return typeof __dirname === "string"
    ? unpacked(join(__dirname, `${basename(file)}.br`))
    : readFile(createRequire(import.meta.url).resolve(file));
}
