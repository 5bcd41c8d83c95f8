import { askedModel, everyProfile } from "../../core/models/askedModel.js";
import { factsText } from "../../core/models/modelFacts.js";
import { addressOf } from "../../core/models/serverAddress.js";
import { testModel } from "../../core/models/testModel.js";
import { modelList } from "../../node/model/modelList.js";
import { ServerModel } from "../../node/model/serverModel.js";
import { SystemClock } from "../../node/systemClock.js";
import { modelFile } from "../../node/user/userFolder.js";
import { t } from "../language/language.js";
import { keyIn, modelAsked, modelChoice, serverAsked } from "../session/models.js";
import { terminalLine, terminalText } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";

/** Lists the server's models, one per line, with what the server says they can do. */
export async function listModels({ options, terminal }: Cli): Promise<Result<never>> {
  const server = serverAsked(await modelChoice(options, process.env), process.env);
  const { name: inUse } = server;
  const models = await modelList(server, new AbortController().signal);
  const { bold, dim } = terminal.style;
  const text = () => {
    if (models.length === 0) return `${t("The server lists no models.")}\n`;
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
  const settings = modelAsked(await modelChoice(options, process.env), process.env);
  const model = new ServerModel(() => Promise.resolve(settings));
  const test = await testModel(model, new SystemClock(), new AbortController().signal);
  const text = () => {
    const [name, seconds] = [terminalLine(settings.name, 100), (test.tookMs / 1000).toFixed(1)];
    const answered = test.callsTools
      ? t("{0} answered in {1} s and calls tools.", name, seconds)
      : t(
          "{0} answered in {1} s but did not call a tool. Experts will use envelopes instead.",
          name,
          seconds,
        );
    const counts = test.countsTokens ? "" : ` ${t("It does not report token counts.")}`;
    return `${answered}${counts}\n`;
  };
  return { end: "done", json: () => ({ model: settings.name, ...test }), text };
}

/** Lists the profiles of the user's own file, which one is in use, and which modes have one of their own. */
export async function listProfiles({ options, terminal }: Cli): Promise<Result<never>> {
  const { env } = process;
  const choice = await modelChoice(options, env);
  const profiles = everyProfile(choice)
    .filter(({ profile }) => profile !== "")
    .map(({ profile, asked }) => ({
      name: profile,
      model: asked.model,
      server: addressOf(asked),
      inUse: profile === choice.profile,
      keyVariable: asked.keyVariable ?? "",
      hasKey: keyIn(env, asked) !== undefined,
      modes: Object.keys(choice.modes).filter(
        (slug) => askedModel(choice, slug).profile === profile,
      ),
    }));
  const file = modelFile(env);
  const text = () => {
    if (profiles.length === 0) {
      return `${t("There are no model profiles. Define them in {0} (see docs/models.md).", terminalText(file))}\n`;
    }
    const { bold, dim } = terminal.style;
    const lines = profiles.map(({ name, model, server, inUse, keyVariable, hasKey, modes }) => {
      const about = [
        ...(inUse ? [t("in use")] : []),
        t("{0} at {1}", model, server),
        ...(keyVariable === ""
          ? []
          : [hasKey ? t("{0} is set", keyVariable) : t("{0} is not set", keyVariable)]),
        ...(modes.length === 0 ? [] : [t("for {0}", modes.join(", "))]),
      ];
      const shown = terminalLine(name, 100);
      return `${inUse ? bold(shown) : shown}  ${dim(terminalLine(about.join(" · "), 400))}\n`;
    });
    return lines.join("");
  };
  return { end: "done", json: () => ({ file, profiles }), text };
}
