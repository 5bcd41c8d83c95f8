import type { ModelProfile } from "../../core/models/modelProfile.js";
import { ModelWindows } from "./modelWindows.js";
import { ServerModel } from "./serverModel.js";
import { serverOptions } from "./serverOptions.js";

/** Creates the models of servers; the same profile returns the same object, which remembers what its server refuses. */
export class ServerModels {
  private readonly made = new Map<string, ServerModel>();
  private readonly windows = new ModelWindows();

  /** @param keyFor returns the key for a profile's server; called before every request */
  constructor(private readonly keyFor: (profile: ModelProfile) => Promise<string | undefined>) {}

  of(profile: ModelProfile): ServerModel {
    const id = JSON.stringify(profile);
    const settings = async () => serverOptions(profile, await this.keyFor(profile));
    const model = this.made.get(id) ?? new ServerModel(settings, this.windows);
    this.made.set(id, model);
    return model;
  }
}
