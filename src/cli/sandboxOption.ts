import { isHostPattern } from "../core/approvals/hostPattern.js";
import type { SandboxSettings } from "../core/experts/expertSettings.js";
import type { Options } from "./options.js";
import { WrongUse } from "./wrongUse.js";

/** What was given about the sandbox. Throws {@link WrongUse} for a host that is none. */
export function sandboxOption({
  sandbox: enabled,
  allowHost: allowedHosts,
}: Options): SandboxSettings {
  const bad = allowedHosts.find((host) => !isHostPattern(host));
  if (bad === undefined) return { enabled, allowedHosts };
  throw new WrongUse(
    `--allow-host takes a host's name, as registry.example.test or *.example.test, not ${JSON.stringify(bad)}.`,
  );
}
