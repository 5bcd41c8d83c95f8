import { navigatorAt } from "../harness/navigatorAt.mjs";
import { row } from "../harness/row.mjs";
import { tokens } from "../harness/tokens.mjs";
import { startModelServer } from "../model/startModelServer.mjs";

/** The word that begins a request for each mode, and the most tokens that its fixed part may have. */
const modes = [
  { command: "/do", slug: "rooroo-developer", goal: 2_500 },
  { command: "/ask", slug: "rooroo-analyzer" },
  { command: "/plan", slug: "rooroo-planner" },
  { command: "/brainstorm", slug: "rooroo-idea-sparker" },
];

/** Tokens that every request of a mode begins with: system prompt and tools, as a server gets them. */
export async function prompts() {
  const server = await startModelServer();
  try {
    const rows = [];
    for (const { command, slug, goal } of modes) {
      const navigator = await navigatorAt(server.url);
      await navigator.say(`${command} Say whether the cart rounds prices.`);
      const requests = await server.journal();
      const first = requests.find(({ messages }) =>
        messages[0].content.startsWith(`You are ${slug},`),
      );
      if (first === undefined) throw new Error(`${command} did not reach ${slug}`);
      const fixed = tokens(first.messages[0].content) + tokens(JSON.stringify(first.tools));
      rows.push(row(slug, fixed, "tokens", goal));
    }
    return rows;
  } finally {
    await server.stop();
  }
}
