import { navigatorAt } from "../harness/navigatorAt.mjs";
import { row } from "../harness/row.mjs";
import { requestTokens } from "../harness/tokens.mjs";
import { startModelServer } from "../model/startModelServer.mjs";

const requests = [
  { name: "direct task", text: "Do the rounding of prices in the cart to two digits." },
  { name: "plan of five, drained", text: "Plan the export of all invoices, and do it." },
];

/** Measures what the Navigator itself asks of a model, besides what the experts do. */
export async function routing() {
  const server = await startModelServer();
  try {
    const rows = [];
    for (const { name, text } of requests) {
      const navigator = await navigatorAt(server.url);
      const outcome = await navigator.say(text);
      if (outcome.status !== "done") throw new Error(`${name}: ${outcome.status}`);
      const all = await server.journal();
      const own = all.filter(({ messages }) =>
        messages[0].content.startsWith("You are rooroo-navigator"),
      );
      const prompt = own.reduce((sum, body) => sum + requestTokens(body), 0);
      rows.push(row(`${name}: Navigator's calls`, own.length, "calls", 1));
      rows.push(row(`${name}: Navigator's prompts`, prompt, "tokens", 1_500));
      rows.push(row(`${name}: all calls`, all.length, "calls"));
    }
    return rows;
  } finally {
    await server.stop();
  }
}
