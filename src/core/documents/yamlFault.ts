import type { YAMLError } from "yaml";
import { translatable } from "../text/translator.js";
import type { Words } from "../text/words.js";

/** The sentences for the faults that people make by hand, by the library's codes. */
const faults: Readonly<Partial<Record<YAMLError["code"], string>>> = {
  BAD_INDENT: translatable("the indentation does not fit, or a bracket is not closed"),
  TAB_AS_INDENT: translatable("a tab cannot indent"),
  DUPLICATE_KEY: translatable("a key is there twice"),
  MISSING_CHAR: translatable("a quote, bracket, colon, comma or space is missing"),
  BLOCK_AS_IMPLICIT_KEY: translatable("there is a second colon; a text with a colon needs quotes"),
  MULTILINE_IMPLICIT_KEY: translatable("the colon after a key is missing"),
  BAD_SCALAR_START: translatable("a text that begins with such a character needs quotes"),
  BAD_DQ_ESCAPE: translatable("a backslash in double quotes must be written twice"),
  BAD_ALIAS: translatable(
    "an asterisk stands for a text that has no name; a text that begins with one needs quotes",
  ),
};

/** Returns what is wrong with YAML, as it follows a colon; the library says it in English only. */
export function yamlFault({ code }: YAMLError): Words {
  return { template: faults[code] ?? translatable("this is not understood"), params: {} };
}
