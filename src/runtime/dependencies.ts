import { ActivityLog } from "../core/activity/activityLog.js";
import { PendingMessages } from "../core/agent/pendingMessages.js";
import type { Approver } from "../core/approvals/approver.js";
import { Permissions } from "../core/approvals/permissions.js";
import type { EventPublisher } from "../core/conversation/events/eventPublisher.js";
import { saidBy } from "../core/errors.js";
import type { ExpertServices } from "../core/experts/expertServices.js";
import { Instructions } from "../core/experts/instructions.js";
import { ModelsWithoutTools } from "../core/experts/modelsWithoutTools.js";
import { Modes } from "../core/experts/modes.js";
import { SandboxUse } from "../core/experts/sandboxUse.js";
import type { WorkspaceHost } from "../core/experts/workspaceHost.js";
import { KeptImages } from "../core/images/keptImages.js";
import { ImagingModel } from "../core/models/imagingModel.js";
import { PricedModel } from "../core/models/pricedModel.js";
import { Recorder, RecordingModel } from "../core/models/recordingModel.js";
import { RedactedModel } from "../core/models/redactedModel.js";
import { RetryingModel } from "../core/models/retryingModel.js";
import type { NavigatorDependencies } from "../core/navigator/navigatorDependencies.js";
import type { NavigatorServices } from "../core/navigator/navigatorServices.js";
import { QueueStore } from "../core/navigator/queue/queueStore.js";
import { resilientFiles } from "../core/navigator/recovery/resilientFiles.js";
import { GivenRequests } from "../core/navigator/requests/givenRequests.js";
import { ActiveWork } from "../core/navigator/tasks/activeWork.js";
import { TaskStore } from "../core/navigator/tasks/taskStore.js";
import type { FileSystem } from "../core/ports/files.js";
import type { LanguageModel } from "../core/ports/model.js";
import { MeteredModel } from "../core/spending/meteredModel.js";
import { Spending } from "../core/spending/spending.js";
import { KeyedQueue } from "../core/text/keyedQueue.js";
import { Redactor } from "../core/text/redactor.js";
import { type Said, type Words, words } from "../core/text/words.js";
import { DiagnosticsWatch } from "../core/tools/reading/problemWatch.js";
import { everyTool } from "../core/tools/workspaceTools.js";
import { redactedShell } from "./redactedShell.js";

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
  const { patterns, lock, clock, signer, redactor = new Redactor() } = services;
  const files = resilientFiles(services.files);
  const tellFailure: TellFailure = (what) => (error) => {
    const text = words("{what} could not be written: {why}", { what, why: saidBy(error) });
    publisher.notice("warning", text);
  };
  const modes = new Modes(files, patterns, () => services.settings().documenter ?? false);
  const shared = { files, redactor, publisher, modes, tellFailure };
  return {
    experts: expertServices(services, shared),
    files,
    lock,
    store: new TaskStore(files, clock, signer),
    queue: new QueueStore(files, lock, (name) => modes.named(name)),
    active: new ActiveWork(files, signer),
    requests: new GivenRequests(files, lock, signer),
    modes,
    publisher,
    planHosts: services.planHosts,
    works: services.works ?? {},
    activity: new ActivityLog(files, clock, tellFailure(words("The activity log")), redactor),
  };
}

/** Returns a function that tells the user that a file could not be written; `what` begins the sentence. */
type TellFailure = (what: Words) => (error: unknown) => void;

/** What {@link createDependencies} and its parts have in common. */
interface Shared {
  readonly files: FileSystem;
  readonly redactor: Redactor;
  readonly publisher: EventPublisher;
  readonly modes: Modes;
  readonly tellFailure: TellFailure;
}

