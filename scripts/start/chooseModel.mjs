import { startDemoModel } from "../demo/startDemoModel.mjs";
import { atEnd } from "../process/cleanup.mjs";
import { say } from "../process/say.mjs";

/**
 * The person's own model if their environment names one, else the demo model.
 *
 * @returns {Promise<Record<string, string>>} What to add to the environment.
 */
export async function chooseModel() {
  const { OPENAI_API_KEY, OPENAI_BASE_URL, ROOROO_MODEL } = process.env;
  if (OPENAI_API_KEY || OPENAI_BASE_URL) {
    const where = OPENAI_BASE_URL || "OpenAI";
    const name = ROOROO_MODEL || "none chosen yet (ROOROO_MODEL, or Rooroo: Select Model…)";
    say(`Model: yours, at ${where}: ${name}`);
    return {};
  }
  const demo = await startDemoModel();
  atEnd(demo.stop);
  say("Model: the scripted demo model (set OPENAI_API_KEY or OPENAI_BASE_URL for a real one)");
  return demo.env;
}
