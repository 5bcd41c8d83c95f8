import { ActivityLog } from "../activity/activityLog.js";
import { PersistentModel } from "../agent/persistentModel.js";
import { Grants } from "../approvals/grants.js";
import { pricedModel } from "../agent/price.js";
import { messageOf } from "../errors.js";
import { Modes } from "../experts/modes.js";
import { SandboxUse } from "../experts/sandboxUse.js";
import { Recorder, RecordingModel } from "../models/recordingModel.js";
import type { LanguageModel } from "../ports.js";
import { MeteredModel } from "../spending/meteredModel.js";
import { Spending } from "../spending/spending.js";
import { SerialByKey } from "../serialByKey.js";
import { DiagnosticsWatch } from "../tools/problemWatch.js";
import { everyTool } from "../tools/everyTool.js";
import { ActiveWork } from "./activeWork.js";
import type { Narrator } from "../conversation/narrator.js";
import type { Parts } from "./parts.js";
import { QueueStore } from "./queueStore.js";
import { resilientFiles } from "./resilientFiles.js";
import { TaskStore } from "./taskStore.js";
import type { NavigatorWorld } from "./world.js";

/** Plain wiring, top to bottom. Only what is used is copied: a world's fields may be getters. */
export function createParts(world: NavigatorWorld, narrator: Narrator): Parts {
  const { shell, parser, search, patterns, lock, clock, ids, approver } = world;
  const { web, charts, hostTools, diagnostics } = world;
  const files = resilientFiles(world.files);
  const warn = (what: string) => (error: unknown) => {
    narrator.notice("warning", `${what} could not be written: ${messageOf(error)}`);
  };
  const recorder = new Recorder(files, clock, ids, warn("A recording"));
  const recordedIf = () => (world.settings().record === true ? recorder : undefined);
  const priced = (given: LanguageModel) => pricedModel(given, () => world.settings().prices);
  const notCounted = warnOnce(warn("What today took"));
  const asked = (given: LanguageModel): LanguageModel => {
    const model = new PersistentModel(priced(new RecordingModel(given, recordedIf)), clock);
    const { usageLog } = world;
    return usageLog === undefined ? model : new MeteredModel(model, usageLog, clock, notCounted);
  };
  const model = asked(world.model);
  const modes = new Modes(files, () => world.settings().documenter ?? false);
  return {
    experts: {
      ...{ files, shell, parser, search, patterns, clock, ids, model, approver },
      sandboxUse: new SandboxUse(
        shell,
        () => world.settings(),
        (text) => {
          narrator.notice("warning", text);
        },
      ),
      spending: new Spending({
        ...{ clock, usageLog: world.usageLog },
        limits: () => world.settings().spend,
      }),
      grants: new Grants({ clock, ids, store: world.grantStore }),
      modelFor: (slug) => {
        const own = world.modelFor?.(slug);
        return own === undefined ? model : asked(own);
      },
      modelNamed: (name) => {
        const named = world.modelNamed?.(name);
        return named === undefined ? model : asked(named);
      },
      ...(web === undefined ? {} : { web }),
      ...(charts === undefined ? {} : { charts }),
      ...(hostTools === undefined ? {} : { hostTools }),
      webSearch: () => world.webSearch?.(),
      ...(diagnostics && { problems: new DiagnosticsWatch(diagnostics, clock) }),
      ...(world.documents === undefined ? {} : { documents: world.documents }),
      tools: everyTool,
      modelsWithoutTools: new Set(),
      windows: new Map(),
      writes: new SerialByKey(),
      commandStops: new Map(),
      assignable: () => modes.assignable,
      settings: () => world.settings(),
    },
    files,
    lock,
    store: new TaskStore(files, clock),
    queue: new QueueStore(files, lock, (slug) => modes.all.has(slug)),
    active: new ActiveWork(files),
    modes,
    narrator,
    ...{ jobs: world.jobs, runs: world.runs },
    activity: new ActivityLog(files, clock, warn("The activity log")),
  };
}

function warnOnce(warn: (error: unknown) => void): (error: unknown) => void {
  let told = false;
  return (error) => {
    if (!told) warn(error);
    told = true;
  };
}