function expertServices(services: NavigatorServices, shared: Shared): ExpertServices {
  const { patterns, clock, ids, signer, web, charts, hostTools, userPlaces, serverContent } =
    services;
  const { files, redactor, publisher, modes } = shared;
  const settings = () => services.settings();
  const warn = (text: Said): void => {
    publisher.notice("warning", text);
  };
  const layered = modelLayers(services, shared);
  const model = layered(services.model);
  const { usageLog, permissionStore: store } = services;
  return {
    host: workspaceHost(services, shared),
    files,
    signer,
    patterns,
    clock,
    ids,
    model,
    redactor,
    approver: redactedApprover(services.approver, redactor),
    sandboxUse: new SandboxUse(services.shell, settings, warn),
    spending: new Spending({ clock, usageLog, limits: () => settings().spend }),
    permissions: new Permissions({ clock, ids, store }),
    modelFor: (slug) => {
      const own = services.modelFor?.(slug);
      return own === undefined ? model : layered(own);
    },
    modelNamed: (name) => {
      const named = services.modelNamed?.(name);
      return named === undefined ? model : layered(named);
    },
    ...(web === undefined ? {} : { web }),
    ...(charts === undefined ? {} : { charts }),
    ...(userPlaces === undefined ? {} : { userPlaces }),
    ...(hostTools === undefined ? {} : { hostTools }),
    ...(serverContent === undefined ? {} : { serverContent }),
    webSearch: () => services.webSearch?.(),
    tools: everyTool,
    modelsWithoutTools: services.modelsWithoutTools ?? new ModelsWithoutTools(clock),
    windows: new Map(),
    tokenFactors: new Map(),
    commandStops: new Map(),
    messages: new PendingMessages({ files, signer, clock, ids, redactor }),
    instructions: new Instructions(files, warn, userPlaces, () => modes.problems),
    assignable: () => modes.assignable,
    settings,
  };
}

/**
 * Returns a function that puts the layers around a model that every request passes, from the outside: counts it, tries
 * it again, prices it, records it, removes keys, and puts in the images that it refers to.
 */
function modelLayers(
  services: NavigatorServices,
  { files, redactor, tellFailure }: Shared,
): (model: LanguageModel) => LanguageModel {
  const { clock, ids, usageLog } = services;
  const recorder = new Recorder(files, clock, ids, tellFailure(words("A recording")), redactor);
  const recordedIf = () => (services.settings().record === true ? recorder : undefined);
  const notCounted = onFirst(tellFailure(words("What today took")));
  const images = new KeptImages(files);
  return (given) => {
    const redacted = new RedactedModel(new ImagingModel(given, images), redactor);
    const recorded = new RecordingModel(redacted, recordedIf);
    const priced = new PricedModel(recorded, () => services.settings().prices);
    const model = new RetryingModel(priced, clock);
    return usageLog === undefined ? model : new MeteredModel(model, usageLog, clock, notCounted);
  };
}

function workspaceHost(services: NavigatorServices, { files, redactor }: Shared): WorkspaceHost {
  const { parser, search, pdf, snapshots, documents, git, commits, editor, diagnostics } = services;
  return {
    files,
    parser,
    search,
    shell: redactedShell(services.shell, redactor),
    pdf,
    ...(snapshots && { snapshots }),
    ...(documents && { documents }),
    ...(git && { git }),
    ...(commits && { commits }),
    ...(editor && { editor }),
    ...(diagnostics && { problems: new DiagnosticsWatch(diagnostics, services.clock) }),
    writes: new KeyedQueue(),
  };
}

/** Removes keys from approval requests, except from the text that the user may edit. */
function redactedApprover(approver: Approver, redactor: Redactor): Approver {
  return {
    get isUnattended() {
      return approver.isUnattended ?? false;
    },
    request: ({ editable, ...rest }, signal) => {
      const shown = redactor.each(rest);
      return approver.request(editable === undefined ? shown : { ...shown, editable }, signal);
    },
  };
}

/** Returns a function that passes its first error on, and no other. */
function onFirst(tell: (error: unknown) => void): (error: unknown) => void {
  let told = false;
  return (error) => {
    if (!told) tell(error);
    told = true;
  };
}
