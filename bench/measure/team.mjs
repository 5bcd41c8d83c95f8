import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { ensurePostgres } from "../../scripts/host/ensurePostgres.mjs";
import { atEnd } from "../../scripts/process/cleanup.mjs";
import { root } from "../../scripts/root.mjs";
import { compiled } from "../harness/compiled.mjs";
import { cpuTime } from "../harness/cpuTime.mjs";
import { lack } from "../harness/lack.mjs";
import { median } from "../harness/median.mjs";
import { notMeasured, row } from "../harness/row.mjs";

const tasksOfPlan = 4;
/** How long a stopped worker stands still: longer than a silence after which its tasks are given to others. */
const stoppedMs = 15_000;
/** After this, what has no result is lost. */
const mostMs = 480_000;
/** Processes that are not ready after this are not waited for. */
const readyMs = 120_000;
/** Milliseconds within which two processes tell of one moment. */
const told = 50;

/**
 * Simulates a team of workers on one PostgreSQL server, all on this machine: plans of four tasks, each of which is a wait.
 * First without faults; then a tenth of the processes is killed and a twentieth stopped in each minute, and the server is
 * restarted twice. The server does not wait for its disk. Quick: two processes, one of which is killed, and taken over
 * at once, and one restart.
 *
 * @param {{ quick: boolean }} options
 */
export async function team({ quick }) {
  await compiled("postgres/openTeamQueue");
  const { expireHeartbeats, PostgresServer, postgresPrograms } = await compiled(
    "../test/fakes/postgresServer",
  );
  const lacks = await lack({
    PostgreSQL: async () => {
      await ensurePostgres();
      if (postgresPrograms() === undefined) throw new Error("its programs are not found");
    },
  });
  if (lacks !== undefined) return [notMeasured("a team of workers", lacks)];
  const size = quick
    ? { processes: 2, slots: 4, plans: 2 }
    : { processes: 50, slots: 20, plans: 500 };
  /** @type {Faults} */
  const faults = quick
    ? { killed: 30, stopped: 0, mostKilled: 1, restarts: [300], whenKilled: expireHeartbeats }
    : { killed: 0.1, stopped: 0.05, mostKilled: Infinity, restarts: [8_000, 20_000] };
  const server = await PostgresServer.start();
  /** @type {Promise<void> | undefined} */
  let stopping;
  const stop = () => (stopping ??= server.stop());
  atEnd(stop);
  try {
    const calm = await simulate(server, { ...size, workMs: quick ? 100 : 1_000 });
    const left = await growth(server, size.plans);
    const faulty = await simulate(server, { ...size, workMs: quick ? 700 : 15_000, faults });
    return [
      row("workers (processes × slots)", size.processes * size.slots, "workers"),
      row("tasks, in plans of four", size.plans * tasksOfPlan, "tasks"),
      row("a claim (median)", median(calm.claims), "ms"),
      row("a settlement that queues the next task (median)", median(calm.settlements), "ms"),
      row("time for each task, all in all", calm.perTask, "ms", quick ? null : 10),
      ...(calm.cpu === undefined
        ? []
        : [
            row("workers: CPU time for each task", calm.cpu.workers, "ms"),
            row("PostgreSQL: CPU time for each task", calm.cpu.server, "ms"),
          ]),
      ...verdict("without faults", calm),
      row("rows that 100,000 tasks leave until they are cleaned", left.rows, "rows"),
      // Of a few tasks, the pages of empty indexes would be multiplied.
      ...(quick ? [] : [row("bytes of these, with their indexes", left.megabytes, "MB")]),
      row("removing those of all plans of this bench", left.cleanMs, "ms"),
      row("refs that 100,000 tasks leave until their plans land", left.refs, "refs"),
      row("bytes of these in packed-refs", left.refsMegabytes, "MB"),
      row("killed", faulty.killed, "processes"),
      row("stopped for 15 s", faulty.stopped, "processes"),
      ...(faulty.takenOver.length === 0
        ? []
        : [
            row("taken over after (median)", median(faulty.takenOver), "s"),
            row("taken over after, at most", Math.max(...faulty.takenOver), "s", 15),
          ]),
      row("second settlements refused", faulty.refused, "tasks"),
      ...verdict("with faults", faulty),
    ];
  } finally {
    await stop();
  }
}

