import * as z from "zod";
import type { ModelFacts } from "../../core/models/modelFacts.js";
import { modelServerAt } from "../../core/models/modelServers.js";
import { openAiAddress } from "../../core/models/serverAddress.js";
import { beginningOf } from "../web/beginningOf.js";
import { valueAt } from "./contextTokens.js";
import { listedFacts } from "./listedFacts.js";
import { basicLogin } from "./openAiClient.js";
import type { ServerOptions } from "./serverOptions.js";

/** The most models that a server is asked about one by one, and the number of requests at a time. */
const mostAsked = 40;
const atATime = 4;
/** Milliseconds for all requests together; facts that are not known by then are left out. */
const timeoutMs = 2_500;
/** Bytes that are read of an answer. */
const longestAnswer = 4_000_000;

type Server = Pick<ServerOptions, "baseUrl" | "apiKey">;
type Facts = Omit<ModelFacts, "name">;

const whole = z.int().min(256).max(100_000_000);
const names = z.array(z.string());

/**
 * Returns what Ollama, LM Studio and llama.cpp report about their models beyond the list, which says
 * little; by model name. Sends nothing to other servers. Never rejects. Sources:
 * https://docs.ollama.com/api, https://lmstudio.ai/docs/developer/rest/endpoints,
 * https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md.
 *
 * @param entries the entries of the server's list of models, which show what kind of server it is
 */
export async function localFacts(
  server: Server,
  entries: readonly unknown[],
  asked: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Facts>> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const ask = (path: string, body?: object) => json(server, path, body, limit);
  switch (kindOf(server, entries)) {
    case "Ollama":
      return ollamaFacts(asked, ask);
    case "LM Studio":
      return lmStudioFacts(await ask("/api/v0/models"));
    case "llama.cpp": {
      const props = llamaCppFacts(await ask("/props"));
      return new Map(asked.length === 1 ? asked.map((name) => [name, props]) : []);
    }
    default:
      return new Map();
  }
}

/** Returns the kind of server, by the owner that its models name, else by its address. */
function kindOf({ baseUrl = openAiAddress }: Server, entries: readonly unknown[]) {
  const owners = entries.map((entry) => valueAt(entry, ["owned_by"]));
  if (owners.includes("llamacpp")) return "llama.cpp";
  if (owners.includes("organization_owner")) return "LM Studio";
  if (owners.includes("library")) return "Ollama";
  return modelServerAt(baseUrl)?.name ?? "";
}

type Ask = (path: string, body?: object) => Promise<unknown>;

async function ollamaFacts(asked: readonly string[], ask: Ask): Promise<Map<string, Facts>> {
  const facts = new Map<string, Facts>();
  const running = ollamaRunning(await ask("/api/ps"));
  const left = asked.slice(0, mostAsked);
  const work = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const shown = ollamaShown(await ask("/api/show", { model: name }));
      const contextTokens = running.get(name) ?? shown.contextTokens;
      facts.set(name, { ...shown, ...(contextTokens === undefined ? {} : { contextTokens }) });
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return facts;
}

/** Returns the context windows, in tokens, of the models that are loaded, by name. */
function ollamaRunning(answer: unknown): Map<string, number> {
  const models = valueAt(answer, ["models"]);
  return new Map(
    (Array.isArray(models) ? (models as unknown[]) : []).flatMap((model) => {
      const tokens = whole.safeParse(valueAt(model, ["context_length"]));
      const name = valueAt(model, ["name"]);
      return tokens.success && typeof name === "string" ? [[name, tokens.data] as const] : [];
    }),
  );
}

/**
 * Reads the facts of one model. The context length that it was trained with is only the most it could
 * be run with; the actual one is set elsewhere.
 */
function ollamaShown(answer: unknown): Facts {
  const can = names.safeParse(valueAt(answer, ["capabilities"]));
  const info = valueAt(answer, ["model_info"]);
  const [trained] = Object.entries(typeof info === "object" && info !== null ? info : {}).flatMap(
    ([key, value]) => (key.endsWith(".context_length") ? [whole.safeParse(value)] : []),
  );
  const parameters = valueAt(answer, ["parameters"]);
  const [, set] = /^num_ctx\s+(\d+)$/m.exec(typeof parameters === "string" ? parameters : "") ?? [];
  const contextTokens = whole.safeParse(Number(set));
  return {
    ...(contextTokens.success ? { contextTokens: contextTokens.data } : {}),
    ...(trained?.success === true ? { mostTokens: trained.data } : {}),
    ...(can.success
      ? {
          chats: can.data.includes("completion"),
          callsTools: can.data.includes("tools"),
          seesImages: can.data.includes("vision"),
        }
      : {}),
  };
}

function lmStudioFacts(answer: unknown): Map<string, Facts> {
  const data = valueAt(answer, ["data"]);
  return new Map(
    (Array.isArray(data) ? (data as unknown[]) : []).flatMap((entry) => {
      const name = valueAt(entry, ["id"]);
      if (typeof name !== "string") return [];
      const { contextTokens, ...facts } = listedFacts(name, entry);
      const isLoaded = valueAt(entry, ["loaded_context_length"]) !== undefined;
      return [[name, { ...facts, [isLoaded ? "contextTokens" : "mostTokens"]: contextTokens }]];
    }),
  );
}

/**
 * Reads the facts of the one model that llama.cpp runs. Missing tool support is not reported, because
 * llama.cpp also finds calls when the chat template does not know tools.
 */
function llamaCppFacts(answer: unknown): Facts {
  const tokens = whole.safeParse(valueAt(answer, ["default_generation_settings", "n_ctx"]));
  const calls = valueAt(answer, ["chat_template_caps", "supports_tool_calls"]);
  const sees = valueAt(answer, ["modalities", "vision"]);
  return {
    ...(tokens.success ? { contextTokens: tokens.data } : {}),
    ...(calls === true ? { callsTools: true } : {}),
    ...(typeof sees === "boolean" ? { seesImages: sees } : {}),
  };
}

/**
 * Requests JSON. Resolves with `undefined` on failure, or if the answer is no JSON, comes too late or
 * is too long.
 */
async function json(
  { baseUrl = openAiAddress, apiKey = "" }: Server,
  path: string,
  body: object | undefined,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    const url = new URL(path, baseUrl);
    const authorization = apiKey === "" ? basicLogin(url) : `Bearer ${apiKey}`;
    url.username = url.password = "";
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "error",
      signal,
    });
    // What is cut is no JSON.
    const text = await beginningOf(response, longestAnswer);
    if (!response.ok) return undefined;
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
