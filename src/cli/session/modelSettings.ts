import type { OpenAiOptions } from "../../node/model/openAiOptions.js";
import type { Options } from "./options.js";
import { WrongUse } from "../commands/wrongUse.js";

/**
 * Reads the model settings from the command line and the environment, never from the workspace, whose
 * files must not be able to send the key elsewhere. Throws {@link WrongUse} if something is missing.
 */
export function modelSettings(options: Options, env: NodeJS.ProcessEnv): OpenAiOptions {
  const name = modelName(options, env);
  if (name === undefined) {
    throw new WrongUse(
      "No model is set. Give one with --model NAME, or set ROOROO_MODEL (rooroo model list).",
    );
  }
  return { name, ...serverSettings(options, env) };
}

export function modelName(options: Options, env: NodeJS.ProcessEnv): string | undefined {
  return given(options.model) ?? given(env["ROOROO_MODEL"]);
}

/** Reads the server's settings. Throws {@link WrongUse} if something is missing or invalid. */
export function serverSettings(
  options: Options,
  env: NodeJS.ProcessEnv,
): Pick<OpenAiOptions, "baseUrl" | "apiKey"> {
  const baseUrl = given(options.baseUrl) ?? given(env["OPENAI_BASE_URL"]);
  const apiKey = given(env["OPENAI_API_KEY"]);
  if (baseUrl === undefined && apiKey === undefined) {
    throw new WrongUse(
      "No API key is set. Set OPENAI_API_KEY; or, for another server than OpenAI's, give its address with --base-url URL or OPENAI_BASE_URL.",
    );
  }
  if (baseUrl !== undefined && !isWebAddress(baseUrl)) {
    throw new WrongUse(
      `The model's address ${JSON.stringify(baseUrl)} is not a web address. Give one like http://localhost:11434/v1.`,
    );
  }
  return {
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(apiKey === undefined ? {} : { apiKey }),
  };
}

function given(value: string | undefined): string | undefined {
  const text = value?.trim() ?? "";
  return text === "" ? undefined : text;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