/** Returns what the tasks of the last database leave in it and on a remote, for 100,000 of them, and how long they take to remove. */
async function growth(server, /** @type {number} */ plans) {
  const { default: pg } = await import("pg");
  const { PostgresTeamQueue } = await compiled("postgres/postgresTeamQueue");
  const { PooledDatabase } = await compiled("postgres/pooledDatabase");
  const url = server.lastDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tables = ["rooroo.plan", "rooroo.task", "rooroo.ask"];
  const counts = tables.map((table) => `(select count(*) from ${table})`).join(" + ");
  const sizes = tables.map((table) => `pg_total_relation_size('${table}')`).join(" + ");
  for (const table of tables) await client.query(`vacuum full ${table}`);
  const { rows } = await client.query(`select (${counts})::int as rows, (${sizes})::int as bytes`);
  const each = 100_000 / (plans * tasksOfPlan);
  await client.query("update rooroo.plan set closed_at = now() - interval '31 days'");
  const queue = await PostgresTeamQueue.open(new PooledDatabase(url), { watches: false });
  const startedAt = performance.now();
  await queue.clean(30);
  const cleanMs = performance.now() - startedAt;
  await queue.close();
  await client.end();
  const refs = await refsOf(plans);
  return {
    rows: Math.round(rows[0].rows * each),
    megabytes: (rows[0].bytes * each) / 1e6,
    cleanMs,
    refs: Math.round(refs.count * each),
    refsMegabytes: (refs.bytes * each) / 1e6,
  };
}

/** Returns the number of refs that these plans leave, one for what each task saves and one for its result, and their bytes. */
async function refsOf(/** @type {number} */ plans) {
  const { baseRef, resultRef, wipRef } = await compiled("core/team/teamRefs");
  const all = Array.from({ length: plans }, (_, number) => planOf(number));
  const names = all.flatMap(({ id, tasks }) => [
    baseRef(id),
    ...tasks.flatMap((task) => [wipRef(task.id, 1), resultRef(task.id, 1)]),
  ]);
  const lines = names.map((name) => `${"0".repeat(40)} ${name}\n`);
  return { count: names.length, bytes: Buffer.byteLength(lines.join("")) };
}

/** Says what must not be: each of these is 0. */
function verdict(when, { lost, doubled, early, failed }) {
  return [
    row(`${when}: workers' errors`, failed, "tasks", 0),
    row(`${when}: tasks without a result`, lost, "tasks", 0),
    row(`${when}: tasks with two`, doubled, "tasks", 0),
    row(`${when}: tasks claimed too early`, early, "tasks", 0),
  ];
}

/**
 * @param {{ processes: number, slots: number, plans: number, workMs: number, faults?: Faults }} size
 */
