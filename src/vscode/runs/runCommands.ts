import * as vscode from "vscode";
import type { CommandId } from "../../contributions/commands.js";
import { UserError } from "../../core/errors.js";
import type { RunId } from "../../core/ids.js";
import type { RunDecision } from "../../core/runs/decideRun.js";
import type { RunOverview, RunPart } from "../../core/runs/runOverview.js";
import type { RequestedRun } from "../../core/work/requestedWork.js";
import type { ChangeReview } from "../changes/changeReview.js";
import type { ConversationPlaces } from "../panel/conversationPlaces.js";
import { shorten } from "../text/shorten.js";
import { t } from "../text/words.js";
import { askText, choose, namedBy } from "../work/choose.js";
import { bound, type CommandTable, type ContextHandler } from "../work/commandHandlers.js";
import { joined, type Row } from "../work/row.js";
import { foreignMark } from "../work/rowLooks.js";
import type { RowTree } from "../work/rowTree.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { OpenDocuments } from "../workspace/openDocuments.js";
import { partsIn, reviewRunChanges, undoRunPart } from "./runChanges.js";
import { runDocumentOf } from "./runDocuments.js";
import type { RunList } from "./runList.js";
import { partRowId, runStateLook } from "./runRows.js";

/** What the commands need of the window around the runs. */
export interface RunCommandSurroundings {
  readonly review: ChangeReview;
}

/** What drives runs in this window. */
interface RunsHere {
  start(run: RequestedRun): Promise<void>;
  decide(runId: RunId, decision: RunDecision): Promise<void>;
  drive(runId: RunId): Promise<void>;
  stop(runId: RunId): Promise<void>;
}

interface RunCommandDependencies extends RunCommandSurroundings {
  readonly workspace: CurrentWorkspace;
  readonly list: Pick<RunList, "refresh">;
  readonly driver: RunsHere;
  readonly tree: RowTree;
  readonly places: ConversationPlaces;
}

type RunHandler = ContextHandler<RunCommandDependencies>;

/** Returns a command for one run, which reads the runs from the files when it is called. */
function withRun(
  fits: (run: RunOverview) => boolean,
  work: (context: RunCommandDependencies, run: RunOverview, argument: unknown) => Promise<void>,
): RunHandler {
  return async (context, argument) => {
    const run = await chooseRun(context, argument, fits);
    if (run) await work(context, run, argument);
  };
}

const any = () => true;
const hasChanges = ({ work }: RunOverview) => work?.changes !== undefined;
const waits = ({ proposal }: RunOverview) => proposal !== null;

const startRun: RunHandler = async ({ workspace, driver }, argument) => {
  const session = workspace.require();
  const { assets, guidelines } = await (await session.works.runs()).layout();
  const prompt = t(
    "Describe the document to write. The run uses the files in {0}/ and follows {1}/. You confirm a proposal first.",
    assets,
    guidelines,
  );
  const placeHolder = t("A market report of three pages from our interviews");
  const request =
    typeof argument === "string"
      ? argument
      : await askText({ title: t("Start Run"), prompt, placeHolder });
  if (request === undefined || request.trim() === "") return;
  await driver.start({ request });
  await vscode.commands.executeCommand("rooroo.focusChat" satisfies CommandId);
};

