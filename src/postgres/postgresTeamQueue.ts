import { randomUUID } from "node:crypto";
import { PgBoss } from "pg-boss";
import * as z from "zod";
import { taskIdPattern } from "../core/documents/queue.js";
import type { TaskId } from "../core/ids.js";
import {
  commitName,
  type KnownPlans,
  mostDeaths,
  type OddRow,
  type TeamAnswer,
  type TeamAsk,
  type TeamClaim,
  teamName,
  type TeamPlan,
  type TeamPlanStatus,
  type TeamQueue,
  type TeamWorker,
  usualKeepDays,
} from "../core/ports/teamQueue.js";
import { oddRowError } from "../core/team/oddRow.js";
import type { Database, Sql } from "./database.js";
import { migrate, schema } from "./migrations.js";
import { readEach, readRow, type Table } from "./rows.js";

/** The schema of the engine's tables. */
const engineSchema = "rooroo_engine";
/** Seconds without a heartbeat after which a job is given to another worker, and between the looks for such jobs. */
const silence = 10;
const lookEvery = 2;
/** Seconds between two cleanings. */
const cleanEvery = 3600;
/** The number of plans that are read at once. */
const page = 100;
/** Seconds before an attempt that ended without a result is followed by another: longer each time, and the longest. */
const restBetweenTries = 30;
const longestRest = 600;
/** The channels on which machines hear that tasks of a queue are ready, and that plans have changed. */
const ready = "rooroo_ready";
const changed = "rooroo_changed";

/** The options of all engine queues. A claim lasts as long as it beats, up to the engine's limit of a day. */
const queueOptions = {
  retryLimit: 1_000_000,
  retryDelay: 0,
  heartbeatSeconds: silence,
  expireInSeconds: 24 * 3600,
  retentionSeconds: 365 * 24 * 3600,
  deleteAfterSeconds: 3600,
};

const text = z.string();
const commit = text.regex(commitName);
const taskId = text.regex(taskIdPattern);
const planRow = z.object({
  id: text,
  repository: text.regex(teamName),
  base: commit,
  signature: text,
  state: z.enum(["open", "done", "failed", "cancelled"]),
});
const taskRow = z.object({
  id: taskId,
  plan: text,
  labels: z.array(text.regex(teamName)),
  state: z.enum(["waiting", "queued", "running", "asking", "done", "failed"]),
  attempt: z.int(),
  tries: z.int(),
  machine: text.nullable(),
  queue: text,
  job: text.nullable(),
  retry: z.int().nullable(),
  wip: commit.nullable(),
  result: commit.nullable(),
});
type TaskRow = z.infer<typeof taskRow>;
const lockedRow = z.object({ ...taskRow.shape, planState: planRow.shape.state });
const askRow = z.object({
  id: text,
  task: text,
  kind: z.enum(["question", "approval"]),
  subject: text,
  choice: z.enum(["allow", "deny"]).nullable(),
  answer: commit.nullable(),
  signature: text.nullable(),
});

/** The name of one of the engine's queues, as {@link queueOf} makes it. */
const queueRow = z.object({ name: text.regex(/^[a-z0-9-]{1,40}(\/[a-z0-9.-]+)?$/) });

/** A job as the engine hands it out. */
const jobRow = z.object({ id: text, retryCount: z.int(), data: z.object({ task: taskId }) });

/** What a claim has, read by the statement that claims. */
const claimRow = z.object({
  ...planRow.pick({ repository: true, base: true, signature: true }).shape,
  id: taskId,
  plan: text,
  job: text,
  attempt: z.int(),
  deaths: z.int(),
  wip: commit.nullable(),
  /** The result of the last task before it that has one. */
  before: commit.nullable(),
  tasks: z.array(z.object({ id: taskId, labels: z.array(text.regex(teamName)) })),
  /** Each is read by itself. */
  asks: z.array(z.unknown()),
});
const claimColumns = `p.repository, p.base, p.signature, t.id, t.plan, t.job, t.attempt, t.wip,
  (select coalesce(max(number), 0)::int
    from (select count(*) as number from unnest(t.deaths) as call group by call) as by_call) as deaths,
  (select b.result from ${schema}.task b
    where b.plan = t.plan and b.place < t.place and b.result is not null
    order by b.place desc limit 1) as before,
  (select jsonb_agg(jsonb_build_object('id', s.id, 'labels', s.labels) order by s.place)
    from ${schema}.task s where s.plan = t.plan) as tasks,
  (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from ${schema}.ask a
    where a.task = t.id and a.answered_at is not null and not a.used) as asks`;