async function simulate(server, { processes, slots, plans, workMs, faults }) {
  const url = await server.newDatabase();
  const { openTeamQueue } = await compiled("postgres/openTeamQueue");
  const queue = await openTeamQueue(url, { watches: true });
  const all = Array.from({ length: plans }, (_, plan) => planOf(plan));
  const count = plans * tasksOfPlan;
  /** @type {Event[]} */
  const events = [];
  const settled = new Set();
  /** @type {Map<number, import("node:child_process").ChildProcess>} */
  const alive = new Map();
  /** Processes that the bench has killed. @type {Map<number, number>} */
  const killedAt = new Map();
  let isOver = false;
  let ready = 0;
  /** Why a worker ended that nobody had killed. @type {string | undefined} */
  let ended;
  /** @param {number} number */
  const start = (number) => {
    const given = { url, name: `machine${number}`, slots, workMs };
    const script = join(root, "bench", "team", "simulatedWorker.mjs");
    const child = spawn(process.execPath, [script, JSON.stringify(given)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = child.pid ?? 0;
    alive.set(pid, child);
    createInterface(child.stdout).on("line", (line) => {
      const event = JSON.parse(line);
      if (event.what === "ready") ready++;
      else events.push(event);
      if (event.what === "settled") settled.add(event.taskId);
    });
    child.once("close", (code) => {
      alive.delete(pid);
      if (isOver) return;
      // Only who was killed is started anew: one that ends by itself would do so again, and again.
      if (killedAt.has(pid)) start(number);
      else ended ??= `a worker ended by itself, with exit code ${code}`;
    });
  };
  const over = () => {
    isOver = true;
    for (const child of alive.values()) child.kill("SIGKILL");
  };
  atEnd(over);
  try {
    for (let number = 0; number < processes; number++) start(number);
    const startedAt = Date.now();
    while (ready < processes) {
      if (ended !== undefined) throw new Error(ended);
      if (Date.now() - startedAt > readyMs) {
        throw new Error(`${ready} of ${processes} workers were ready after ${readyMs / 1000} s`);
      }
      await sleep(100);
    }
    const used = () => ({ workers: cpuTime([...alive.keys()]), server: cpuTime([server.pid]) });
    const before = used();
    const beganAt = Date.now();
    const mayGoOn = () =>
      settled.size < count && ended === undefined && Date.now() - beganAt < mostMs;
    for (const plan of all) await queue.send(plan);
    const making =
      faults && makeFaults({ alive, killedAt, server, url, faults, processes, mayGoOn });
    while (mayGoOn()) await sleep(100);
    if (ended !== undefined) throw new Error(ended);
    const seconds = (Date.now() - beganAt) / 1000;
    const after = used();
    const stopped = (await making) ?? 0;
    // What stopped workers still try is to be refused.
    if (stopped > 0) await sleep(stoppedMs);
    const each = (/** @type {"workers" | "server"} */ of) =>
      (1000 * ((after[of] ?? NaN) - (before[of] ?? NaN))) / count;
    const cpu =
      after.server === undefined ? undefined : { workers: each("workers"), server: each("server") };
    const perTask = (1000 * seconds) / count;
    return { ...judged(events, all, killedAt), killed: killedAt.size, stopped, perTask, cpu };
  } finally {
    over();
    await queue.close();
  }
}

/** Kills and stops processes at the given rates, and restarts the server, until it is over. Returns how many it has stopped. */
async function makeFaults({ alive, killedAt, server, url, faults, processes, mayGoOn }) {
  let stopped = 0;
  const beganAt = Date.now();
  const restarts = [...faults.restarts];
  for (;;) {
    await sleep(100);
    if (!mayGoOn()) return stopped;
    const elapsed = Date.now() - beganAt;
    const due = (/** @type {number} */ part) => Math.floor((part * processes * elapsed) / 60_000);
    const pids = [...alive.keys()].filter((pid) => !killedAt.has(pid));
    const [pid] = pids.sort(() => Math.random() - 0.5);
    if (pid !== undefined && killedAt.size < Math.min(faults.mostKilled, due(faults.killed))) {
      killedAt.set(pid, Date.now());
      alive.get(pid)?.kill("SIGKILL");
      await faults.whenKilled?.(url);
    } else if (pid !== undefined && stopped < due(faults.stopped)) {
      stopped++;
      alive.get(pid)?.kill("SIGSTOP");
      setTimeout(() => alive.get(pid)?.kill("SIGCONT"), stoppedMs);
    }
    if (restarts[0] !== undefined && elapsed > restarts[0]) {
      restarts.shift();
      await server.restart();
    }
  }
}

/** Returns what the events of all workers come to. */
function judged(/** @type {Event[]} */ events, plans, /** @type {Map<number, number>} */ killedAt) {
  const of = (/** @type {Event["what"]} */ what) => events.filter((event) => event.what === what);
  const results = new Map();
  for (const event of of("settled")) {
    results.set(event.taskId, [...(results.get(event.taskId) ?? []), event]);
  }
  let [lost, doubled, early] = [0, 0, 0];
  for (const { tasks } of plans) {
    let before = 0;
    for (const { id } of tasks) {
      const own = results.get(id) ?? [];
      if (own.length === 0) lost++;
      if (own.length > 1) doubled++;
      const first = Math.min(
        ...of("claimed")
          .filter((e) => e.taskId === id)
          .map(({ at }) => at),
      );
      // Both are told after the fact, by processes that do not wait for one another.
      if (first + told < before) early++;
      before = Math.max(0, ...own.map(({ at, ms }) => at - ms));
    }
  }
  const claims = of("claimed");
  const takenOver = claims.flatMap(({ pid, taskId, attempt, at }) => {
    const killed = killedAt.get(pid);
    if (killed === undefined || at > killed) return [];
    const next = claims.find((one) => one.taskId === taskId && one.attempt === attempt + 1);
    // One that stood still was taken over before.
    return next === undefined || next.at < killed ? [] : [(next.at - killed) / 1000];
  });
  return {
    lost,
    doubled,
    early,
    takenOver,
    claims: claims.map(({ ms }) => ms),
    settlements: of("settled").map(({ ms }) => ms),
    refused: of("refused").length,
    failed: of("failed").length,
  };
}

function planOf(/** @type {number} */ number) {
  const stamp = String(20_260_101_000_000 + number);
  const tasks = Array.from({ length: tasksOfPlan }, (_, place) => ({
    id: `ROO#SUB_${stamp}_A1B2C3_S${String(place + 1).padStart(3, "0")}`,
    labels: [],
  }));
  const base = number.toString(16).padStart(40, "0");
  return { id: `ROO#PLAN_${stamp}_A1B2C3`, repository: "bench", base, tasks, signature: "none" };
}

/** @typedef {{ what: "claimed" | "settled" | "refused" | "failed", taskId: string, attempt: number, pid: number, at: number, ms: number }} Event */
/**
 * @typedef {object} Faults
 * @property {number} killed The share of the processes in a minute.
 * @property {number} stopped The share of the processes in a minute.
 * @property {number} mostKilled
 * @property {readonly number[]} restarts Milliseconds after which the server is restarted.
 * @property {(url: string) => Promise<void>} [whenKilled] Called with the database's address.
 */
