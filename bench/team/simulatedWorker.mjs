// A worker of a team whose tasks are a wait:  node simulatedWorker.mjs '{"url": …, "name": …, "slots": …, "workMs": …}'
// Prints one line of JSON for each claim, settlement and refusal.
import { setTimeout as sleep } from "node:timers/promises";
import { openTeamQueue } from "../../out/src/postgres/openTeamQueue.js";
import { Heartbeat } from "../../out/src/cli/team/heartbeat.js";
import { patientQueue } from "../../out/src/cli/team/patientQueue.js";

const lookMs = 1_000;
const { url, name, slots, workMs } = JSON.parse(process.argv[2] ?? "{}");
const worker = { machine: name, repositories: ["bench"], labels: [] };

/** @param {object} event */
function tell(event) {
  process.stdout.write(`${JSON.stringify({ ...event, pid: process.pid, at: Date.now() })}\n`);
}

/** Works on one task: tells that it is alive, and ends it with a result of this attempt alone. */
async function work(claim) {
  const { taskId, attempt } = claim;
  heartbeat.add(claim, () => undefined);
  await sleep(workMs * (0.5 + Math.random()));
  heartbeat.remove(claim);
  const startedAt = performance.now();
  const result = Buffer.from(`${taskId} ${attempt} ${process.pid}`).toString("hex");
  const ok = await queue.settle(claim, "done", result.padEnd(40, "0").slice(-40));
  tell({ what: ok ? "settled" : "refused", taskId, attempt, ms: performance.now() - startedAt });
}

const opened = await openTeamQueue(url, { watches: true });
const queue = patientQueue(opened, () => sleep(lookMs));
const heartbeat = new Heartbeat(queue);
const busy = new Set();
let isTold = false;
process.on("SIGTERM", () => process.exit(0));
for (;;) {
  const startedAt = performance.now();
  let claim;
  try {
    claim = busy.size < slots ? await queue.claim(worker) : undefined;
    if (!isTold) tell({ what: "ready" });
    isTold = true;
  } catch {
    // The server is being restarted.
  }
  if (claim === undefined) {
    await Promise.race([sleep(lookMs), ...(busy.size < slots ? [] : busy)]);
    continue;
  }
  const { taskId, attempt } = claim;
  tell({ what: "claimed", taskId, attempt, ms: performance.now() - startedAt });
  const one = work(claim)
    .catch((error) => tell({ what: "failed", taskId, attempt, why: String(error) }))
    .finally(() => busy.delete(one));
  busy.add(one);
}
