import { ruleFor, type Policy } from "../approvals/policy.js";
import type { SandboxAbility, Shell } from "../ports/shell.js";
import { type Said, words } from "../text/words.js";
import type { ExpertSettings } from "./expertSettings.js";

const switchedOff: Extract<SandboxAbility, { available: false }> = {
  available: false,
  reason: "",
};

/**
 * Decides whether experts' commands run in the sandbox, by what the machine can do and the user has set.
 */
export class SandboxUse {
  #isTold = false;

  /** @param tell shows a notice to the person */
  constructor(
    private readonly shell: Pick<Shell, "sandbox">,
    private readonly settings: () => ExpertSettings,
    private readonly tell: (text: Said) => void,
  ) {}

  /**
   * Returns whether a mode's commands that run without approval run in the sandbox. Tells the user,
   * once, when their settings rely on the sandbox and it is not available.
   *
   * @param slug the mode's
   * @returns `undefined` when commands run without the sandbox
   */
  async of(slug: string): Promise<{ readonly direct: boolean } | undefined> {
    const { rule } = ruleFor("command", policyOf(slug, this.settings()));
    if (rule === "ask" || rule === "deny") return undefined;
    const ability = await this.#ability();
    if (ability?.available === true) return { direct: ability.direct === true };
    if (rule === "sandbox" && !this.#isTold) {
      this.#isTold = true;
      const reason = whyWithout(ability);
      this.tell(
        words(
          'Commands cannot run in a sandbox here, so you are asked about those that do more than read, as with "safe". {reason}',
          { reason },
        ),
      );
    }
    return undefined;
  }

  /**
   * Returns whether the user's own hooks run in the sandbox; whether experts' commands are asked about does not matter.
   *
   * @returns `undefined` when they run without the sandbox
   */
  async ofHooks(): Promise<{ readonly direct: boolean } | undefined> {
    const ability = await this.#ability();
    return ability?.available === true ? { direct: ability.direct === true } : undefined;
  }

  async #ability(): Promise<SandboxAbility | undefined> {
    const isOff = this.settings().sandbox?.enabled === "off";
    return isOff ? switchedOff : this.shell.sandbox?.();
  }
}

/** Returns the user's approval settings for one mode. */
export function policyOf(
  slug: string,
  { preset, categories, modes, commands }: ExpertSettings,
): Policy {
  const own = modes !== undefined && Object.hasOwn(modes, slug) ? modes[slug] : undefined;
  const deniesSome = (commands?.deny.length ?? 0) > 0;
  return { preset, categories, mode: own?.approvals, deniesSome };
}

function whyWithout(ability: Extract<SandboxAbility, { available: false }> | undefined): Said {
  if (ability === switchedOff) {
    return words("It is switched off by the setting rooroo.sandbox.enabled (or --sandbox off).");
  }
  return ability?.reason ?? words("There is none for this machine.");
}
