import * as vscode from "vscode";
import { UserError } from "../../core/errors.js";
import type { RunOverview } from "../../core/runs/runOverview.js";
import { chooseRun } from "./chooseRun.js";
import type { CurrentWorkspace } from "../workspace/currentWorkspace.js";
import { OpenDocuments } from "../workspace/openDocuments.js";
import type { RowTree } from "../work/rowTree.js";
import { runDocumentOf } from "./runDocumentOf.js";
import type { RunDriver } from "./runDriver.js";
import type { RunNode } from "./runRows.js";
import { shorten } from "../shorten.js";

export interface RunCommandParts {
  readonly workspace: CurrentWorkspace;
  readonly driver: RunDriver;
  readonly tree: RowTree<RunNode>;
}

/** Returns the commands for runs. Each takes a tree row, a file's URI, a run's id, or nothing. */
export function runCommands({ workspace, driver, tree }: RunCommandParts) {
  const { t } = vscode.l10n;
  const open = async (path: string, line?: number): Promise<void> => {
    const { folder, files } = workspace.require();
    await new OpenDocuments(folder, files).file(path, line);
  };
  const rowOf = (argument: unknown): RunNode | undefined =>
    typeof argument === "string" ? tree.node(argument) : undefined;
  const choose = async (
    argument: unknown,
    fits: (run: RunOverview) => boolean,
  ): Promise<RunOverview | undefined> => {
    const session = workspace.require();
    const runs = await session.runs();
    const [{ runs: all }, layout] = [await runs.overview(), await runs.layout()];
    const inFile = (uri: vscode.Uri | undefined) =>
      uri && runDocumentOf(uri, session.folder, layout)?.runId;
    const inEditor = inFile(vscode.window.activeTextEditor?.document.uri);
    const shown = all.find((run) => run.runId === inEditor && fits(run))?.runId;
    const named =
      argument instanceof vscode.Uri
        ? inFile(argument)
        : (rowOf(argument)?.runId ?? (typeof argument === "string" ? argument : shown));
    return chooseRun(all, named, fits);
  };
  const waits = ({ proposal }: RunOverview) => proposal !== null;

  return {
    "rooroo.startRun": async (argument: unknown) => {
      const session = workspace.require();
      const { assets, guidelines } = await (await session.runs()).layout();
      const request =
        typeof argument === "string"
          ? argument
          : await vscode.window.showInputBox({
              title: t("Start Run"),
              prompt: t(
                "What is to be written? It works from what is in {0}/, and holds to what {1}/ says. You confirm a proposal first.",
                assets,
                guidelines,
              ),
              placeHolder: t("A market report of three pages from our interviews"),
              ignoreFocusOut: true,
            });
      if (request === undefined || request.trim() === "") return;
      await driver.start(request);
      await vscode.commands.executeCommand("rooroo.runs.focus");
    },
    "rooroo.confirmRun": async (argument: unknown) => {
      const run = await choose(argument, waits);
      if (run) await driver.decide(run.runId, { type: "CONFIRM" });
    },
    "rooroo.changeProposal": async (argument: unknown) => {
      const run = await choose(argument, waits);
      if (run === undefined) return;
      const words = await vscode.window.showInputBox({
        title: t("Change the Proposal of “{0}”", shorten(run.request, 40)),
        prompt: t("What is to change? A new proposal is made then."),
        ignoreFocusOut: true,
      });
      if (words === undefined || words.trim() === "") return;
      await driver.decide(run.runId, { type: "MODIFY", words });
    },
    "rooroo.cancelRun": async (argument: unknown) => {
      const isOpen = ({ status }: RunOverview) => status !== "COMPLETED" && status !== "FAILED";
      const run = await choose(argument, isOpen);
      if (run === undefined) return;
      const cancel = t("Cancel Run");
      const title = shorten(run.request, 60);
      const chosen = await vscode.window.showWarningMessage(
        t("Cancel the run “{0}” for good?", title),
        { modal: true, detail: t("What it has made stays where it is.") },
        cancel,
      );
      if (chosen === cancel) await driver.decide(run.runId, { type: "CANCEL" });
    },
    "rooroo.resumeRun": async (argument: unknown) => {
      const run = await choose(argument, ({ state }) => state === "left");
      if (run === undefined) return;
      const [problem] = run.problems;
      if (run.state === "broken" && problem !== undefined) {
        await open(problem.path, problem.line);
        throw new UserError(t("Mend this first: {0}", problem.message));
      }
      if (run.state === "elsewhere") {
        throw new UserError(t("The run goes on in {0}.", run.holder ?? ""));
      }
      // Not awaited: it lasts as long as the run.
      void driver.goOn(run.runId);
    },
    "rooroo.stopRun": async (argument: unknown) => {
      const run = await choose(argument, ({ state }) => state === "here");
      if (run?.state === "elsewhere") {
        throw new UserError(t("The run goes on in {0}. Stop it there.", run.holder ?? ""));
      }
      if (run) await driver.stop(run.runId);
    },
    "rooroo.openRunOutputs": async (argument: unknown) => {
      const row = rowOf(argument);
      if (row?.kind === "output") return open(row.path);
      if (row?.kind === "part" && row.part.output !== null) return open(row.part.output);
      const run = await choose(argument, ({ outputs }) => outputs.length > 0);
      if (run === undefined) return;
      const [only, ...others] = run.outputs;
      if (only === undefined) {
        throw new UserError(t("“{0}” has handed over nothing yet.", shorten(run.request, 60)));
      }
      if (others.length === 0) return open(only);
      const files = run.outputs.map((path) => ({
        label: path.slice(run.outputsPath.length + 1),
        iconPath: new vscode.ThemeIcon("file"),
        path,
      }));
      const folder = {
        label: t("Show in Explorer"),
        iconPath: new vscode.ThemeIcon("folder-opened"),
        path: run.outputsPath,
      };
      const placeHolder = t("Which output?");
      const picked = await vscode.window.showQuickPick([...files, folder], { placeHolder });
      if (picked) await open(picked.path);
    },
    "rooroo.openProposal": async (argument: unknown) => {
      const run = await choose(argument, ({ proposalPath }) => proposalPath !== null);
      if (run === undefined) return;
      if (run.proposalPath === null) {
        throw new UserError(t("“{0}” has no proposal yet.", shorten(run.request, 60)));
      }
      await open(run.proposalPath);
    },
    "rooroo.openRunReport": async (argument: unknown) => {
      const run = await choose(argument, ({ report, failure }) => (report ?? failure) !== null);
      if (run === undefined) return;
      const told = run.report ?? run.failure;
      if (told === null) {
        throw new UserError(t("“{0}” is not over yet.", shorten(run.request, 60)));
      }
      await open(told.path);
    },
    "rooroo.openRunTable": async (argument: unknown) => {
      const row = rowOf(argument);
      if (row?.kind === "problem") return open(row.problem.path, row.problem.line);
      const run = await choose(argument, () => true);
      if (run) await open(run.tablePath, run.tableLine);
    },
  };
}
