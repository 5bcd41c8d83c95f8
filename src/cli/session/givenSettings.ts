import type { Options } from "../arguments/options.js";
import type { SessionOptions } from "./session.js";
import {
  commandRules,
  contextTokens,
  modelSettings,
  sandboxSettings,
  webSettings,
} from "./settings.js";

type GivenSettings = Pick<
  SessionOptions,
  | "model"
  | "web"
  | "contextTokens"
  | "approve"
  | "spend"
  | "concurrency"
  | "startPlans"
  | "dialect"
  | "commands"
  | "sandbox"
  | "record"
>;

/**
 * Returns the settings of a session that the command line and the environment give. Throws `WrongUse` if
 * they name no model, or are invalid.
 */
export function givenSettings(options: Options, env: NodeJS.ProcessEnv): GivenSettings {
  return {
    model: modelSettings(options, env),
    web: webSettings(env),
    contextTokens: contextTokens(env),
    approve: options.approve,
    spend: { task: options.limitTask, day: options.limitDay },
    concurrency: options.concurrency,
    startPlans: options.plans,
    dialect: options.dialect,
    commands: commandRules(options),
    sandbox: sandboxSettings(options, env),
    record: options.record,
  };
}
