import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileName } from "../model/script.mjs";
import { compiled } from "./compiled.mjs";
import { scratch } from "./scratch.mjs";
import { servicesAt } from "./servicesAt.mjs";

/**
 * A Navigator as the command line builds it, in a new workspace with some source files.
 *
 * @param {string} baseUrl
 * @param {{ root?: string, files?: number, fileBytes?: number, emit?: (event: any) => void }} [options]
 *   `root`: the workspace, where there is one already; it gets no source files
 */
export async function navigatorAt(baseUrl, options = {}) {
  const { files = 20, fileBytes = 2000, emit = () => {} } = options;
  const [{ Runtime }, { ConversationJournal }, { ServerModel }] = await Promise.all(
    ["runtime/runtime", "core/conversation/store/journal", "node/model/serverModel"].map(compiled),
  );
  const root = options.root ?? (await withSources(files, fileBytes));
  const model = new ServerModel(async () => ({ baseUrl, name: "bench" }));
  const services = await servicesAt(root, model, {
    preset: "safe",
    emit: (event) => {
      journal.append(event);
      emit(event);
    },
  });
  const journal = new ConversationJournal(services.files, services.signer, console.error);
  const { navigator } = new Runtime(services);
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
