/**
 * What may happen unasked.
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

/** What a preset says for one category, or `deny`: it is never allowed. */
export const categoryRules = [...approvalPresets, "deny"] as const;
export type CategoryRule = (typeof categoryRules)[number];

export const categories = ["read", "write", "command", "web", "tool"] as const;
export type Category = (typeof categories)[number];
export type CategoryRules = Readonly<Partial<Record<Category, CategoryRule | undefined>>>;

export type ModeApprovals = CategoryRules & { readonly preset?: ApprovalPreset | undefined };
