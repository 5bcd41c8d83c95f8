import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileName } from "../model/script.mjs";
import { compiled } from "./compiled.mjs";
import { scratch } from "./scratch.mjs";
import { signerAt } from "./signerAt.mjs";

/**
 * A Navigator as the command line builds it, in a new workspace with some source files.
 *
 * @param {string} baseUrl
 * @param {{ root?: string, files?: number, fileBytes?: number, emit?: (event: any) => void }} [options]
 *   `root`: the workspace, where there is one already; it gets no source files
 */
export async function navigatorAt(baseUrl, options = {}) {
  const { files = 20, fileBytes = 2000, emit = () => {} } = options;
  const [
    { Runtime },
    { ConversationJournal },
    { BashParser },
    { DiskFileSystem },
    { FileLock },
    { OpenAiModel },
    { ProcessShell },
    { RandomIds },
    { SystemClock },
  ] = await Promise.all(
    [
      "runtime/runtime",
      "core/conversation/journal",
      "node/shell/bashParser",
      "node/files/diskFileSystem",
      "node/locks/fileLock",
      "node/model/openAiModel",
      "node/shell/processShell",
      "node/randomIds",
      "node/systemClock",
    ].map(compiled),
  );
  const root = options.root ?? (await withSources(files, fileBytes));
  const disk = new DiskFileSystem(root);
  const signer = await signerAt(root);
  const journal = new ConversationJournal(disk, signer, console.error);
  const { navigator } = new Runtime({
    files: disk,
    signer,
    // No expert of the bench's model searches or runs commands.
    shell: new ProcessShell(root),
    parser: new BashParser(),
    search: {},
    lock: new FileLock(root, "bench"),
    clock: new SystemClock(),
    ids: new RandomIds(),
    model: new OpenAiModel(async () => ({ baseUrl, name: "bench" })),
    approver: { request: async () => ({ type: "unavailable" }) },
    settings: () => ({ preset: "safe", limits: { turns: 1000, failuresInARow: 3 } }),
    emit: (event) => {
      journal.append(event);
      emit(event);
    },
  });
  return navigator;
}

/** @param {number} files @param {number} bytes Of each. */
async function withSources(files, bytes) {
  const root = await scratch();
  await mkdir(join(root, "src"));
  const content = sourceText(bytes);
  for (let n = 0; n < files; n++) await writeFile(join(root, fileName(n)), content);
  return root;
}

/** @param {number} bytes */
function sourceText(bytes) {
  const line = "export const value = { name: 'part', size: 42, tags: ['a', 'b'] };\n";
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}
