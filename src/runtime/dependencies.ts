import { ActivityLog } from "../core/activity/activityLog.js";
import { RetryingModel } from "../core/models/retryingModel.js";
import { Permissions } from "../core/approvals/permissions.js";
import { PricedModel } from "../core/models/pricedModel.js";
import { messageOf } from "../core/errors.js";
import { Instructions } from "../core/experts/instructions.js";
import { Modes } from "../core/experts/modes.js";
import { KeptImages } from "../core/images/keptImages.js";
import { ImagingModel } from "../core/models/imagingModel.js";
import { RedactedModel } from "../core/models/redactedModel.js";
import { PendingMessages } from "../core/agent/pendingMessages.js";
import { SandboxUse } from "../core/experts/sandboxUse.js";
import { Recorder, RecordingModel } from "../core/models/recordingModel.js";
import type { Approver } from "../core/approvals/approver.js";
import type { LanguageModel } from "../core/ports/model.js";
import type { Shell } from "../core/ports/shell.js";
import { Redactor } from "../core/text/redactor.js";
import { MeteredModel } from "../core/spending/meteredModel.js";
import { Spending } from "../core/spending/spending.js";
import { KeyedQueue } from "../core/text/keyedQueue.js";
import { DiagnosticsWatch } from "../core/tools/reading/problemWatch.js";
import { everyTool } from "../core/tools/workspaceTools.js";
import { ActiveWork } from "../core/navigator/activeWork.js";
import type { EventPublisher } from "../core/conversation/eventPublisher.js";
import type { NavigatorDependencies } from "../core/navigator/navigatorDependencies.js";
import { QueueStore } from "../core/navigator/queueStore.js";
import { resilientFiles } from "../core/navigator/resilientFiles.js";
import { TaskStore } from "../core/navigator/taskStore.js";
import type { NavigatorServices } from "../core/navigator/navigatorServices.js";

/**
 * Creates the dependencies that Navigator, jobs and runs share. Copies only the fields that are used, because a
 * field of the services may be a getter.
 *
 * @param publisher receives warnings, and the events of everything that works with the dependencies
 */
export function createDependencies(
  services: NavigatorServices,
  publisher: EventPublisher,
): NavigatorDependencies {
  const {
    parser,
    search,
    patterns,
    lock,
    clock,
    ids,
    signer,
    redactor = new Redactor(),
  } = services;
  const { web, charts, hostTools, diagnostics } = services;
  const files = resilientFiles(services.files);
  const warn = (what: string) => (error: unknown) => {
    publisher.notice("warning", `${what} could not be written: ${messageOf(error)}`);
  };
  const recorder = new Recorder(files, clock, ids, warn("A recording"), redactor);
  const recordedIf = () => (services.settings().record === true ? recorder : undefined);
  const priced = (given: LanguageModel) => new PricedModel(given, () => services.settings().prices);
  const notCounted = warnOnce(warn("What today took"));
  const images = new KeptImages(files);
  const asked = (given: LanguageModel): LanguageModel => {
    const imaging = new ImagingModel(given, images);
    const recorded = new RecordingModel(new RedactedModel(imaging, redactor), recordedIf);
    const model = new RetryingModel(priced(recorded), clock);
    const { usageLog } = services;
    return usageLog === undefined ? model : new MeteredModel(model, usageLog, clock, notCounted);
  };
  const model = asked(services.model);
  const modes = new Modes(files, patterns, () => services.settings().documenter ?? false);
  return {
    experts: {
      host: {
        files,
        parser,
        search,
        shell: redactedShell(services.shell, redactor),
        ...(services.snapshots && { snapshots: services.snapshots }),
        ...(services.documents === undefined ? {} : { documents: services.documents }),
        ...(services.git && { git: services.git }),
        ...(services.commits && { commits: services.commits }),
        ...(services.editor && { editor: services.editor }),
        ...(diagnostics && { problems: new DiagnosticsWatch(diagnostics, clock) }),
        writes: new KeyedQueue(),
      },
      files,
      signer,
      patterns,
      clock,
      ids,
      model,
      redactor,
      approver: redactedApprover(services.approver, redactor),
      sandboxUse: new SandboxUse(
        services.shell,
        () => services.settings(),
        (text) => {
          publisher.notice("warning", text);
        },
      ),
      spending: new Spending({
        clock,
        usageLog: services.usageLog,
        limits: () => services.settings().spend,
      }),
      permissions: new Permissions({ clock, ids, store: services.permissionStore }),
      modelFor: (slug) => {
        const own = services.modelFor?.(slug);
        return own === undefined ? model : asked(own);
      },
      modelNamed: (name) => {
        const named = services.modelNamed?.(name);
        return named === undefined ? model : asked(named);
      },
      ...(web === undefined ? {} : { web }),
      ...(charts === undefined ? {} : { charts }),
      ...(hostTools === undefined ? {} : { hostTools }),
      webSearch: () => services.webSearch?.(),
      tools: everyTool,
      modelsWithoutTools: new Set(),
      windows: new Map(),
      commandStops: new Map(),
      messages: new PendingMessages({ files, signer, clock, ids, redactor }),
      instructions: new Instructions(files, (problem) => {
        publisher.notice("warning", problem);
      }),
      assignable: () => modes.assignable,
      settings: () => services.settings(),
    },
    files,
    lock,
    store: new TaskStore(files, clock, signer),
    queue: new QueueStore(files, lock, (slug) => modes.all.has(slug)),
    active: new ActiveWork(files, signer),
    modes,
    publisher,
    jobs: services.jobs,
    runs: services.runs,
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
    endOrphaned: () => shell.endOrphaned(),
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
