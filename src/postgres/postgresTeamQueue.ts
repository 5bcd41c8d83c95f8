import { randomUUID } from "node:crypto";
import { PgBoss } from "pg-boss";
import * as z from "zod";
import { taskIdPattern } from "../core/documents/queue.js";
import type { TaskId } from "../core/ids.js";
import {
  commitName,
  mostTakeovers,
  type TeamAnswer,
  type TeamAsk,
  type TeamClaim,
  teamName,
  type TeamPlan,
  type TeamPlanStatus,
  type TeamQueue,
  type TeamWorker,
} from "../core/ports/teamQueue.js";
import type { Database, Sql } from "./database.js";
import { migrate, schema } from "./migrations.js";

/** The schema of the engine's tables. */
const engineSchema = "rooroo_engine";
/** Seconds without a heartbeat after which a job is given to another worker, and between the looks for such jobs. */
const silence = 10;
const lookEvery = 2;
/** Seconds before an attempt that ended without a result is followed by another; longer each time. */
const restBetweenTries = 30;

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
const askRow = z.object({
  id: text,
  task: text,
  kind: z.enum(["question", "approval"]),
  subject: text,
  choice: z.enum(["allow", "deny"]).nullable(),
  answer: commit.nullable(),
  signature: text.nullable(),
});

/** A task that has just ended, with the job that it had. */
const endedRow = z.object({ plan: text, queue: text, job: text, retry: z.int() });

/** What a claim has, read by the statement that claims. */
const claimRow = z.object({
  ...planRow.shape,
  task: taskId,
  attempt: z.int(),
  wip: commit.nullable(),
  /** The result of the last task before it that has one. */
  before: commit.nullable(),
  tasks: z.array(z.object({ id: taskId, labels: z.array(text.regex(teamName)) })),
  asks: z.array(askRow),
});
const claimColumns = `p.*, t.id as task, t.attempt, t.wip,
  (select b.result from ${schema}.task b
    where b.plan = t.plan and b.place < t.place and b.result is not null
    order by b.place desc limit 1) as before,
  (select jsonb_agg(jsonb_build_object('id', s.id, 'labels', s.labels) order by s.place)
    from ${schema}.task s where s.plan = t.plan) as tasks,
  (select coalesce(jsonb_agg(to_jsonb(a)), '[]') from ${schema}.ask a
    where a.task = t.id and a.answered_at is not null and not a.used) as asks`;

/** The engine's job of a claim. */
interface Job {
  readonly id: string;
  readonly retryCount: number;
}

/**
 * The team's queue in PostgreSQL. Ids, order and states are rows of ours; pg-boss hands out the one task of each plan
 * that may run. Both are changed in the same transactions.
 */
export class PostgresTeamQueue implements TeamQueue {
  /** Names of the engine's queues that this process has seen. */
  readonly #queues = new Set<string>();

  private constructor(
    private readonly database: Database,
    private readonly engine: PgBoss,
  ) {}

