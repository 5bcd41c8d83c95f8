import { isHostPattern } from "../../core/approvals/approvalRules.js";
import type { SandboxSettings } from "../../core/experts/expertSettings.js";
import type { Options } from "./options.js";
import { WrongUse } from "../commands/wrongUse.js";

export const sandboxUses = ["auto", "off"] as const;

/**
 * Reads the sandbox settings; the command line takes precedence over the environment. Throws
 * {@link WrongUse} for an invalid host, and for an unknown `ROOROO_SANDBOX`.
 */
export function sandboxOption(
  { sandbox, allowHost: allowedHosts }: Options,
  env: NodeJS.ProcessEnv,
): SandboxSettings {
  const bad = allowedHosts.find((host) => !isHostPattern(host));
  if (bad !== undefined) {
    throw new WrongUse(
      `--allow-host takes a host's name, as registry.example.test or *.example.test, not ${JSON.stringify(bad)}.`,
    );
  }
  return { enabled: sandbox ?? sandboxUse(env), allowedHosts };
}

function sandboxUse(env: NodeJS.ProcessEnv): "auto" | "off" {
  const given = env["ROOROO_SANDBOX"]?.trim() ?? "";
  const use = given === "" ? "auto" : sandboxUses.find((one) => one === given);
  if (use !== undefined) return use;
  throw new WrongUse(`ROOROO_SANDBOX is ${JSON.stringify(given)}. Set it to auto or off.`);
}
