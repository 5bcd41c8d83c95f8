import { variableOf } from "../models/askedModel.js";
import { type ModelProfile, modelProfile, modelValues } from "../models/modelProfile.js";
import { modelServers } from "../models/modelServers.js";
import { addressOf, hostOf } from "../models/serverAddress.js";
import { visibleLine } from "../text/visibleText.js";
import { type Words, words } from "../text/words.js";
import { isSecretName, urlWithoutSecrets } from "./withoutSecrets.js";

/** Where the settings of one provider have a model's name and the server's address. */
interface Provider {
  /** The setting with the model's name. */
  readonly model: string;
  /** The setting with the address, if the provider has one. */
  readonly address?: string;
  /** The address if none is set; absent: that of the API's own maker for a `maker`, else unknown. */
  readonly usual?: string;
  readonly maker?: true;
  readonly api?: "messages";
  /** What the address must end with, where the other tool adds it by itself. */
  readonly path?: string;
}

function usual(name: string): string {
  return modelServers.find((server) => server.name === name)?.baseUrl ?? "";
}

/**
 * The providers whose servers speak an API that Rooroo speaks. Source: RooCodeInc/Roo-Code,
 * `packages/types/src/provider-settings.ts`.
 */
const providers: Readonly<Record<string, Provider>> = {
  anthropic: {
    model: "apiModelId",
    address: "anthropicBaseUrl",
    maker: true,
    api: "messages",
    path: "/v1",
  },
  "openai-native": { model: "apiModelId", address: "openAiNativeBaseUrl", maker: true },
  openai: { model: "openAiModelId", address: "openAiBaseUrl" },
  openrouter: {
    model: "openRouterModelId",
    address: "openRouterBaseUrl",
    usual: usual("OpenRouter"),
  },
  ollama: { model: "ollamaModelId", address: "ollamaBaseUrl", usual: usual("Ollama"), path: "/v1" },
  lmstudio: {
    model: "lmStudioModelId",
    address: "lmStudioBaseUrl",
    usual: usual("LM Studio"),
    path: "/v1",
  },
  gemini: { model: "apiModelId", usual: usual("Google Gemini") },
  bedrock: { model: "apiModelId" },
  deepseek: { model: "apiModelId", address: "deepSeekBaseUrl" },
  moonshot: { model: "apiModelId", address: "moonshotBaseUrl" },
  minimax: { model: "apiModelId", address: "minimaxBaseUrl" },
  doubao: { model: "apiModelId", address: "doubaoBaseUrl" },
  litellm: { model: "litellmModelId", address: "litellmBaseUrl" },
  requesty: { model: "requestyModelId", address: "requestyBaseUrl" },
  deepinfra: { model: "deepInfraModelId", address: "deepInfraBaseUrl" },
};

/** Settings that are taken over, or that mean nothing outside of the other tool. */
const settled =
  /^(?:apiProvider|id|includeMaxTokens|modelMaxTokens|modelTemperature|reasoningEffort|enableReasoningEffort|openAiCustomModelInfo|ollamaNumCtx|vsCodeLmModelSelector|awsRegion|openAiUseAzure|azureApiVersion|diffEnabled|fuzzyMatchThreshold|todoListEnabled|consecutiveMistakeLimit|openAiStreamingEnabled|awsUse\w+)$/;

type Given = Readonly<Record<string, unknown>>;

/** A profile as it can be imported, or why it cannot. */
export type ImportedProfile =
  | { readonly profile: ModelProfile; readonly notes: readonly Words[] }
  | { readonly problem: Words };

/**
 * Returns what Rooroo makes of another tool's profile. No key comes along, and no variable is named from which one would
 * be read: a file from elsewhere must not be able to send one of the user's keys to an address that it names.
 */
export function importedProfile(given: Given): ImportedProfile {
  const name = textAt(given, "apiProvider") ?? "";
  if (name === "vscode-lm") return ofEditor(given);
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider === undefined) {
    return {
      problem: words(
        "Rooroo does not know the server of the provider “{provider}”. If it speaks Chat Completions, choose “Select Model” and give its address.",
        { provider: visibleLine(name || "none", 60) },
      ),
    };
  }
  const model = textAt(given, provider.model);
  if (model === undefined) return { problem: words("It names no model.") };
  const notes: Words[] = [];
  const baseUrl = addressIn(name, provider, given, notes);
  if (typeof baseUrl === "object") return { problem: baseUrl.problem };
  const read = modelProfile.safeParse({
    model,
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(provider.api === undefined ? {} : { api: provider.api }),
    ...parameters(given),
  });
  if (!read.success) return { problem: words("Its model or address cannot be used.") };
  const unused = Object.keys(given).filter(
    (key) => !settled.test(key) && key !== provider.model && key !== provider.address,
  );
  // A number or a switch is no key, whatever its name; headers may have one, and are no key themselves.
  const isKey = (key: string) =>
    isSecretName(key) && !/headers$/i.test(key) && /string|object/.test(typeof given[key]);
  const others = unused.filter((key) => !isKey(key) && hasValue(given[key]));
  if (others.length > 0) notes.push(leftOut(others));
  notes.push(...keyNotes(read.data, unused.some(isKey)));
  return { profile: read.data, notes };
}

