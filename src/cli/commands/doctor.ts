import { saidBy } from "../../core/errors.js";
import { instructionProblems } from "../../core/experts/instructions.js";
import { addressOf } from "../../core/models/serverAddress.js";
import {
  type Finding,
  type MachineFacts,
  machineReport,
  subjectNames,
} from "../../core/navigator/overview/machineReport.js";
import { workspaceHealth } from "../../core/navigator/overview/workspaceHealth.js";
import type { SandboxAbility, Shell } from "../../core/ports/shell.js";
import { spoken, words } from "../../core/text/words.js";
import { findProgram, programFacts } from "../../node/processes/findProgram.js";
import { sandboxPlaces } from "../../node/sandbox/sandboxPlaces.js";
import { ProcessShell } from "../../node/shell/processShell.js";
import { userPlaces } from "../../node/user/userPlaces.js";
import { localServices } from "../../runtime/localServices.js";
import type { Options } from "../arguments/options.js";
import { displayWidth, padded } from "../language/displayWidth.js";
import { t } from "../language/language.js";
import { modelAsked, modelChoice } from "../session/models.js";
import { sandboxSettings, workspaceRoot } from "../session/settings.js";
import type { Style } from "../terminal/style.js";
import { terminalLine } from "../terminal/terminalText.js";
import type { Cli, Result } from "./command.js";
import { readOverview } from "./status.js";

/** Says what this machine and workspace can do. The command fails if any finding is a problem. */
export async function doctor({ options, terminal }: Cli): Promise<Result<never>> {
  const workspace = await workspaceRoot(options.workspace);
  const findings = machineReport(await machineFacts(workspace, options));
  const text = () => {
    const { style } = terminal;
    const names = findings.map(({ subject }) => t(subjectNames[subject]));
    const width = Math.max(...names.map(displayWidth));
    const lines = findings.map(({ state, text: said }, index) => {
      const name = style.bold(padded(names[index] ?? "", width));
      return `${markOf(state, style)} ${name}  ${terminalLine(spoken(said, t), 1000)}\n`;
    });
    return lines.join("");
  };
  const end = findings.some(({ state }) => state === "problem") ? "failed" : "done";
  return { end, json: () => ({ workspace, findings }), text };
}

async function machineFacts(workspace: string, options: Options): Promise<MachineFacts> {
  const shell = new ProcessShell(workspace, { sandbox: sandboxPlaces(process.env) });
  const [git, ripgrep, own, sandbox, health, model] = await Promise.all([
    programFacts(findProgram(["git"], workspace)),
    programFacts(findProgram(["rg"], workspace)),
    programFacts(shell.path),
    abilityOf(shell, options),
    healthOf(workspace),
    modelOf(options),
  ]);
  return {
    node: process.versions.node,
    git,
    ripgrep,
    shell: own,
    sandbox,
    model,
    workspace: health,
  };
}

async function abilityOf(shell: Shell, options: Options): Promise<SandboxAbility> {
  if (sandboxSettings(options, process.env).enabled === "off") {
    return {
      available: false,
      reason: words("The sandbox is switched off (--sandbox off, or ROOROO_SANDBOX)."),
    };
  }
  const ability = await shell.sandbox?.();
  return ability ?? { available: false, reason: words("There is no sandbox for this machine.") };
}

async function modelOf(options: Options): Promise<MachineFacts["model"]> {
  try {
    const { env } = process;
    const asked = modelAsked(await modelChoice(options, env), env);
    const { name, apiKey } = asked;
    return { name, server: addressOf(asked), hasKey: apiKey !== undefined };
  } catch (error) {
    return { problem: saidBy(error) };
  }
}

async function healthOf(workspace: string): Promise<MachineFacts["workspace"]> {
  try {
    const overview = await readOverview(workspace, "rooroo doctor");
    const { files } = localServices(workspace, "rooroo doctor");
    const places = userPlaces(process.env);
    const notes = await instructionProblems(files, places, overview.experts);
    return workspaceHealth(workspace, overview, notes);
  } catch (error) {
    return { path: workspace, holders: [], problems: [saidBy(error)] };
  }
}

function markOf(state: Finding["state"], { green, yellow, red }: Style): string {
  return { ok: green("✓"), note: yellow("!"), problem: red("✗") }[state];
}
