import type { ModelsWithoutTools } from "../../core/experts/modelsWithoutTools.js";
import type { LanguageModel } from "../../core/ports/model.js";
import type { Clock } from "../../core/ports/system.js";
import type { Settings } from "../settings/settings.js";
import type { CommandHandlers } from "../work/commandHandlers.js";
import type { FindLocalServers } from "./chooseServer.js";
import type { Keys } from "./createKeys.js";
import type { ListModels } from "./selectModel.js";

/** Access to models and their servers. */
export interface ModelAccess {
  readonly listModels: ListModels;
  readonly findLocalServers: FindLocalServers;
  /** The model for all modes that name no other. */
  readonly model: LanguageModel;
}

export interface ModelCommandDependencies {
  readonly settings: Settings;
  readonly keys: () => Promise<Keys>;
  /** Loads the code that calls models' servers. */
  readonly runtime: () => Promise<ModelAccess>;
  readonly clock: Clock;
  readonly modelsWithoutTools: () => Promise<ModelsWithoutTools>;
}

/** Returns the commands that choose and test the model, and set keys. */
export function modelCommands({
  settings,
  keys,
  runtime,
  clock,
  modelsWithoutTools,
}: ModelCommandDependencies) {
  return {
    "rooroo.selectModel": async () => {
      const { listModels, findLocalServers } = await runtime();
      const { selectModel } = await import("./selectModel.js");
      await selectModel(settings, (await keys()).modelKeys, listModels, findLocalServers);
    },
    "rooroo.testConnection": async () => {
      const { testConnection } = await import("./testConnection.js");
      await testConnection((await runtime()).model, clock);
    },
    "rooroo.tryToolCalling": async () => {
      (await modelsWithoutTools()).forget();
    },
    "rooroo.switchProfile": async () => {
      const { switchProfile } = await import("./switchProfile.js");
      await switchProfile(settings);
    },
    "rooroo.saveProfile": async () => {
      const { saveProfile } = await import("./saveProfile.js");
      await saveProfile(settings);
    },
    "rooroo.setApiKey": async () => {
      const { askKey } = await import("./askKey.js");
      await askKey(settings, (await keys()).modelKeys);
    },
    "rooroo.setWebSearchKey": async () => {
      await (await keys()).webSearchKey.ask();
    },
  } satisfies CommandHandlers;
}