  /**
   * Opens the queue, and makes or brings up to date the tables that it needs.
   *
   * @param options `watches`: whether this process looks for silent workers; `onError`: told of what the engine
   *   cannot do at the moment, which it tries again
   */
  static async open(
    database: Database,
    options: { watches: boolean; onError?: (error: Error) => void },
  ): Promise<PostgresTeamQueue> {
    await migrate(database);
    const engine = new PgBoss({
      db: database,
      schema: engineSchema,
      schedule: false,
      supervise: options.watches,
      superviseIntervalSeconds: lookEvery,
      // The engine leaves out a queue at which any process has looked within this time.
      monitorIntervalSeconds: lookEvery,
      monitorVacuum: false,
    });
    engine.on("error", (error) => options.onError?.(error));
    await engine.start();
    return new PostgresTeamQueue(database, engine);
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
      await this.engine.send(queues[0] ?? "", { task: first.id }, { db: sql, id: job });
      return true;
    });
  }

  async claim(worker: TeamWorker): Promise<TeamClaim | undefined> {
    const { rows } = await this.database.executeSql(
      `select distinct t.queue from ${schema}.task t join ${schema}.plan p on p.id = t.plan
       where t.state in ('queued', 'running') and p.state = 'open'
         and p.repository = any($1) and t.labels <@ $2`,
      [worker.repositories, worker.labels],
    );
    for (const { queue } of z.array(z.object({ queue: text })).parse(rows)) {
      await this.#makeQueue(queue);
      const found = await this.#claimFrom(queue, worker);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Takes jobs of one queue until one is a task that may run. */
  async #claimFrom(queue: string, worker: TeamWorker): Promise<TeamClaim | undefined> {
    for (;;) {
      const taken = await this.database.transaction(async (sql) => {
        const [job] = await this.engine.fetch<{ task: string }>(queue, {
          db: sql,
          includeMetadata: true,
        });
        if (job === undefined) return "none";
        const begun = await sql.executeSql(
          `update ${schema}.task t set state = 'running', attempt = t.attempt + 1, tries = t.tries + 1,
             machine = $3, retry = $4
           from ${schema}.plan p
           where t.id = $1 and t.job = $2 and t.state in ('queued', 'running') and t.tries < $5
             and p.id = t.plan and p.state = 'open'
           returning ${claimColumns}`,
          [job.data.task, job.id, worker.machine, job.retryCount, mostTakeovers],
        );
        const [claim] = z.array(claimRow).parse(begun.rows);
        if (claim !== undefined) return claimOf(claim);
        // It may not run: the plan has ended, the job is an old one, or the task was begun too often.
        await this.engine.complete(queue, attemptOf(job), null, { db: sql });
        const task = await this.#lock(sql, taskId.parse(job.data.task));
        const isCurrent =
          (task?.state === "queued" || task?.state === "running") && task.job === job.id;
        if (isCurrent && task.tries >= mostTakeovers) {
          await this.#end(sql, task, "failed", task.wip);
        }
        return "stale";
      });
      if (typeof taken === "object") return taken;
      if (taken === "none") return undefined;
    }
  }

  async beat(claims: readonly TeamClaim[]): Promise<ReadonlySet<TeamClaim>> {
    const { rows } = await this.database.executeSql(
      `select t.* from ${schema}.task t join ${schema}.plan p on p.id = t.plan
       where t.id = any($1) and t.state = 'running' and p.state = 'open'`,
      [claims.map((claim) => claim.taskId)],
    );
    const tasks = new Map(
      z
        .array(taskRow)
        .parse(rows)
        .map((task) => [task.id, task]),
    );
    const byQueue = new Map<string, (Job & { readonly claim: TeamClaim })[]>();
    for (const claim of claims) {
      const { attempt, queue = "", job = null, retry = null } = tasks.get(claim.taskId) ?? {};
      if (attempt !== claim.attempt || job === null || retry === null) continue;
      const known = byQueue.get(queue) ?? [];
      byQueue.set(queue, [...known, { id: job, retryCount: retry, claim }]);
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

  saved(claim: TeamClaim, commit: string): Promise<boolean> {
    return this.#fenced(claim, async (sql, { id }) => {
      await sql.executeSql(`update ${schema}.task set wip = $2 where id = $1`, [id, commit]);
      return true;
    });
  }

  ask(claim: TeamClaim, ask: TeamAsk, commit: string): Promise<boolean> {
    return this.#fenced(claim, async (sql, { id, queue }, job) => {
      await sql.executeSql(
        `insert into ${schema}.ask (id, task, kind, subject) values ($1, $2, $3, $4)`,
        [ask.id, id, ask.kind, ask.subject],
      );
      await sql.executeSql(
        `update ${schema}.task set state = 'asking', tries = 0, wip = $2, job = null where id = $1`,
        [id, commit],
      );
      return affected(await this.engine.complete(queue, job, null, { db: sql }));
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
    return this.#refusable(async (sql) => {
      const { rows } = await sql.executeSql(
        `update ${schema}.task t set state = $3, result = $4, job = null
         from ${schema}.task old, ${schema}.plan p
         where t.id = $1 and t.attempt = $2 and t.state = 'running'
           and p.id = t.plan and p.state = 'open'
           and old.id = t.id and old.attempt = $2 and old.state = 'running'
         returning t.plan, t.queue, old.job, old.retry`,
        [claim.taskId, claim.attempt, end, commit],
      );
      const [task] = z.array(endedRow).parse(rows);
      if (task === undefined) return false;
      // By the attempt's number too: a job that was given to another could be completed by its id alone.
      const job = { id: task.job, retryCount: task.retry };
      if (!affected(await this.engine.complete(task.queue, job, null, { db: sql }))) return false;
      await this.#goOn(sql, task.plan, end);
      return true;
    });
  }

  release(claim: TeamClaim, { stopped }: { stopped: boolean }): Promise<boolean> {
    return this.#fenced(claim, async (sql, task, job) => {
      if (!affected(await this.engine.complete(task.queue, job, null, { db: sql }))) return false;
      await this.#queue(sql, task, stopped ? 0 : restBetweenTries * task.tries);
      if (stopped) {
        await sql.executeSql(`update ${schema}.task set tries = tries - 1 where id = $1`, [
          task.id,
        ]);
      }
      return true;
    });
  }

  answer(askId: string, answer: TeamAnswer): Promise<boolean> {
    return this.database.transaction(async (sql) => {
      const given = answer.kind === "approval" ? [answer.choice, null] : [null, answer.commit];
      const { rows } = await sql.executeSql(
        `update ${schema}.ask set choice = $2, answer = $3, signature = $4, answered_at = now()
         where id = $1 and kind = $5 and answered_at is null returning task`,
        [askId, ...given, answer.signature, answer.kind],
      );
      const [row] = z.array(z.object({ task: taskId })).parse(rows);
      if (row === undefined) return false;
      const task = await this.#lock(sql, row.task);
      if (task?.state === "asking") await this.#queue(sql, task);
      return true;
    });
  }

  async cancel(planId: string): Promise<boolean> {
    const { rows } = await this.database.executeSql(
      `update ${schema}.plan set state = 'cancelled' where id = $1 and state = 'open' returning id`,
      [planId],
    );
    return rows.length > 0;
  }

  async plans(repository?: string): Promise<readonly TeamPlanStatus[]> {
    const { rows } = await this.database.executeSql(
      `select * from ${schema}.plan where $1::text is null or repository = $1
       order by sent_at desc, id desc limit 200`,
      [repository ?? null],
    );
    const plans = z.array(planRow).parse(rows);
    const ids = plans.map(({ id }) => id);
    const tasks = await tasksOf(this.database, ids);
    const asks = await this.database.executeSql(
      `select a.* from ${schema}.ask a join ${schema}.task t on t.id = a.task
       where t.plan = any($1) and a.answered_at is null`,
      [ids],
    );
    const open = z.array(askRow).parse(asks.rows);
    return plans.map((plan) => {
      const own = tasks.filter((task) => task.plan === plan.id);
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
    });
  }

  async takeOver(): Promise<void> {
    await this.engine.supervise();
  }

  async close(): Promise<void> {
    await this.engine.stop({ graceful: false });
    await this.database.close();
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
      const plan = await planOf(sql, task.plan);
      if (plan?.state !== "open" || task.job === null || task.retry === null) return false;
      return work(sql, task, { id: task.job, retryCount: task.retry });
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
  async #lock(sql: Sql, id: TaskId): Promise<TaskRow | undefined> {
    const { rows } = await sql.executeSql(
      `select * from ${schema}.task where id = $1 for no key update`,
      [id],
    );
    return z.array(taskRow).parse(rows)[0];
  }

  async #end(
    sql: Sql,
    task: TaskRow,
    end: "done" | "failed",
    commit: string | null,
  ): Promise<void> {
    await sql.executeSql(
      `update ${schema}.task set state = $2, result = $3, job = null where id = $1`,
      [task.id, end, commit],
    );
    await this.#goOn(sql, task.plan, end);
  }

  /** Queues the first task of a plan that waits; if there is none, or the last one failed, ends the plan. */
  async #goOn(sql: Sql, planId: string, end: "done" | "failed"): Promise<void> {
    const job = randomUUID();
    const { rows } = await sql.executeSql(
      `with next as (
         update ${schema}.task set state = 'queued', job = $3, retry = null
         where $2 = 'done' and id = (
           select id from ${schema}.task where plan = $1 and state = 'waiting' order by place limit 1
         )
         returning id, queue
       ), ended as (
         update ${schema}.plan set state = $2
         where id = $1 and state = 'open' and not exists (select from next)
       )
       select id, queue from next`,
      [planId, end, job],
    );
    const [next] = z.array(z.object({ id: taskId, queue: text })).parse(rows);
    if (next === undefined) return;
    await this.engine.send(next.queue, { task: next.id }, { db: sql, id: job });
  }

  /** @param rest seconds before it can be claimed */
  async #queue(sql: Sql, { id, queue }: TaskRow, rest = 0): Promise<void> {
    const job = await this.engine.send(queue, { task: id }, { db: sql, startAfter: rest });
    await sql.executeSql(
      `update ${schema}.task set state = 'queued', job = $2, retry = null where id = $1`,
      [id, job],
    );
  }

  /** Makes the engine's queue if it is not there, and has the engine know it before a transaction needs it. */
  async #makeQueue(queue: string): Promise<void> {
    if (this.#queues.has(queue)) return;
    await this.engine.createQueue(queue, queueOptions);
    await this.engine.findJobs(queue, { id: "00000000-0000-0000-0000-000000000000" });
    this.#queues.add(queue);
  }
}

