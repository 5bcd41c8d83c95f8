import type { Policy } from "../approvals/policy.js";
import type { ExpertSettings } from "./expertSettings.js";

/** Returns the user's approval settings for one mode. */
export function policyOf(
  slug: string,
  { preset, categories, modes, commands }: ExpertSettings,
): Policy {
  const own = modes !== undefined && Object.hasOwn(modes, slug) ? modes[slug] : undefined;
  const deniesSome = (commands?.deny.length ?? 0) > 0;
  return { preset, categories, mode: own?.approvals, deniesSome };
}
