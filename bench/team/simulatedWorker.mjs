// A worker of a team whose tasks are a wait:  node simulatedWorker.mjs '{"url": …, "name": …, "slots": …, "workMs": …}'
// Prints one line of JSON for each claim, settlement and refusal.
import { setTimeout as sleep } from "node:timers/promises";
import { Heartbeat } from "../../out/src/cli/team/heartbeat.js";
import { patientQueue } from "../../out/src/cli/team/patientQueue.js";
import { workOff } from "../../out/src/cli/team/workOff.js";
import { SystemClock } from "../../out/src/node/systemClock.js";
import { openTeamQueue } from "../../out/src/postgres/openTeamQueue.js";
import { openPatiently } from "./openPatiently.mjs";

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
  try {
    const ok = await queue.settle(claim, "done", result.padEnd(40, "0").slice(-40));
    tell({ what: ok ? "settled" : "refused", taskId, attempt, ms: performance.now() - startedAt });
  } catch (error) {
    tell({ what: "failed", taskId, attempt, why: String(error) });
  }
}

const opened = await openPatiently(() => openTeamQueue(url, { watches: true }), {
  rest: () => sleep(1_000),
  tries: 60,
});
const patient = patientQueue(opened, () => sleep(1_000));
let isTold = false;
const queue = {
  ...patient,
  claim: async (by, most) => {
    const startedAt = performance.now();
    const claims = await patient.claim(by, most);
    if (!isTold) tell({ what: "ready" });
    isTold = true;
    for (const { taskId, attempt } of claims) {
      tell({ what: "claimed", taskId, attempt, ms: performance.now() - startedAt });
    }
    return claims;
  },
};
const heartbeat = new Heartbeat(queue);
process.on("SIGTERM", () => process.exit(0));
const { signal } = new AbortController();
const clock = new SystemClock();
const how = { slots, queue, signal, clock, random: Math.random, trouble: () => undefined };
await workOff(worker, how, work);
