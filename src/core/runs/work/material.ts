import type { FileSystem } from "../../ports/files.js";
import { joined, listed } from "../../text/joined.js";
import { formatSize } from "../../text/textFile.js";
import { visibleLine } from "../../text/visibleText.js";
import { type Words, words } from "../../text/words.js";
import { filled, writtenLanguage } from "../../text/writtenLanguage.js";
import type { RunLayout } from "../documents/runLayout.js";
import { everyForm, runWordsIn } from "../documents/runWords.js";
import { type InputFile, inputFiles } from "./inputFiles.js";

/** A folder with material for runs, and the files in it. */
export interface MaterialFolder {
  readonly folder: string;
  readonly type: "ORIGINAL_INPUT" | "GUIDELINE_DOC";
  readonly files: readonly InputFile[];
  /** Whether it is read only if the user confirms that: it lies beside the folder that runs read. */
  readonly isAdditional: boolean;
}

/** The most names of a folder's files that the proposal lists. */
const mostNames = 20;
/** The most files, and the most characters of their beginnings, that whoever proposes is shown. */
const mostFiles = 200;
const mostBeginnings = 8_000;

/**
 * Finds the material of runs: the folders for it, and where one of them has no files, the workspace's own folder of
 * that name if it has some.
 */
export async function materialOf(files: FileSystem, layout: RunLayout): Promise<MaterialFolder[]> {
  const kinds = [
    { type: "ORIGINAL_INPUT", own: layout.assets, other: layout.otherAssets },
    { type: "GUIDELINE_DOC", own: layout.guidelines, other: layout.otherGuidelines },
  ] as const;
  const found: MaterialFolder[] = [];
  for (const { type, own, other } of kinds) {
    const there = await inputFiles(files, own);
    found.push({ folder: own, type, files: there, isAdditional: false });
    const additional =
      there.length > 0 || other === undefined ? [] : await inputFiles(files, other);
    if (additional.length > 0 && other !== undefined) {
      found.push({ folder: other, type, files: additional, isAdditional: true });
    }
  }
  return found;
}

/** Returns what the user is told of the material before anything is proposed, in a sentence or two. */
export function materialFound(material: readonly MaterialFolder[]): Words {
  const found = material.map(({ folder, files: { length: files } }) =>
    files === 0
      ? words("no files in {folder}/", { folder })
      : words("{files, plural, one {# file} other {# files}} in {folder}/", { files, folder }),
  );
  const told = words("The material: {found}.", { found: listed(found) });
  return joined(told, ...additionalMaterialNotice(material).flatMap((one) => [" ", one]));
}

/** Returns the sentence that offers the user to have further folders read; none if there are none. */
export function additionalMaterialNotice(material: readonly MaterialFolder[]): Words[] {
  const additional = material.flatMap(({ folder, isAdditional }) =>
    isAdditional ? [`${folder}/`] : [],
  );
  if (additional.length === 0) return [];
  return [
    words("If you confirm the proposal as it is, the run reads {folders}, too.", {
      folders: additional.join(", "),
    }),
  ];
}

/** Returns the list of the material for the proposal's document, one folder a line, in the language of the request. */
export function materialLines(material: readonly MaterialFolder[], request: string): string[] {
  const say = runWordsIn(writtenLanguage(request));
  return material.map(({ folder, files, isAdditional }) => {
    const names = files
      .slice(0, mostNames)
      .map(({ path, size }) => `${nameIn(folder, path)} (${formatSize(size)})`);
    const more = files.length > names.length ? [filled(say.more, files.length - names.length)] : [];
    const choice = isAdditional ? ` ${say.remove}` : "";
    const list = names.length === 0 ? "" : `: ${[...names, ...more].join(", ")}`;
    const [no, one, several] = [say.noFiles, say.oneFile, filled(say.files, files.length)];
    const count = files.length === 0 ? no : files.length === 1 ? one : several;
    return `- \`${folder}/\` ${filled(say.has, count, list)}${choice}`;
  });
}

/** Returns the folders that a run reads, by the proposal that the user has confirmed. */
export function confirmedMaterial(
  material: readonly MaterialFolder[],
  proposal: string,
): MaterialFolder[] {
  return material.filter(({ folder, isAdditional }) => !isAdditional || isListed(folder, proposal));
}

/**
 * Returns the folders that the user did not want this run to read, though another run may have: those whose line is
 * not in its proposal any more.
 */
export function declinedFolders(layout: RunLayout, proposal: string): string[] {
  const pairs = [
    [layout.assets, layout.otherAssets],
    [layout.guidelines, layout.otherGuidelines],
  ] as const;
  const counts = everyForm("noFiles");
  const none = counts.flatMap((count) => everyForm("has", count, ""));
  return pairs.flatMap(([own, other]) => {
    const hasNone = none.some((line) => proposal.includes(`\n- \`${own}/\` ${line}`));
    return other === undefined || !hasNone || isListed(other, proposal) ? [] : [other];
  });
}

function isListed(folder: string, proposal: string): boolean {
  return proposal.includes(`\n- \`${folder}/\` `);
}

/** Returns the material as whoever proposes is shown it: names, types, sizes and beginnings. */
export function materialText(material: readonly MaterialFolder[]): string {
  let left = mostBeginnings;
  const all = material.flatMap(({ folder, type, files, isAdditional }) => {
    const of = isAdditional ? `${type}, if the user confirms that ${folder}/ is read` : type;
    return files.map((file) => ({ ...file, of }));
  });
  const shown = all.slice(0, mostFiles).map(({ path, size, beginning, of }) => {
    const text = beginning.trim().slice(0, Math.max(0, left));
    left -= text.length;
    const lines = text === "" ? [] : text.split(/\r?\n/).map((line) => `    ${line}`);
    return [`${visibleLine(path, 300)} (${of}, ${formatSize(size)})`, ...lines].join("\n");
  });
  const more = all.length - shown.length;
  return (
    [...shown, ...(more > 0 ? [`(${more} more files.)`] : [])].join("\n") || "There are no files."
  );
}

/** A path can have any character; in the document it must not begin a table, a link or a line. */
function nameIn(folder: string, path: string): string {
  return visibleLine(path.slice(folder.length + 1), 100).replace(/[|`[\]<>*]/g, "·");
}
