import { factsText } from "../../core/models/modelFacts.js";
import { modelList } from "../../node/model/modelList.js";
import { exitCode } from "../terminal/exitCode.js";
import { modelName, serverSettings } from "../session/modelSettings.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalLine } from "../terminal/terminalText.js";

/** Prints the server's models, one per line, with what the server says they can do. */
export async function listModels(options: Options, terminal: Terminal): Promise<number> {
  const server = serverSettings(options, process.env);
  const inUse = modelName(options, process.env);
  const models = await modelList(server, new AbortController().signal);
  if (options.json === true) {
    terminal.print(`${terminalJson({ models }, 2)}\n`);
    return exitCode.done;
  }
  if (models.length === 0) terminal.print("The server lists no models.\n");
  const { bold, dim } = terminal.style;
  const width = Math.min(50, Math.max(0, ...models.map(({ name }) => name.length)));
  for (const { name, ...facts } of models) {
    const shown = terminalLine(name, 200).padEnd(width);
    const text = terminalLine(factsText(facts), 200);
    const line = `${name === inUse ? bold(shown) : shown}  ${dim(text)}`;
    terminal.print(`${line.trimEnd()}\n`);
  }
  return exitCode.done;
}
