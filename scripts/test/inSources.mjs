import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** @type {Map<string, SourceMap | undefined>} */
const maps = new Map();

/**
 * Names in a stack the places of the sources in the place of those that are compiled from them. Node would do it by itself
 * with `--enable-source-maps`, but reads the map of each module for that; here those that a failure names are read.
 *
 * @param {string} stack
 */
export function inSources(stack) {
  return stack.replace(
    /(file:\/\/)?(\/[^\s()]+\.c?js):(\d+):(\d+)/g,
    (place, _scheme, path, line, column) => {
      try {
        const file = fileURLToPath(new URL(`file://${path}`));
        if (!maps.has(file)) maps.set(file, readMap(file));
        const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
        if (!entry || !("originalSource" in entry)) return place;
        const source = resolve(dirname(file), entry.originalSource);
        return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
      } catch {
        return place;
      }
    },
  );
}

/** @param {string} file */
function readMap(file) {
  const [, url = ""] = /\n\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(file, "utf8")) ?? [];
  if (url === "") return undefined;
  const [, base64] = /^data:application\/json;base64,(.*)$/.exec(url) ?? [];
  const text = base64
    ? Buffer.from(base64, "base64").toString()
    : readFileSync(resolve(dirname(file), url), "utf8");
  return new SourceMap(JSON.parse(text));
}
