import { testModel } from "../../core/models/testModel.js";
import { OpenAiModel } from "../../node/model/openAiModel.js";
import { SystemClock } from "../../node/systemClock.js";
import { exitCode } from "../terminal/exitCode.js";
import { modelSettings } from "../session/modelSettings.js";
import type { Options } from "../session/options.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalLine } from "../terminal/terminalText.js";

/** Asks the model for something small. Throws the model's own error, which says what to do. */
export async function testConnection(options: Options, terminal: Terminal): Promise<number> {
  const settings = modelSettings(options, process.env);
  const model = new OpenAiModel(() => Promise.resolve(settings));
  const test = await testModel(model, new SystemClock(), new AbortController().signal);
  if (options.json === true) {
    terminal.print(`${terminalJson({ model: settings.name, ...test }, 2)}\n`);
    return exitCode.done;
  }
  const took = `${terminalLine(settings.name, 100)} answered in ${(test.tookMs / 1000).toFixed(1)} s`;
  const tools = test.callsTools
    ? " and calls tools."
    : ", but called no tool. Experts will talk to it in envelopes instead.";
  const counts = test.countsTokens ? "" : " It does not say how many tokens that took.";
  terminal.print(`${took}${tools}${counts}\n`);
  return exitCode.done;
}
