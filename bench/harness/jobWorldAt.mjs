import { worldAt } from "./worldAt.mjs";

/**
 * Makes what jobs work with in a folder, with a model that submits at once.
 *
 * @param {string} root
 * @param {{ asked?: () => Promise<void>, emit?: (event: any) => void }} [options]
 *   `asked`: what comes before the model answers
 */
export async function jobWorldAt(root, { asked = async () => {}, emit } = {}) {
  const done = JSON.stringify({ result: "Succeeded", summary: "Done." });
  const fits = JSON.stringify({ fits: true, reason: "It is the same." });
  const model = {
    name: "bench",
    /** @param {{ forcedTool?: string }} request */
    async *respond({ forcedTool }) {
      await asked();
      const name = forcedTool ?? "attempt_completion";
      const call = { id: "call_1", name, arguments: forcedTool === undefined ? done : fits };
      yield { type: "toolCall", call };
      yield { type: "finish", reason: "toolCalls" };
    },
  };
  return worldAt(root, model, { emit });
}
