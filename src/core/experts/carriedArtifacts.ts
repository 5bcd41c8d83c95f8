import { protection } from "../access/protectedFiles.js";
import type { FileSystem } from "../ports/files.js";
import type { Shell } from "../ports/shell.js";
import { sameBytes } from "../text/textFile.js";
import { isOwn } from "./mode.js";

/** Bytes; and the most files of a task's folder that are looked at. */
const mostBytes = 100_000_000;
const mostFiles = 2_000;

/** The two places of a task's folder. */
export interface ArtifactPlaces {
  /** The checkout in which the task's commands run. */
  readonly checkout: FileSystem;
  /** The user's folder, which has the tasks' state. */
  readonly main: FileSystem;
}

/**
 * Returns a shell whose commands find what the task has put into its own folder, and whose own files there end in the
 * user's folder as all others do. Of the two places, the newer file counts. What code keeps about the task is never
 * taken from a checkout.
 *
 * @param folder the task's folder, as in `.rooroo/tasks/ID`
 */
export function shellWithArtifacts(shell: Shell, folder: string, places: ArtifactPlaces): Shell {
  const { checkout, main } = places;
  const fits = (path: string) => isArtifact(path, folder);
  const isContext = (path: string) => path === `${folder}/context.md`;
  const given = () =>
    copyNewer(folder, { from: main, to: checkout }, (path) => fits(path) || isContext(path));
  const taken = () => copyNewer(folder, { from: checkout, to: main }, fits);
  const sandbox = shell.sandbox?.bind(shell);
  return {
    get description() {
      return shell.description;
    },
    ...(sandbox === undefined ? {} : { sandbox }),
    run: async (request, signal) => {
      await given();
      const result = await shell.run(request, signal);
      await taken();
      const { layer } = result;
      if (layer === undefined) return result;
      const apply: typeof layer.apply = async (changes) => {
        const left = await layer.apply(changes);
        await taken();
        return left;
      };
      const { changes } = layer;
      const discard = () => layer.discard();
      return { ...result, layer: { changes, read: (one) => layer.read(one), apply, discard } };
    },
    endOrphaned: () => shell.endOrphaned(),
  };
}

/** Returns whether an expert may have put this file into its task's folder. */
function isArtifact(path: string, folder: string): boolean {
  return (
    isOwn("ownTaskFolder", path, folder) &&
    protection(path.replace(/^\.rooroo\//i, "")) === undefined
  );
}

/** Copies the files of a folder that fit and are newer than those in the other place. No link is followed. */
async function copyNewer(
  folder: string,
  { from, to }: { readonly from: FileSystem; readonly to: FileSystem },
  fits: (path: string) => boolean,
): Promise<void> {
  const folders = [folder];
  let files = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    if ((await from.locate(at)).path !== at) continue;
    for (const { name, kind } of await from.readDirectory(at)) {
      const path = `${at}/${name}`;
      if (!fits(path)) continue;
      if (kind === "folder") folders.push(path);
      else if (kind === "file" && ++files <= mostFiles) await copyIfNewer(path, from, to);
    }
  }
}

async function copyIfNewer(path: string, from: FileSystem, to: FileSystem): Promise<void> {
  const [own, other] = await Promise.all([from.stat(path), to.stat(path)]);
  if (own === undefined || (other !== undefined && other.modifiedAt >= own.modifiedAt)) return;
  const found = await from.readLocated(path, mostBytes);
  if (found?.bytes === undefined || found.location.path !== path) return;
  if (other === undefined) {
    await to.createFile(path, found.bytes, { located: true });
  } else if (other.kind === "file") {
    const before = await to.readFile(path);
    if (before === undefined || sameBytes(before, found.bytes)) return;
    await to.replaceFile(path, found.bytes, { expected: before, located: true });
  }
  if (own.mode !== undefined && own.mode !== other?.mode) await to.setMode(path, own.mode & 0o777);
}
