import type { ExpertSettings } from "../../core/experts/expertSettings.js";
import { askedModel } from "../../core/models/askedModel.js";
import type { Settings } from "./settings.js";

/** Returns what experts follow, as the user's settings are now. */
export function expertSettings(settings: Settings): ExpertSettings {
  const { models } = settings;
  const modes = settings.get("modes");
  return {
    preset: settings.get("approvals.preset"),
    categories: settings.get("approvals.categories"),
    commands: { allow: settings.get("commands.allow"), deny: settings.get("commands.deny") },
    sandbox: {
      enabled: settings.get("sandbox.enabled"),
      allowedHosts: settings.get("sandbox.allowedHosts"),
    },
    modes,
    concurrency: settings.get("queue.concurrency"),
    startPlans: settings.get("plans.start"),
    isolation: settings.get("plans.isolation"),
    worktreeSetup: settings.get("plans.worktreeSetup"),
    documenter: settings.get("plans.documenter"),
    prices: settings.get("model.prices"),
    limits: { turns: settings.get("limits.turns") },
    spend: { task: settings.get("limits.task"), day: settings.get("limits.day") },
    hooks: settings.get("hooks"),
    record: settings.get("debug.record"),
    dialectFor: (slug) => modes[slug]?.dialect ?? askedModel(models, slug).asked?.dialect ?? "auto",
    contextTokensFor: (slug) => askedModel(models, slug).asked?.contextTokens,
  };
}
