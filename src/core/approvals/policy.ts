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

export type PolicyDecision = { readonly type: "allow" } | { readonly type: "ask" };

/**
 * Decides without looking at the world: `intent` is already canonical. Unsure means ask.
 *
 * @param isOwn the write is to a place of the expert's own, below `.rooroo/`
 */
export function decide(intent: Intent, preset: ApprovalPreset, isOwn: boolean): PolicyDecision {
  const ask: PolicyDecision = { type: "ask" };
  const allow: PolicyDecision = { type: "allow" };
  if (!intent.inside || preset === "ask") return ask;
  if (intent.access === "command") return preset === "all" ? allow : ask;
  if (isOwn) return allow;
  if (isProtected(intent.path)) return ask;
  return preset === "all" ? allow : ask;
}
