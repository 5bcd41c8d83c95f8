import { messageOf } from "../../core/errors.js";
import {
  type Finding,
  type MachineFacts,
  machineReport,
} from "../../core/navigator/machineReport.js";
import { workspaceHealth } from "../../core/navigator/workspaceHealth.js";
import type { SandboxAbility, Shell } from "../../core/ports.js";
import { findProgram, programFacts } from "../../node/processes/findProgram.js";
import { ProcessShell } from "../../node/shell/processShell.js";
import { sandboxPlaces } from "../../node/sandbox/sandboxPlaces.js";
import { exitCode } from "../terminal/exitCode.js";
import { modelSettings } from "../session/modelSettings.js";
import type { Options } from "../session/options.js";
import { readOverview } from "../session/readOverview.js";
import { sandboxOption } from "../session/sandboxOption.js";
import type { Style } from "../terminal/style.js";
import type { Terminal } from "../terminal/terminal.js";
import { terminalJson, terminalLine } from "../terminal/terminalText.js";
import { workspaceRoot } from "../session/workspaceRoot.js";

/** Prints what this machine and workspace can do. The exit code is `failed` if any finding is a problem. */
export async function doctor(options: Options, terminal: Terminal): Promise<number> {
  const workspace = await workspaceRoot(options.workspace);
  const findings = machineReport(await machineFacts(workspace, options));
  const code = findings.some(({ state }) => state === "problem") ? exitCode.failed : exitCode.done;
  if (options.json === true) {
    terminal.print(`${terminalJson({ workspace, findings }, 2)}\n`);
    return code;
  }
  const { bold } = terminal.style;
  for (const { subject, state, text } of findings) {
    const mark = markOf(state, terminal.style);
    terminal.print(`${mark} ${bold(subject.padEnd(9))}  ${terminalLine(text, 1000)}\n`);
  }
  return code;
}

async function machineFacts(workspace: string, options: Options): Promise<MachineFacts> {
  const shell = new ProcessShell(workspace, { sandbox: sandboxPlaces(process.env) });
  const [git, ripgrep, own, sandbox, health] = await Promise.all([
    programFacts(findProgram(["git"], workspace)),
    programFacts(findProgram(["rg"], workspace)),
    programFacts(shell.path),
    abilityOf(shell, options),
    healthOf(workspace),
  ]);
  return {
    node: process.versions.node,
    git,
    ripgrep,
    shell: own,
    sandbox,
    model: modelOf(options),
    workspace: health,
  };
}

async function abilityOf(shell: Shell, options: Options): Promise<SandboxAbility> {
  if (sandboxOption(options, process.env).enabled === "off") {
    return {
      available: false,
      reason: "The sandbox is switched off (--sandbox off, or ROOROO_SANDBOX).",
    };
  }
  const ability = await shell.sandbox?.();
  return ability ?? { available: false, reason: "There is no sandbox for this machine." };
}

function modelOf(options: Options): MachineFacts["model"] {
  try {
    const { name, baseUrl, apiKey } = modelSettings(options, process.env);
    return { name, server: baseUrl ?? "", hasKey: apiKey !== undefined };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

async function healthOf(workspace: string): Promise<MachineFacts["workspace"]> {
  try {
    return workspaceHealth(workspace, await readOverview(workspace, "rooroo doctor"));
  } catch (error) {
    return { path: workspace, holders: [], problems: [messageOf(error)] };
  }
}

function markOf(state: Finding["state"], { green, yellow, red }: Style): string {
  return { ok: green("✓"), note: yellow("!"), problem: red("✗") }[state];
}
