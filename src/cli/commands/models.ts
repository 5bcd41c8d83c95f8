import { factsText } from "../../core/models/modelFacts.js";
import { testModel } from "../../core/models/testModel.js";
import { modelList } from "../../node/model/modelList.js";
import { ServerModel } from "../../node/model/serverModel.js";
import { SystemClock } from "../../node/systemClock.js";
import type { Cli, Result } from "./command.js";
import { modelName, modelSettings, serverSettings } from "../session/settings.js";
import { terminalLine } from "../terminal/terminalText.js";

/** Lists the server's models, one per line, with what the server says they can do. */
export async function listModels({ options, terminal }: Cli): Promise<Result<never>> {
  const server = serverSettings(options, process.env);
  const inUse = modelName(options, process.env);
  const models = await modelList(server, new AbortController().signal);
  const { bold, dim } = terminal.style;
  const text = () => {
    if (models.length === 0) return "The server lists no models.\n";
    const width = Math.min(50, Math.max(0, ...models.map(({ name }) => name.length)));
    const lines = models.map(({ name, ...facts }) => {
      const shown = terminalLine(name, 200).padEnd(width);
      const about = dim(terminalLine(factsText(facts), 200));
      return `${`${name === inUse ? bold(shown) : shown}  ${about}`.trimEnd()}\n`;
    });
    return lines.join("");
  };
  return { end: "done", json: () => ({ models }), text };
}

/** Asks the model for something small. Throws the model's own error, which says what to do. */
export async function testConnection({ options }: Cli): Promise<Result<never>> {
  const settings = modelSettings(options, process.env);
  const model = new ServerModel(() => Promise.resolve(settings));
  const test = await testModel(model, new SystemClock(), new AbortController().signal);
  const text = () => {
    const took = `${terminalLine(settings.name, 100)} answered in ${(test.tookMs / 1000).toFixed(1)} s`;
    const tools = test.callsTools
      ? " and calls tools."
      : " but did not call a tool. Experts will use envelopes instead.";
    const counts = test.countsTokens ? "" : " It does not report token counts.";
    return `${took}${tools}${counts}\n`;
  };
  return { end: "done", json: () => ({ model: settings.name, ...test }), text };
}
