import { ruleFor } from "../approvals/policy.js";
import { digest } from "../text/digest.js";
import { type Words, words } from "../text/words.js";
import type { ExpertServices } from "./expertServices.js";
import { policyOf } from "./sandboxUse.js";

/** The rights of a mode's experts where nobody can be asked. */
interface Rights {
  /** The same as long as the same needs an approval: the preset, and a digest of what else decides. */
  readonly name: string;
  /** Says which rights are missing, and which preset would give them; `undefined`: none are. */
  readonly lacks: Words | undefined;
}

/**
 * Returns the rights of a mode's experts; `undefined` while a person can be asked.
 *
 * @param slug the mode's
 */
export async function unattendedRights(
  slug: string,
  experts: ExpertServices,
): Promise<Rights | undefined> {
  if (experts.approver.isUnattended !== true) return undefined;
  const settings = experts.settings();
  const { preset, categories, commands, spend } = settings;
  const policy = policyOf(slug, settings);
  const sandbox = await experts.sandboxUse.of(slug);
  const own = JSON.stringify([categories, policy.mode, commands, spend]);
  const name = `${preset}${sandbox === undefined ? "" : ", sandbox"} ${digest(own).slice(0, 6)}`;
  const asks = (category: "write" | "command"): boolean => {
    const { rule } = ruleFor(category, policy);
    return rule === "ask" || rule === "safe" || (rule === "sandbox" && sandbox === undefined);
  };
  if (!asks("write") && !asks("command")) return { name, lacks: undefined };
  const isOff = settings.sandbox?.enabled === "off";
  const hasSandbox = !isOff && (await experts.host.shell.sandbox?.())?.available === true;
  const said = { preset, wider: hasSandbox ? "sandbox" : "all" };
  const lacks = words(
    "Nobody can be asked here. Tasks that need an approval under “{preset}” are set aside, all others are done. The preset “{wider}” allows changes of files and commands (--approve {wider}, or the setting rooroo.approvals.preset).",
    said,
  );
  return { name, lacks };
}