/**
 * Counts an attempt of task `t` that has ended without a result, at the call that it was at. One that was at none, or of which
 * that was done before, changes nothing. Whatever somebody has made of the numbers, others of the statement are not stopped by it.
 */
const countDeath = `call = null,
  deaths = case when t.call is null then t.deaths else array(select unnest(t.deaths)) || t.call end`;
/** The largest number that has a next one. */
const most = 2 ** 31 - 2;

/** How a process takes part. */
export interface TeamQueueOptions {
  /** Whether it looks for silent workers, and removes what nobody needs any more. */
  readonly watches: boolean;
  /** The days for which plans are kept whose senders need them no more. */
  readonly keepDays?: number;
  /** Told of what fails at the moment, and is tried again. */
  readonly onError?: (error: Error) => void;
}

/** The engine's job of a claim. */
interface Job {
  readonly queue: string;
  readonly id: string;
  readonly retryCount: number;
}

/**
 * The team's queue in PostgreSQL. Ids, order and states are rows of ours; pg-boss hands out the one task of each plan
 * that may run. Both are changed in the same transactions.
 */
export class PostgresTeamQueue implements TeamQueue {
  /** Names of the engine's queues that this process has made. */
  readonly #queues = new Set<string>();
  readonly #jobs = new WeakMap<TeamClaim, Job>();
  #looks: NodeJS.Timeout | undefined;

  private constructor(
    private readonly database: Database,
    private readonly engine: PgBoss,
    private readonly onError: (error: unknown) => void,
  ) {}

  /**
   * Opens the queue, and makes or brings up to date the tables that it needs.
   *
   */
  static async open(database: Database, options: TeamQueueOptions): Promise<PostgresTeamQueue> {
    await migrate(database);
    const engine = new PgBoss({
      db: { executeSql: (statement, values) => database.executeSql(statement, values) },
      schema: engineSchema,
      schedule: false,
      // Each process would ask for work of the engine's own several times a second; see #look.
      supervise: false,
      monitorIntervalSeconds: 1,
      monitorVacuum: false,
    });
    const onError = (error: unknown) =>
      options.onError?.(error instanceof Error ? error : new Error(String(error)));
    engine.on("error", onError);
    await engine.start();
    const queue = new PostgresTeamQueue(database, engine, onError);
    const { keepDays = usualKeepDays } = options;
    if (options.watches) {
      queue.#looks = setInterval(() => void queue.#look(keepDays).catch(onError), 1000 * lookEvery);
    }
    return queue;
  }

  async send(plan: TeamPlan): Promise<boolean> {
    const queues = plan.tasks.map(({ labels }) => queueOf(plan.repository, labels));
    for (const queue of new Set(queues)) await this.#makeQueue(queue);
    const { id, repository, base, signature } = plan;
    const [first] = plan.tasks;
    if (first === undefined) throw new Error("a plan without tasks");
    const job = randomUUID();
    return this.database.transaction(async (sql) => {
      // The plan's row first: of two that send it at once, one finds that it is there.
      const added = await sql.executeSql(
        `with plan as (
           insert into ${schema}.plan (id, repository, base, signature) values ($1, $2, $3, $4)
           on conflict do nothing returning id
         )
         insert into ${schema}.task (id, plan, place, labels, queue, state, job)
         select t.id, plan.id, t.place - 1, array(select jsonb_array_elements_text(t.labels)), t.queue,
           case t.place when 1 then 'queued' else 'waiting' end, case t.place when 1 then $6::uuid end
         from plan, jsonb_array_elements($5) with ordinality as given (task, place),
           lateral (select task->>'id' as id, task->'labels' as labels, task->>'queue' as queue, place) as t
         returning id`,
        [
          id,
          repository,
          base,
          signature,
          JSON.stringify(plan.tasks.map((task, place) => ({ ...task, queue: queues[place] }))),
          job,
        ],
      );
      if (added.rows.length === 0) return false;
      const [queue = ""] = queues;
      await Promise.all([
        this.engine.send(queue, { task: first.id }, { db: sql, id: job }),
        tell(sql, ready, queue),
      ]);
      return true;
    });
  }

