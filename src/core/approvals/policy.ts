import ignore from "ignore";
import type { Intent } from "../agent/tool.js";

/**
 * What may happen unasked.
 * - `ask`: nothing that changes anything.
 * - `safe`: an expert's writes in its own place below `.rooroo/`.
 * - `all`: everything inside the workspace but protected files.
 */
export const approvalPresets = ["ask", "safe", "all"] as const;
export type ApprovalPreset = (typeof approvalPresets)[number];

/**
 * Files that steer tools, editors and agents: writing one is a way to run code or to widen
 * approvals, so every preset asks. Gitignore syntax, matched without regard to case.
 */
const protectedFiles = ignore({ ignorecase: true }).add([
  ".git",
  ".vscode",
  "*.code-workspace",
  ".rooroo",
  ".rooignore",
  ".roomodes",
  ".roo",
  ".rooroo/rules",
  ".claude",
  ".codex",
  ".cursor",
  ".clinerules",
  ".mcp.json",
  "AGENTS.md",
  "CLAUDE.md",
  "GEMINI.md",
  ".github/agents",
  ".github/hooks",
  ".github/workflows",
  ".github/copilot-instructions.md",
  ".husky",
  ".npmrc",
  ".yarnrc*",
  ".pnp.*",
  ".envrc",
]);

export function isProtected(path: string): boolean {
  return path !== "" && protectedFiles.ignores(path);
}

export interface PolicyDecision {
  readonly type: "allow" | "ask";
  /** For the person who wonders, as in `It is outside the workspace.` */
  readonly why: string;
}

/**
 * Decides without looking at the world: `intent` is already canonical. Unsure means ask.
 *
 * @param isOwn the write is to a place of the expert's own, below `.rooroo/`
 */
export function decide(intent: Intent, preset: ApprovalPreset, isOwn: boolean): PolicyDecision {
  if ("inside" in intent && !intent.inside) return ask("It is outside the workspace.");
  if (preset === "ask") return ask("Everything is asked about (approvals preset “ask”).");
  switch (intent.access) {
    case "command":
      return preset === "all"
        ? allow("Everything in the workspace is allowed (approvals preset “all”).")
        : ask("Commands are asked about.");
    case "read":
    case "write":
      if (isOwn) return allow("It is a file of the task's own.");
      if (isProtected(intent.path)) {
        return ask("It steers tools, editors or agents, so it is always asked about.");
      }
      return preset === "all"
        ? allow("Everything in the workspace is allowed (approvals preset “all”).")
        : ask("Changes of the project's files are asked about.");
    case "web":
      return ask("Requests to the internet are asked about.");
    case "tool":
      return ask("Tools that are not Rooroo's own are asked about.");
  }
}

function ask(why: string): PolicyDecision {
  return { type: "ask", why };
}

function allow(why: string): PolicyDecision {
  return { type: "allow", why };
}
