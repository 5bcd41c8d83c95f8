import type { Options } from "../arguments/options.js";
import { givenHooks } from "./hooks.js";
import { modelAsked, modelChoice } from "./models.js";
import type { SessionOptions } from "./session.js";
import { commandRules, sandboxSettings, webSettings } from "./settings.js";

type GivenSettings = Pick<
  SessionOptions,
  | "models"
  | "web"
  | "approve"
  | "spend"
  | "concurrency"
  | "startPlans"
  | "isolation"
  | "worktreeSetup"
  | "dialect"
  | "commands"
  | "sandbox"
  | "hooks"
  | "record"
>;

/**
 * Returns the settings of a session that the command line, the environment and the user's own files of models and hooks
 * give. Throws `WrongUse` if they name no model, or are invalid.
 */
export async function givenSettings(
  options: Options,
  env: NodeJS.ProcessEnv,
): Promise<GivenSettings> {
  const models = await modelChoice(options, env);
  modelAsked(models, env);
  return {
    models,
    web: webSettings(env),
    approve: options.approve,
    spend: { task: options.limitTask, day: options.limitDay },
    concurrency: options.concurrency,
    startPlans: options.plans,
    isolation: options.isolated ? "worktree" : "none",
    worktreeSetup: options.setup,
    dialect: options.dialect,
    commands: commandRules(options),
    sandbox: sandboxSettings(options, env),
    hooks: await givenHooks(env),
    record: options.record,
  };
}