  async claim(worker: TeamWorker, most: number): Promise<readonly TeamClaim[]> {
    const { rows } = await this.database.executeSql(
      `select q.name from ${engineSchema}.queue q
       where split_part(q.name, '/', 1) = any($1)
         and string_to_array(split_part(q.name, '/', 2), '.') <@ $2::text[]
         and exists (select from ${engineSchema}.job j
           where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now())`,
      [worker.repositories, worker.labels],
    );
    const claims: TeamClaim[] = [];
    for (const { name } of this.#read("queue", queueRow, rows)) {
      for (let isMore = true; isMore && claims.length < most;) {
        // Each number is a statement of its own, so there are few of them.
        const number = 2 ** Math.floor(Math.log2(most - claims.length));
        const taken = await this.#claimFrom(name, worker, number);
        claims.push(...taken.claims);
        isMore = taken.jobs === number;
      }
    }
    return claims;
  }

  /** Takes jobs of one queue, and returns those of them that are tasks that may run. */
  #claimFrom(
    queue: string,
    worker: TeamWorker,
    number: number,
  ): Promise<{ jobs: number; claims: readonly TeamClaim[] }> {
    return this.database.transaction(async (sql) => {
      const fetched = await this.engine.fetch(queue, { db: sql, batchSize: number });
      if (fetched.length === 0) return { jobs: 0, claims: [] };
      // One that cannot be read is left as it is: nobody beats for it, so the engine gives it back to its queue.
      const jobs = this.#read("job", jobRow, fetched);
      const { rows } = await sql.executeSql(
        `update ${schema}.task t set state = 'running', attempt = least(t.attempt, ${most}) + 1,
           tries = least(t.tries, ${most}) + 1, machine = $4, retry = given.retry, ${countDeath}
         from ${schema}.plan p, unnest($1::text[], $2::uuid[], $3::int[]) as given (task, job, retry)
         where t.id = given.task and t.job = given.job and t.state in ('queued', 'running')
           and p.id = t.plan and p.state = 'open'
         returning ${claimColumns}`,
        [
          jobs.map(({ data }) => data.task),
          jobs.map(({ id }) => id),
          jobs.map(({ retryCount }) => retryCount),
          worker.machine,
        ],
      );
      const begun = new Map(rows.map((row) => [z.looseObject({ job: text }).parse(row).job, row]));
      const claims: TeamClaim[] = [];
      for (const job of jobs) {
        const { id, retryCount } = job;
        const own = { queue, id, retryCount };
        const row = begun.get(id);
        if (row === undefined) {
          // The plan has ended, or the job is an old one.
          await this.#endJob(sql, own);
          continue;
        }
        const [read] = this.#read("task", claimRow, [row]);
        if (read === undefined) {
          await this.#endUnreadable(sql, own, job.data.task);
          continue;
        }
        const claim = claimOf(read, this.#read("ask", askRow, read.asks));
        this.#jobs.set(claim, own);
        claims.push(claim);
      }
      return { jobs: fetched.length, claims };
    });
  }

  /**
   * Ends a task whose row cannot be read, after some attempts: a newer version may be able to. Until then nobody beats for the
   * attempt, so that the engine gives the task to another.
   */
  async #endUnreadable(sql: Sql, job: Job, taskOfJob: TaskId): Promise<void> {
    const { rows } = await sql.executeSql(
      `update ${schema}.task set state = 'failed', result = wip, job = null
       where id = $1 and tries > $2 returning plan`,
      [taskOfJob, mostDeaths],
    );
    if (rows.length > 0) await this.#endJob(sql, job);
    for (const { plan } of this.#read("task", taskRow.pick({ plan: true }), rows)) {
      await sql.executeSql(
        `update ${schema}.plan set state = 'failed' where id = $1 and state = 'open'`,
        [plan],
      );
      await tell(sql, changed, plan);
    }
  }

  onReady({ repositories, labels }: TeamWorker, heard: () => void): () => void {
    return this.database.listen(ready, (queue) => {
      const [repository = "", needed = ""] = queue?.split("/") ?? [];
      const names = needed === "" ? [] : needed.split(".");
      const isFit =
        repositories.includes(repository) && names.every((label) => labels.includes(label));
      if (queue === undefined || isFit) heard();
    });
  }

  onChanged(heard: (planId?: string) => void): () => void {
    return this.database.listen(changed, heard);
  }

  async beat(claims: readonly TeamClaim[]): Promise<ReadonlySet<TeamClaim>> {
    const { rows } = await this.database.executeSql(
      `select t.id, t.attempt from ${schema}.task t join ${schema}.plan p on p.id = t.plan
       where t.id = any($1) and t.state = 'running' and p.state = 'open'`,
      [claims.map((claim) => claim.taskId)],
    );
    const running = this.#read("task", taskRow.pick({ id: true, attempt: true }), rows);
    const attempts = new Map(running.map(({ id, attempt }) => [id, attempt]));
    const byQueue = new Map<string, (Job & { readonly claim: TeamClaim })[]>();
    for (const claim of claims) {
      const job = this.#jobs.get(claim);
      if (job === undefined || attempts.get(claim.taskId) !== claim.attempt) continue;
      byQueue.set(job.queue, [...(byQueue.get(job.queue) ?? []), { ...job, claim }]);
    }
    const held = new Set<TeamClaim>();
    for (const [queue, jobs] of byQueue) {
      // The engine knows by the attempt's number whether a job was given to another since it was read.
      const isWhole = affected(await this.engine.touch(queue, jobs.map(attemptOf)), jobs.length);
      for (const job of jobs) {
        if (isWhole || affected(await this.engine.touch(queue, attemptOf(job))))
          held.add(job.claim);
      }
    }
    return held;
  }

  asksModel(claim: TeamClaim, call: number): Promise<boolean> {
    return this.#recorded(claim, "call", call);
  }

  saved(claim: TeamClaim, commit: string): Promise<boolean> {
    return this.#recorded(claim, "wip", commit);
  }

  async #recorded(
    { taskId: id, attempt }: TeamClaim,
    column: "call" | "wip",
    value: number | string,
  ): Promise<boolean> {
    const { rows } = await this.database.executeSql(
      `update ${schema}.task t set ${column} = $3 from ${schema}.plan p
       where t.id = $1 and t.attempt = $2 and t.state = 'running'
         and p.id = t.plan and p.state = 'open' returning t.id`,
      [id, attempt, value],
    );
    return rows.length > 0;
  }

  ask(claim: TeamClaim, ask: TeamAsk, commit: string): Promise<boolean> {
    return this.#fenced(claim, async (sql, { id, plan }, job) => {
      await sql.executeSql(
        `insert into ${schema}.ask (id, task, kind, subject) values ($1, $2, $3, $4)`,
        [ask.id, id, ask.kind, ask.subject],
      );
      await sql.executeSql(
        `update ${schema}.task
         set state = 'asking', tries = 0, call = null, deaths = '{}', wip = $2, job = null
         where id = $1`,
        [id, commit],
      );
      await tell(sql, changed, plan);
      return this.#endJob(sql, job);
    });
  }

  useAnswer(claim: TeamClaim, askId: string): Promise<boolean> {
    return this.#fenced(claim, async (sql, { id }) => {
      const { rows } = await sql.executeSql(
        `update ${schema}.ask set used = true
         where id = $1 and task = $2 and answered_at is not null and not used returning id`,
        [askId, id],
      );
      return rows.length > 0;
    });
  }

  settle(claim: TeamClaim, end: "done" | "failed", commit: string): Promise<boolean> {
    const { plan, taskId, attempt } = claim;
    const job = this.#jobs.get(claim);
    if (job === undefined) throw new Error("a claim of another queue");
    const place = plan.tasks.findIndex(({ id }) => id === taskId);
    const next = end === "done" ? plan.tasks[place + 1] : undefined;
    const queue = queueOf(plan.repository, next?.labels ?? []);
    const nextJob = randomUUID();
    return this.#refusable(async (sql) => {
      // None waits for the one before, so that all are sent at once.
      const [settled, isJobEnded] = await Promise.all([
        sql.executeSql(
          `with ended as (
             update ${schema}.task t set state = $3, result = $4, job = null from ${schema}.plan p
             where t.id = $1 and t.attempt = $2 and t.state = 'running'
               and p.id = t.plan and p.state = 'open' returning t.plan
           ), next as (
             update ${schema}.task set state = 'queued', job = $6, retry = null
             where id = $5 and state = 'waiting' and exists (select from ended) returning id
           ), over as (
             update ${schema}.plan set state = $3
             where id = (select plan from ended) and $5::text is null
             returning pg_notify('${changed}', id)
           )
           select from next union all select from over`,
          [taskId, attempt, end, commit, next?.id ?? null, nextJob],
        ),
        this.#endJob(sql, job),
        next && this.engine.send(queue, { task: next.id }, { db: sql, id: nextJob }),
        // Who settles claims next, so that nobody else is woken for what it may take itself.
        next && queue !== job.queue && tell(sql, ready, queue),
      ]);
      return settled.rows.length > 0 && isJobEnded;
    });
  }

  release(claim: TeamClaim, { stopped }: { stopped: boolean }): Promise<boolean> {
    return this.#fenced(claim, async (sql, task, job) => {
      if (!(await this.#endJob(sql, job))) return false;
      const rest = Math.min(restBetweenTries * task.tries, longestRest);
      await this.#queue(sql, task, "running", stopped ? 0 : rest);
      const how = stopped ? "tries = tries - 1, call = null" : countDeath;
      await sql.executeSql(`update ${schema}.task t set ${how} where id = $1`, [task.id]);
      if (stopped) await tell(sql, ready, task.queue);
      return true;
    });
  }

  answer(askId: string, answer: TeamAnswer): Promise<boolean> {
    return this.database.transaction(async (sql) => {
      const choice = answer.kind === "approval" ? answer.choice : null;
      const given = [choice, answer.commit ?? null];
      const { rows } = await sql.executeSql(
        `update ${schema}.ask set choice = $2, answer = $3, signature = $4, answered_at = now()
         where id = $1 and kind = $5 and answered_at is null returning id, task`,
        [askId, ...given, answer.signature, answer.kind],
      );
      const row = readRow("ask", z.object({ id: text, task: taskId }), rows);
      if (row === undefined) return false;
      const task = await this.#lock(sql, row.task);
      if (task?.state !== "asking") return true;
      await this.#queue(sql, task, "asking");
      await tell(sql, ready, task.queue);
      await tell(sql, changed, task.plan);
      return true;
    });
  }

  async cancel(planId: string): Promise<boolean> {
    const { rows } = await this.database.executeSql(
      `update ${schema}.plan set state = 'cancelled' where id = $1 and state = 'open'
       returning pg_notify('${changed}', id)`,
      [planId],
    );
    return rows.length > 0;
  }

  async plans(ids: readonly string[]): Promise<KnownPlans> {
    const plans: TeamPlanStatus[] = [];
    const odd: OddRow[] = [];
    for (let at = 0; at < ids.length; at += page) {
      const known = await this.#page(ids.slice(at, at + page));
      plans.push(...known.plans);
      odd.push(...known.odd);
    }
    return { plans, odd };
  }

  /** Reads what is known of a few plans, in the order of their ids. */
  async #page(ids: readonly string[]): Promise<KnownPlans> {
    const [plans, tasks, asks] = await Promise.all([
      this.database.executeSql(`select * from ${schema}.plan where id = any($1)`, [ids]),
      this.database.executeSql(
        `select * from ${schema}.task where plan = any($1) order by plan, place`,
        [ids],
      ),
      this.database.executeSql(
        `select a.*, t.plan from ${schema}.ask a join ${schema}.task t on t.id = a.task
         where t.plan = any($1) and a.answered_at is null order by a.id`,
        [ids],
      ),
    ]);
    const read = {
      plans: readEach("plan", planRow, plans.rows),
      tasks: readEach("task", taskRow, tasks.rows),
      asks: readEach("ask", askRow, asks.rows),
    };
    const open = read.asks.rows;
    // Of a plan without one of its own rows there is nothing to tell; without an ask there is.
    const incomplete = new Set([...read.plans.odd, ...read.tasks.odd].map(({ plan }) => plan));
    const whole = ids.flatMap((id) =>
      incomplete.has(id) ? [] : read.plans.rows.filter((plan) => plan.id === id),
    );
    return {
      plans: whole.map((plan): TeamPlanStatus => {
        const own = read.tasks.rows.filter((task) => task.plan === plan.id);
        return {
          ...teamPlan(plan, own),
          state: plan.state,
          progress: own.map((task) => ({
            id: task.id,
            state: task.state,
            attempt: task.attempt,
            machine: task.machine ?? undefined,
            commit: task.result ?? task.wip ?? undefined,
            asks: open.filter((one) => one.task === task.id).map(askOf),
          })),
        };
      }),
      odd: [...read.plans.odd, ...read.tasks.odd, ...read.asks.odd],
    };
  }

  async forget(planId: string): Promise<void> {
    await this.database.executeSql(
      `update ${schema}.plan set closed_at = now()
       where id = $1 and state <> 'open' and closed_at is null`,
      [planId],
    );
  }

  async clean(days: number): Promise<void> {
    // Tasks and asks go with their plan. So many at a time, because others wait meanwhile.
    await this.database.executeSql(
      `delete from ${schema}.plan where id in (
         select id from ${schema}.plan
         where state <> 'open' and closed_at < now() - $1 * interval '1 day' limit 1000
       )`,
      [days],
    );
  }

  async takeOver(): Promise<void> {
    const { rows } = await this.database.executeSql(
      `select distinct t.queue as name from ${schema}.task t
       join ${engineSchema}.job j on j.name = t.queue and j.id = t.job
       where t.state = 'running' and j.state = 'active'
         and j.heartbeat_on + j.heartbeat_seconds * interval '1 second' < now()`,
    );
    for (const { name: queue } of this.#read("task", queueRow, rows)) {
      await this.engine.supervise(queue);
      await tell(this.database, ready, queue);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#looks);
    await this.engine.stop({ graceful: false });
    await this.database.close();
  }

  /** Returns the rows that can be read, and tells of the others. */
  #read<T>(table: Table, form: z.ZodType<T>, rows: readonly unknown[]): readonly T[] {
    const read = readEach(table, form, rows);
    for (const one of read.odd) this.onError(oddRowError(one));
    return read.rows;
  }

  /** Does what is to be done now and then, if no other process has just done it. */
  async #look(keepDays: number): Promise<void> {
    if (!(await this.#isTurn("takeOver", lookEvery))) return;
    await this.takeOver();
    await this.#analyze();
    if (!(await this.#isTurn("clean", cleanEvery))) return;
    await this.clean(keepDays);
    // The engine's own: jobs of an earlier version that were kept, and those that have run for a day.
    await this.engine.supervise();
  }

  /**
   * Has the server count the rows of tables that have changed much. It does so by itself after a minute; before, it reads
   * all jobs of a queue to find one.
   */
  async #analyze(): Promise<void> {
    const { rows } = await this.database.executeSql(
      `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
       where (schemaname = '${schema}' and relname in ('plan', 'task')
           or schemaname = '${engineSchema}' and relname = 'job_common')
         and n_mod_since_analyze > greatest(100, n_live_tup / 2)`,
    );
    for (const { name } of z.array(z.object({ name: text })).parse(rows)) {
      await this.database.executeSql(`analyze ${name}`);
    }
  }

  /** @param seconds how long it must be since some process did the chore */
  async #isTurn(chore: "takeOver" | "clean", seconds: number): Promise<boolean> {
    const { rows } = await this.database.executeSql(
      `update ${schema}.chore set done_at = now()
       where name = $1 and done_at < now() - $2 * interval '1 second' returning name`,
      // A timer may be a little early.
      [chore, 0.9 * seconds],
    );
    return rows.length > 0;
  }

  /**
   * Does something in a transaction if the claim's attempt still has the task; otherwise, or if `work` returns
   * `false`, changes nothing and returns `false`.
   */
  async #fenced(
    claim: TeamClaim,
    work: (sql: Sql, task: TaskRow, job: Job) => Promise<boolean>,
  ): Promise<boolean> {
    return this.#refusable(async (sql) => {
      const task = await this.#lock(sql, claim.taskId);
      if (task?.state !== "running" || task.attempt !== claim.attempt) return false;
      const { queue, job, retry, planState } = task;
      if (planState !== "open" || job === null || retry === null) return false;
      return work(sql, task, { queue, id: job, retryCount: retry });
    });
  }

  /** Does something in a transaction, which is undone if it returns `false`. */
  async #refusable(work: (sql: Sql) => Promise<boolean>): Promise<boolean> {
    const refused = new Error("refused");
    try {
      await this.database.transaction(async (sql) => {
        if (!(await work(sql))) throw refused;
      });
      return true;
    } catch (error) {
      if (error === refused) return false;
      throw error;
    }
  }

  /** Reads a task's row and keeps it for this transaction. */
  async #lock(sql: Sql, id: TaskId): Promise<z.infer<typeof lockedRow> | undefined> {
    const { rows } = await sql.executeSql(
      `select t.*, p.state as "planState" from ${schema}.task t join ${schema}.plan p on p.id = t.plan
       where t.id = $1 for no key update of t`,
      [id],
    );
    return readRow("task", lockedRow, rows);
  }

  /**
   * Removes a job that this process has claimed. Returns `false` if it was given to another meanwhile, which the engine
   * knows by the attempt's number only.
   */
  async #endJob(sql: Sql, job: Job): Promise<boolean> {
    return affected(await this.engine.deleteJob(job.queue, attemptOf(job), { db: sql }));
  }

  /**
   * Queues a task that is in the given state. Returns `false` if it is in another.
   *
   * @param rest seconds before it can be claimed
   */
  async #queue(
    sql: Sql,
    { id, queue }: Pick<TaskRow, "id" | "queue">,
    from: TaskRow["state"],
    rest = 0,
  ): Promise<boolean> {
    const job = randomUUID();
    const [queued] = await Promise.all([
      sql.executeSql(
        `update ${schema}.task set state = 'queued', job = $2, retry = null
         where id = $1 and state = $3 returning id`,
        [id, job, from],
      ),
      this.engine.send(queue, { task: id }, { db: sql, id: job, startAfter: rest }),
    ]);
    return queued.rows.length > 0;
  }

  /** Makes the engine's queue if it is not there. */
  async #makeQueue(queue: string): Promise<void> {
    if (this.#queues.has(queue)) return;
    await this.engine.createQueue(queue, queueOptions);
    this.#queues.add(queue);
  }
}