const table = {
  "rooroo.startRun": startRun,
  "rooroo.showRun": withRun(any, async ({ workspace, places, tree }, run, argument) => {
    const { runId, tablePath, tableLine } = run;
    const work = { kind: "run", name: runId } as const;
    const { sessions = [], output } = partOf(run, tree.row(argument)) ?? {};
    for (const session of sessions) {
      if (await places.showSession(session, work)) return;
    }
    const documents = new OpenDocuments(workspace.require());
    if (output) return documents.file(output, undefined, true);
    if (!(await places.showWork(work))) await documents.file(tablePath, tableLine, true);
  }),
  "rooroo.reviewRunChanges": withRun(hasChanges, ({ review, tree }, run, argument) =>
    reviewRunChanges(run, partOf(run, tree.row(argument)), review),
  ),
  "rooroo.undoRunPart": withRun(hasChanges, async (context, run, argument) => {
    const { workspace, tree, review, list } = context;
    const runs = await workspace.require().works.runs();
    await undoRunPart(run, partOf(run, tree.row(argument)), review, runs);
    list.refresh();
  }),
  "rooroo.confirmRun": withRun(waits, ({ driver }, { runId }) =>
    driver.decide(runId, { type: "CONFIRM" }),
  ),
  "rooroo.changeProposal": withRun(waits, async ({ driver }, { runId, request }) => {
    const words = await askText({
      title: t("Change the Proposal of “{0}”", shorten(request, 40)),
      prompt: t("Describe what should change. A new proposal is then made."),
    });
    if (words !== undefined) await driver.decide(runId, { type: "MODIFY", words });
  }),
  "rooroo.cancelRun": withRun(
    ({ status }) => status !== "COMPLETED" && status !== "FAILED",
    async ({ driver }, { runId, request }) => {
      const cancel = t("Cancel Run");
      const chosen = await vscode.window.showWarningMessage(
        t("Cancel the run “{0}”? It cannot be resumed.", shorten(request, 60)),
        { modal: true, detail: t("Files that the run has written are kept.") },
        cancel,
      );
      if (chosen === cancel) await driver.decide(runId, { type: "CANCEL" });
    },
  ),
  "rooroo.resumeRun": withRun(
    ({ state }) => state === "left",
    async ({ workspace, driver }, { runId, state, holder, problems: [problem] }) => {
      if (state === "broken" && problem !== undefined) {
        await new OpenDocuments(workspace.require()).file(problem.path, problem.line);
        throw new UserError("runProblem", "Fix this problem first: {problem}", {
          problem: problem.message,
        });
      }
      if (state === "elsewhere") {
        throw new UserError("runElsewhere", "The run is running in {holder}. Stop it first.", {
          holder: holder ?? "",
        });
      }
      // Not awaited: it lasts as long as the run.
      void driver.drive(runId);
    },
  ),
  "rooroo.retryRun": withRun(
    ({ state }) => state === "failed",
    ({ driver }, { runId }) => driver.decide(runId, { type: "RETRY" }),
  ),
  "rooroo.skipRun": withRun(
    ({ canSkip }) => canSkip,
    ({ driver }, { runId }) => driver.decide(runId, { type: "SKIP" }),
  ),
  "rooroo.stopRun": withRun(
    ({ state }) => state === "here" || state === "elsewhere",
    ({ driver }, { runId }) => driver.stop(runId),
  ),
  "rooroo.openRunOutputs": async (context, argument) => {
    let path = context.tree.row(argument)?.path;
    if (path === undefined) {
      const run = await chooseRun(context, argument, ({ outputs }) => outputs.length > 0);
      path = run && (await chooseOutput(run));
    }
    if (path !== undefined) await new OpenDocuments(context.workspace.require()).file(path);
  },
  "rooroo.openProposal": withRun(
    ({ proposalPath }) => proposalPath !== null,
    async ({ workspace }, { proposalPath, request }) => {
      if (proposalPath === null) {
        throw new UserError("proposalMissing", "“{request}” has no proposal yet.", {
          request: shorten(request, 60),
        });
      }
      await new OpenDocuments(workspace.require()).file(proposalPath);
    },
  ),
  "rooroo.openRunReport": withRun(
    ({ report, failure }) => (report ?? failure) !== null,
    async ({ workspace }, { report, failure, request }) => {
      const told = report ?? failure;
      if (told === null) {
        throw new UserError("runNotEnded", "“{request}” has not ended yet.", {
          request: shorten(request, 60),
        });
      }
      await new OpenDocuments(workspace.require()).file(told.path);
    },
  ),
  "rooroo.openRunTable": async (context, argument) => {
    let { path, line } = context.tree.row(argument) ?? {};
    if (path === undefined) {
      const run = await chooseRun(context, argument, any);
      [path, line] = [run?.tablePath, run?.tableLine];
    }
    if (path !== undefined) await new OpenDocuments(context.workspace.require()).file(path, line);
  },
} satisfies CommandTable<RunCommandDependencies>;

/** Returns the commands for runs. Each takes a tree row, a file's URI, a run's id, or nothing. */
export function runCommands(dependencies: RunCommandDependencies) {
  return bound(table, dependencies);
}

export type RunCommands = ReturnType<typeof runCommands>;

/** Returns the part of the run that a row shows; `undefined` for other rows. */
function partOf({ runId, parts }: RunOverview, row: Row | undefined): RunPart | undefined {
  return partsIn(parts).find((part) => partRowId(runId, part) === row?.id);
}

/** Returns the run that a command is about, or that of the active editor, or one that the user chooses. */
async function chooseRun(
  { workspace, tree }: RunCommandDependencies,
  argument: unknown,
  fits: (run: RunOverview) => boolean,
): Promise<RunOverview | undefined> {
  const session = workspace.require();
  const runs = await session.works.runs();
  const [{ runs: all }, layout] = [await runs.overview(), await runs.layout()];
  const named = namedBy(argument, {
    tree,
    inFile: (uri) => runDocumentOf(uri, session.folder, layout)?.runId,
    fits: (runId) => all.some((run) => run.runId === runId && fits(run)),
  });
  return choose(all, named, {
    fits,
    names: ({ runId }) => [runId],
    show: (run) => ({
      label: shorten(run.request, 80) || run.runId,
      description: joined(runStateLook(run.state, t).text, foreignMark(run, t)?.text ?? ""),
      detail: run.runId,
    }),
    placeHolder: t("Select a run"),
    unknown: (run) =>
      new UserError("workspaceRunUnknown", "There is no run {run} in this workspace.", { run }),
    none: () => new UserError("noRunApplies", "There is no run that this command applies to."),
    takesOnly: ({ isForeign }) => !isForeign,
  });
}

/** Returns the run's only output, or the one that the user chooses, which may be their folder. */
async function chooseOutput({
  outputs,
  outputsPath,
  request,
}: RunOverview): Promise<string | undefined> {
  const [only, ...others] = outputs;
  if (only === undefined) {
    throw new UserError("outputsMissing", "“{request}” has no outputs yet.", {
      request: shorten(request, 60),
    });
  }
  if (others.length === 0) return only;
  const files = outputs.map((path) => ({
    label: path.slice(outputsPath.length + 1),
    iconPath: new vscode.ThemeIcon("file"),
    path,
  }));
  const folder = {
    label: t("Reveal in Explorer View"),
    iconPath: new vscode.ThemeIcon("folder-opened"),
    path: outputsPath,
  };
  const placeHolder = t("Select an output");
  const picked = await vscode.window.showQuickPick([...files, folder], { placeHolder });
  return picked?.path;
}