/** Returns the name of the engine's queue for tasks of a repository that need the labels. */
function queueOf(repository: string, labels: readonly string[]): string {
  return labels.length === 0 ? repository : `${repository}/${[...labels].sort().join(".")}`;
}

function attemptOf({ id, retryCount }: Job): Job {
  return { id, retryCount };
}

function affected(response: object, jobs = 1): boolean {
  return "affected" in response && response.affected === jobs;
}

async function planOf(sql: Sql, id: string): Promise<z.infer<typeof planRow> | undefined> {
  const { rows } = await sql.executeSql(`select * from ${schema}.plan where id = $1`, [id]);
  return z.array(planRow).parse(rows)[0];
}

/** Returns the tasks of plans, in order. */
async function tasksOf(sql: Sql, plans: readonly string[]): Promise<TaskRow[]> {
  const { rows } = await sql.executeSql(
    `select * from ${schema}.task where plan = any($1) order by plan, place`,
    [plans],
  );
  return z.array(taskRow).parse(rows);
}

function teamPlan(
  { id, repository, base, signature }: z.infer<typeof planRow>,
  tasks: readonly TaskRow[],
): TeamPlan {
  const named = tasks.map(({ id: task, labels }) => ({ id: task, labels }));
  return { id, repository, base, signature, tasks: named };
}

function claimOf({ tasks, asks, ...row }: z.infer<typeof claimRow>): TeamClaim {
  const answers = asks.flatMap((ask) => {
    const answer = answerOf(ask);
    return answer === undefined ? [] : [{ ...askOf(ask), answer }];
  });
  const { id, repository, base, signature, task, attempt } = row;
  const from = row.wip ?? row.before ?? base;
  const plan = { id, repository, base, signature, tasks };
  return { plan, taskId: task, attempt, from, answers };
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
  if (kind === "approval") return choice === null ? undefined : { kind, choice, signature };
  return answer === null ? undefined : { kind, commit: answer, signature };
}
