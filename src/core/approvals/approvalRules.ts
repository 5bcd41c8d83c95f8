/**
 * The presets: what may run without approval.
 * - `ask`: nothing.
 * - `safe`: reading the workspace, commands that only read, an expert's writes in its own place
 *   below `.rooroo/`.
 * - `sandbox`: as `safe`; besides, every command runs in the sandbox without network (but for hosts
 *   that the person named), and project files that are not protected may be changed. Where there is
 *   no sandbox it means what `safe` means.
 * - `all`: everything but what lies outside the workspace and what is protected.
 *
 * Where there is a sandbox, commands that nobody was asked about run in it under every preset.
 */
export const approvalPresets = ["ask", "safe", "sandbox", "all"] as const;
export type ApprovalPreset = (typeof approvalPresets)[number];

/** The rule for one category: that of a preset, or `deny`, which never allows anything. */
export const categoryRules = [...approvalPresets, "deny"] as const;
export type CategoryRule = (typeof categoryRules)[number];

export const categories = ["read", "write", "command", "web", "tool"] as const;
export type Category = (typeof categories)[number];
export type CategoryRules = Readonly<Partial<Record<Category, CategoryRule | undefined>>>;

export type ModeApprovals = CategoryRules & { readonly preset?: ApprovalPreset | undefined };

/**
 * Returns `true` for a host's name, as in `registry.example.test`, and for `*.example.test`, which stands for all
 * names below it; `false` for numeric addresses and whole top-level domains.
 */
export function isHostPattern(text: string): boolean {
  if (text.length > 253 || /^[\d.]+$/.test(text)) return false;
  const isBelow = text.startsWith("*.");
  const labels = (isBelow ? text.slice(2) : text).split(".");
  if (labels.length < 2) return false;
  return labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
}
