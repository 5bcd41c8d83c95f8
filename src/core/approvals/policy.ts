import ignore from "ignore";
import type { Intent } from "../agent/tool.js";

/**
 * What may happen unasked.
 * - `ask`: nothing that changes anything.
 * - `safe`: a task's writes in its own folder.
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

export type PolicyDecision = { readonly type: "allow" } | { readonly type: "ask" };

/**
 * Decides without looking at the world: `intent` is already canonical. Unsure means ask.
 *
 * @param ownFolder the task's folder, whose files are the task's own whatever the preset protects
 */
export function decide(intent: Intent, preset: ApprovalPreset, ownFolder: string): PolicyDecision {
  const ask: PolicyDecision = { type: "ask" };
  const allow: PolicyDecision = { type: "allow" };
  if (!intent.inside || preset === "ask") return ask;
  if (intent.access === "command") return preset === "all" ? allow : ask;
  if (intent.path.startsWith(`${ownFolder}/`)) return allow;
  if (isProtected(intent.path)) return ask;
  return preset === "all" ? allow : ask;
}