function keyNotes(profile: ModelProfile, hadKey: boolean): Words[] {
  const host = hostOf(addressOf(profile));
  if (!hadKey && host.startsWith("localhost")) return [];
  const variable = variableOf(profile);
  return [
    variable === ""
      ? words(
          "API keys are not imported. Set the one for {host} with “Set API Key…”, or name a variable for it in the profile's keyVariable.",
          { host },
        )
      : words(
          "API keys are not imported. Set the one for {host} with “Set API Key…”, or in {variable}.",
          {
            host,
            variable,
          },
        ),
  ];
}

/** Returns the address; `undefined` for that of the API's own maker, or why there is none. */
function addressIn(
  name: string,
  provider: Provider,
  given: Given,
  notes: Words[],
): string | undefined | { problem: Words } {
  if (name === "bedrock") {
    const region = textAt(given, "awsRegion") ?? "";
    if (!/^[a-z0-9-]{4,30}$/.test(region)) return { problem: words("It names no region.") };
    notes.push(
      words(
        "It is asked by Chat Completions and one of Bedrock's own API keys, not by an AWS profile.",
      ),
    );
    return usual("Amazon Bedrock").replace("{REGION}", region);
  }
  const written = provider.address === undefined ? undefined : textAt(given, provider.address);
  if (written === undefined) {
    if (provider.maker === true) return undefined;
    return (
      provider.usual ?? {
        problem: words(
          "It names no address, and Rooroo does not know that of “{provider}”. Choose “Select Model” and give it.",
          { provider: name },
        ),
      }
    );
  }
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    return { problem: words("Its address is not a web address.") };
  }
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  if (/\.openai\.azure\.com$/i.test(url.hostname) && !path.endsWith("/openai/v1")) {
    notes.push(words("Its address is that of Azure's newer API, which ends with /openai/v1."));
    return `${url.origin}/openai/v1`;
  }
  if (urlWithoutSecrets(written) !== written) {
    notes.push(words("What may be a password in its address is left out."));
  }
  const ending = provider.path === undefined || path.endsWith(provider.path) ? "" : provider.path;
  return `${url.origin}${path}${ending}`;
}

function parameters(given: Given): Partial<ModelProfile> {
  const info = (given["openAiCustomModelInfo"] ?? {}) as Given;
  const temperature = modelValues.temperature.safeParse(given["modelTemperature"]);
  const output = modelValues.maxOutputTokens.safeParse(
    given["modelMaxTokens"] ?? info["maxTokens"],
  );
  const context = modelValues.contextTokens.safeParse(
    given["ollamaNumCtx"] ?? info["contextWindow"],
  );
  const effort = modelValues.reasoningEffort.safeParse(given["reasoningEffort"]);
  const images = info["supportsImages"];
  return {
    ...(temperature.success ? { temperature: temperature.data } : {}),
    ...(output.success && given["includeMaxTokens"] !== false
      ? { maxOutputTokens: output.data }
      : {}),
    ...(context.success ? { contextTokens: context.data } : {}),
    ...(effort.success && given["enableReasoningEffort"] !== false
      ? { reasoningEffort: effort.data }
      : {}),
    ...(typeof images === "boolean" ? { images: images ? "on" : "off" } : {}),
  };
}

/** Returns the profile of a model that VS Code offers. */
function ofEditor(given: Given): ImportedProfile {
  const selector = (given["vsCodeLmModelSelector"] ?? {}) as Given;
  const [vendor, id] = [
    textAt(selector, "vendor"),
    textAt(selector, "id") ?? textAt(selector, "family"),
  ];
  if (vendor === undefined || id === undefined) return { problem: words("It names no model.") };
  const read = modelProfile.safeParse({ model: `vscode:${vendor}/${id}` });
  if (!read.success) return { problem: words("It names no model.") };
  return {
    profile: read.data,
    notes: [],
  };
}

function leftOut(names: readonly string[]): Words {
  const shown = names.slice(0, 8).map((name) => visibleLine(name, 40));
  const more = names.length - shown.length;
  return words("Left out: {names}.", {
    names: `${shown.join(", ")}${more > 0 ? `, and ${more} more` : ""}`,
  });
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && value !== false && value !== 0;
}

function textAt(given: Given, key: string): string | undefined {
  const value = given[key];
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" || text.length > 500 ? undefined : text;
}
