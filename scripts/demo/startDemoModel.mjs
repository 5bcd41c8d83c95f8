import { LLMock } from "@copilotkit/aimock";
import { answer } from "./answer.mjs";

/**
 * Serves the demo model in the OpenAI format, on 127.0.0.1. It knows what it says from the messages
 * alone, so it can be stopped and started anew in the middle of a task.
 *
 * @param {object} [options]
 * @param {number} [options.port] Default: any free port.
 * @param {number} [options.tokensPerSecond] Default 45, a pace that can be read along with.
 * @returns {Promise<{ url: string, env: Record<string, string>, stop: () => Promise<void> }>}
 *   `env`: what points Rooroo at it.
 */
export async function startDemoModel({ port = 0, tokensPerSecond = 45 } = {}) {
  const server = new LLMock({ host: "127.0.0.1", port, chunkSize: CHARACTERS_PER_TOKEN });
  const streamingProfile = { ttft: 6000 / tokensPerSecond, tps: tokensPerSecond };
  server.on({ model: MODEL, endpoint: "chat" }, (request) => wire(answer(request)), {
    streamingProfile,
  });
  await server.start();
  const url = `${server.url}/v1`;
  return {
    url,
    env: { OPENAI_BASE_URL: url, OPENAI_API_KEY: "demo", ROOROO_MODEL: MODEL },
    stop: () => server.stop(),
  };
}

const MODEL = "rooroo-demo";
const CHARACTERS_PER_TOKEN = 6;

/** @param {import("./scripts/script.mjs").Reply} reply */
function wire({ say = "", calls = [] }) {
  if (calls.length === 0) return { content: say };
  const toolCalls = calls.map(({ name, args }) => ({ name, arguments: JSON.stringify(args) }));
  return say === "" ? { toolCalls } : { content: say, toolCalls };
}
