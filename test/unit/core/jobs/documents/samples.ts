import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = join(import.meta.dirname, "../../../../../../test/fixtures/jobs");

/** Returns a document of `test/fixtures/jobs`, with every byte that it has. */
export function sample(name: string): string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return decoder.decode(readFileSync(join(folder, name)));
}

/** Returns the names of the samples that end so, as in `.log.md`. */
export function sampleNames(ending: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(ending));
}
