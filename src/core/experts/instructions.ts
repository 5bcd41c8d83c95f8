import type { FileSystem } from "../ports.js";

/** Characters of all instructions together; what is beyond is left out, and said to be. */
const maxLength = 24_000;

/**
 * What the workspace's own files ask of a mode, in this order: `AGENTS.md`, `.roo/rules/`,
 * `.roo/rules-<slug>/`, `.rooroo/rules/`, each folder's files by path. Where a `.roo` folder is empty
 * the single file of older days, `.roorules` or `.roorules-<slug>`, stands in for it.
 *
 * @returns Markdown; empty when there is none
 */
export async function readInstructions(files: FileSystem, slug: string): Promise<string> {
  const paths = [
    ...(await present(files, "AGENTS.md")),
    ...(await rules(files, ".roo/rules", ".roorules")),
    ...(await rules(files, `.roo/rules-${slug}`, `.roorules-${slug}`)),
    ...(await below(files, ".rooroo/rules")),
  ];
  const parts: string[] = [];
  for (const path of paths) {
    // A link out of the workspace would send a stranger's file to the model.
    if (!(await files.locate(path)).inside) continue;
    const text = new TextDecoder().decode(await files.readFile(path)).trim();
    if (text !== "") parts.push(`From ${path}:\n${text}`);
  }
  const all = parts.join("\n\n");
  return all.length <= maxLength ? all : `${all.slice(0, maxLength)}\n(The rest is left out.)`;
}

async function rules(files: FileSystem, folder: string, older: string): Promise<string[]> {
  const found = await below(files, folder);
  return found.length > 0 ? found : present(files, older);
}

async function present(files: FileSystem, path: string): Promise<string[]> {
  return (await files.stat(path))?.kind === "file" ? [path] : [];
}

async function below(files: FileSystem, folder: string): Promise<string[]> {
  const entries = await files.readDirectory(folder);
  const found: string[] = [];
  for (const { name, kind } of entries) {
    const path = `${folder}/${name}`;
    if (kind === "folder") found.push(...(await below(files, path)));
    else if (kind === "file" && !name.startsWith(".")) found.push(path);
  }
  return found;
}
