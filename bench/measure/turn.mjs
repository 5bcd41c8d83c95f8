import { median } from "../harness/median.mjs";
import { navigatorAt } from "../harness/navigatorAt.mjs";
import { row } from "../harness/row.mjs";
import { timed } from "../harness/timed.mjs";
import { startModelServer } from "../model/startModelServer.mjs";

/**
 * Rooroo's own time for one turn of an expert: a task that reads many files one after the other, less
 * the time that the same requests take when they are merely sent and their answers read.
 *
 * @param {{ quick: boolean }} options
 */
export async function turn({ quick }) {
  const turns = quick ? 20 : 100;
  const server = await startModelServer();
  try {
    /** @type {number[]} */
    const own = [];
    /** @type {number[]} */
    const bare = [];
    for (let run = 0; run < (quick ? 2 : 7); run++) {
      const navigator = await navigatorAt(server.url, { files: turns });
      const task = await timed(() => navigator.say(`/do read ${turns} files`));
      const requests = await server.journal();
      if (requests.length !== turns + 1) throw new Error(`${requests.length} requests`);
      const sent = requests.map((body) => JSON.stringify(body));
      const raw = await timed(async () => {
        for (const body of sent) await post(server.url, body);
      });
      await server.journal();
      own.push((task - raw) / turns);
      bare.push(raw / turns);
    }
    return [
      row("own time a turn", median(own), "ms", 5),
      row("server's time a turn", median(bare), "ms"),
    ];
  } finally {
    await server.stop();
  }
}

/** @param {string} url @param {string} body */
async function post(url, body) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/chat/completions`, { method: "POST", headers, body });
  await response.text();
}
