import type { ModelsWithoutTools } from "../../core/experts/modelsWithoutTools.js";
import type { LanguageModel } from "../../core/ports/model.js";
import type { Clock } from "../../core/ports/system.js";
import type { Settings } from "../settings/settings.js";
import { bound, type CommandTable } from "../work/commandHandlers.js";
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

const table = {
  "rooroo.selectModel": async ({ settings, keys, runtime }) => {
    const { listModels, findLocalServers } = await runtime();
    const { selectModel } = await import("./selectModel.js");
    await selectModel(settings, (await keys()).modelKeys, listModels, findLocalServers);
  },
  "rooroo.testConnection": async ({ runtime, clock }) => {
    const { testConnection } = await import("./testConnection.js");
    await testConnection((await runtime()).model, clock);
  },
  "rooroo.tryToolCalling": async ({ modelsWithoutTools }) => {
    (await modelsWithoutTools()).forget();
  },
  "rooroo.switchProfile": async ({ settings }) => {
    const { switchProfile } = await import("./switchProfile.js");
    await switchProfile(settings);
  },
  "rooroo.saveProfile": async ({ settings }) => {
    const { saveProfile } = await import("./saveProfile.js");
    await saveProfile(settings);
  },
  "rooroo.setApiKey": async ({ settings, keys }) => {
    const { askKey } = await import("./askKey.js");
    await askKey(settings, (await keys()).modelKeys);
  },
  "rooroo.setWebSearchKey": async ({ keys }) => {
    await (await keys()).webSearchKey.ask();
  },
} satisfies CommandTable<ModelCommandDependencies>;

/** Returns the commands that choose and test the model, and set keys. */
export function modelCommands(dependencies: ModelCommandDependencies) {
  return bound(table, dependencies);
}