/** Returns the name of the engine's queue for tasks of a repository that need the labels. */
function queueOf(repository: string, labels: readonly string[]): string {
  return labels.length === 0 ? repository : `${repository}/${[...labels].sort().join(".")}`;
}

function attemptOf({ id, retryCount }: Job): Omit<Job, "queue"> {
  return { id, retryCount };
}

function affected(response: object, jobs = 1): boolean {
  return "affected" in response && response.affected === jobs;
}

/** Tells those who listen, when the transaction is committed; the same twice in one is told once. */
async function tell(sql: Sql, channel: string, about: string): Promise<void> {
  await sql.executeSql("select pg_notify($1, $2)", [channel, about]);
}

function teamPlan(
  { id, repository, base, signature }: z.infer<typeof planRow>,
  tasks: readonly TaskRow[],
): TeamPlan {
  const named = tasks.map(({ id: task, labels }) => ({ id: task, labels }));
  return { id, repository, base, signature, tasks: named };
}

function claimOf(
  row: z.infer<typeof claimRow>,
  asks: readonly z.infer<typeof askRow>[],
): TeamClaim {
  const answers = asks.flatMap((ask) => {
    const answer = answerOf(ask);
    return answer === undefined ? [] : [{ ...askOf(ask), answer }];
  });
  const { id: taskId, repository, base, signature, attempt, deaths, tasks } = row;
  const from = row.wip ?? row.before ?? base;
  const plan = { id: row.plan, repository, base, signature, tasks };
  return { plan, taskId, attempt, from, deaths, answers };
}

function askOf({ id, kind, subject }: z.infer<typeof askRow>): TeamAsk {
  return { id, kind, subject };
}

function answerOf({
  kind,
  choice,
  answer,
  signature,
}: z.infer<typeof askRow>): TeamAnswer | undefined {
  if (signature === null) return undefined;
  const said = answer === null ? undefined : { commit: answer };
  if (kind === "approval")
    return choice === null ? undefined : { kind, choice, ...said, signature };
  return said && { kind, ...said, signature };
}
