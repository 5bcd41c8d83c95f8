import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { isHostPattern } from "../../core/approvals/approvalRules.js";
import { type CommandRules, wordsOf } from "../../core/commands/commandRules.js";
import type { SandboxSettings } from "../../core/experts/expertSettings.js";
import type { SendRequest } from "../../node/web/httpWeb.js";
import { searchProviders } from "../../node/web/searchService.js";
import type { WebSettings } from "../../runtime/services.js";
import type { Options } from "../arguments/options.js";
import { WrongUse } from "../arguments/wrongUse.js";
import { namesProxy } from "./namesProxy.js";

/** Returns the workspace folder's absolute path. Throws {@link WrongUse} if it is not a readable folder. */
export async function workspaceRoot(given: string | undefined): Promise<string> {
  const root = resolve(given ?? ".");
  const found = await stat(root).catch(() => undefined);
  if (found === undefined) {
    throw new WrongUse(
      "workspaceMissing",
      "There is no folder {folder}. Name an existing one with --workspace.",
      { folder: root },
    );
  }
  if (!found.isDirectory()) {
    throw new WrongUse(
      "workspaceNoFolder",
      "{folder} is not a folder. Name a folder with --workspace.",
      { folder: root },
    );
  }
  try {
    await access(root, constants.R_OK | constants.X_OK);
  } catch {
    throw new WrongUse(
      "workspaceUnreadable",
      "The folder {folder} cannot be read. Change its permissions, or name another with --workspace.",
      { folder: root },
    );
  }
  return root;
}

/**
 * Reads the model's context window, in tokens, from `ROOROO_CONTEXT_TOKENS`; `undefined` if it is not set.
 * Throws {@link WrongUse} if it is not a whole number from 2000.
 */
export function contextTokens(env: NodeJS.ProcessEnv): number | undefined {
  const text = env["ROOROO_CONTEXT_TOKENS"]?.trim() ?? "";
  if (text === "") return undefined;
  const tokens = Number(text);
  if (Number.isInteger(tokens) && tokens >= 2_000) return tokens;
  throw new WrongUse(
    "contextTokensInvalid",
    "ROOROO_CONTEXT_TOKENS is {given}. Give a whole number from 2000, or leave it out.",
    { given: JSON.stringify(text) },
  );
}

/** Reads the web settings from the environment, never from the workspace. Throws {@link WrongUse}. */
export function webSettings(env: NodeJS.ProcessEnv): WebSettings {
  const privateHosts = (env["ROOROO_PRIVATE_HOSTS"] ?? "").split(/[\s,]+/).filter(Boolean);
  const pages = { privateHosts, ...(namesProxy(env) && { send: lazySend(env) }) };
  const named = env["ROOROO_SEARCH_PROVIDER"]?.trim().toLowerCase() ?? "";
  if (named === "" || named === "none") return pages;
  const provider = searchProviders.find((one) => one === named);
  if (provider === undefined) {
    throw new WrongUse(
      "searchProviderUnknown",
      "ROOROO_SEARCH_PROVIDER is {given}. Use {providers} or none.",
      { given: JSON.stringify(named), providers: searchProviders.join(", ") },
    );
  }
  const address = env["ROOROO_SEARCH_ADDRESS"] ?? "";
  const key = env["ROOROO_SEARCH_KEY"];
  return { ...pages, search: { provider, address, apiKey: () => Promise.resolve(key) } };
}

/** Returns what sends the requests for pages through the proxy; undici is loaded with the first of them. */
function lazySend(env: NodeJS.ProcessEnv): SendRequest {
  return async (...request) => {
    const { sendFollowingProxy } = await import("./followProxy.js");
    return sendFollowingProxy(env)(...request);
  };
}

/**
 * Reads the sandbox settings; the command line takes precedence over the environment. Throws
 * {@link WrongUse} for an invalid host, and for an unknown `ROOROO_SANDBOX`.
 */
export function sandboxSettings(
  { sandbox, allowHost: allowedHosts }: Options,
  env: NodeJS.ProcessEnv,
): SandboxSettings {
  const bad = allowedHosts.find((host) => !isHostPattern(host));
  if (bad !== undefined) {
    throw new WrongUse(
      "hostInvalid",
      "--allow-host takes the name of a host, such as registry.example.test or *.example.test, not {given}.",
      { given: JSON.stringify(bad) },
    );
  }
  return { enabled: sandbox ?? sandboxUse(env), allowedHosts };
}

function sandboxUse(env: NodeJS.ProcessEnv): "auto" | "off" {
  const given = env["ROOROO_SANDBOX"]?.trim() ?? "";
  const use = given === "" ? "auto" : (["auto", "off"] as const).find((one) => one === given);
  if (use !== undefined) return use;
  throw new WrongUse("sandboxSettingInvalid", "ROOROO_SANDBOX is {given}. Set it to auto or off.", {
    given: JSON.stringify(given),
  });
}

/** Returns the command rules from the options. Throws {@link WrongUse} if one is invalid. */
export function commandRules({ allowCommand: allow, denyCommand: deny }: Options): CommandRules {
  const bad = [...allow, ...deny].find((rule) => wordsOf(rule) === undefined);
  if (bad === undefined) return { allow, deny };
  throw new WrongUse(
    "commandRuleInvalid",
    '{given} is not a rule for commands. Give the first words of one command, as "npm test" or "git commit -m *".',
    { given: JSON.stringify(bad) },
  );
}
