// Writes what is generated: in package.json what VS Code reads, package.nls.json, docs/settings.md, and the lists of
// docs/protected-files.md:
//   npm run generate
//   --check   only says which of them are not up to date, and what the manifest's translations lack
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { outdatedFiles, translationFaults } from "./build/generated.mjs";
import { root } from "./root.mjs";

const outdated = await outdatedFiles();
if (process.argv.includes("--check")) {
  const faults = outdated.map(({ name }) => `${name} is not up to date: run \`npm run generate\`.`);
  faults.push(...(await translationFaults()));
  for (const fault of faults) console.log(fault);
  if (faults.length > 0) process.exitCode = 1;
} else {
  for (const { name, text } of outdated) await writeFile(join(root, name), text);
}
