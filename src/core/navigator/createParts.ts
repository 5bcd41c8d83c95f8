import { ActivityLog } from "../activity/activityLog.js";
import { RetryingModel } from "../agent/retryingModel.js";
import { Grants } from "../approvals/grants.js";
import { pricedModel } from "../agent/price.js";
import { messageOf } from "../errors.js";
import { Instructions } from "../experts/instructions.js";
import { Modes } from "../experts/modes.js";
import { RedactedModel } from "../models/redactedModel.js";
import { SandboxUse } from "../experts/sandboxUse.js";
import { Recorder, RecordingModel } from "../models/recordingModel.js";
import type { Approver } from "../approvals/approver.js";
import type { LanguageModel, Shell } from "../ports.js";
import { Redactor } from "../text/redactor.js";
import { MeteredModel } from "../spending/meteredModel.js";
import { Spending } from "../spending/spending.js";
import { SerialByKey } from "../serialByKey.js";
import { DiagnosticsWatch } from "../tools/problemWatch.js";
import { everyTool } from "../tools/workspaceTools.js";
import { ActiveWork } from "./activeWork.js";
import type { EventPublisher } from "../conversation/eventPublisher.js";
import type { Parts } from "./parts.js";
import { QueueStore } from "./queueStore.js";
import { resilientFiles } from "./resilientFiles.js";
import { TaskStore } from "./taskStore.js";
import type { NavigatorWorld } from "./world.js";

/**
 * Creates the navigator's parts. Copies only the fields that are used: a world's fields may be getters.
 */
export function createParts(world: NavigatorWorld, publisher: EventPublisher): Parts {
  const { parser, search, patterns, lock, clock, ids, signer, redactor = new Redactor() } = world;
  const { web, charts, hostTools, diagnostics } = world;
  const files = resilientFiles(world.files);
  const warn = (what: string) => (error: unknown) => {
    publisher.notice("warning", `${what} could not be written: ${messageOf(error)}`);
  };
  const recorder = new Recorder(files, clock, ids, warn("A recording"), redactor);
  const recordedIf = () => (world.settings().record === true ? recorder : undefined);
  const priced = (given: LanguageModel) => pricedModel(given, () => world.settings().prices);
  const notCounted = warnOnce(warn("What today took"));
  const asked = (given: LanguageModel): LanguageModel => {
    const recorded = new RecordingModel(new RedactedModel(given, redactor), recordedIf);
    const model = new RetryingModel(priced(recorded), clock);
    const { usageLog } = world;
    return usageLog === undefined ? model : new MeteredModel(model, usageLog, clock, notCounted);
  };
  const model = asked(world.model);
  const modes = new Modes(files, patterns, () => world.settings().documenter ?? false);
  return {
    experts: {
      files,
      signer,
      parser,
      search,
      patterns,
      clock,
      ids,
      model,
      redactor,
      shell: redactedShell(world.shell, redactor),
      approver: redactedApprover(world.approver, redactor),
      sandboxUse: new SandboxUse(
        world.shell,
        () => world.settings(),
        (text) => {
          publisher.notice("warning", text);
        },
      ),
      spending: new Spending({
        clock,
        usageLog: world.usageLog,
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
      instructions: new Instructions(files, (problem) => {
        publisher.notice("warning", problem);
      }),
      assignable: () => modes.assignable,
      settings: () => world.settings(),
    },
    files,
    lock,
    store: new TaskStore(files, clock, signer),
    queue: new QueueStore(files, lock, (slug) => modes.all.has(slug)),
    active: new ActiveWork(files, signer),
    modes,
    publisher,
    jobs: world.jobs,
    runs: world.runs,
    activity: new ActivityLog(files, clock, warn("The activity log"), redactor),
  };
}

/** Removes keys from the output of commands: live, in results and in stored files. */
function redactedShell(shell: Shell, redactor: Redactor): Shell {
  const sandbox = shell.sandbox?.bind(shell);
  return {
    get description() {
      return shell.description;
    },
    ...(sandbox === undefined ? {} : { sandbox }),
    run: (request, signal) => shell.run({ ...request, filter: () => redactor.stream() }, signal),
    endLeftBehind: () => shell.endLeftBehind(),
  };
}

/** Removes keys from approval requests, except from the text that the user may edit. */
function redactedApprover(approver: Approver, redactor: Redactor): Approver {
  return {
    request: ({ editable, ...rest }, signal) => {
      const shown = redactor.each(rest);
      return approver.request(editable === undefined ? shown : { ...shown, editable }, signal);
    },
  };
}

function warnOnce(warn: (error: unknown) => void): (error: unknown) => void {
  let told = false;
  return (error) => {
    if (!told) warn(error);
    told = true;
  };
}
