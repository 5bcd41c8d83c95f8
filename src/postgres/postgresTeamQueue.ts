import * as z from "zod";
import { taskIdPattern } from "../core/documents/queue.js";
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
import type { Database } from "./database.js";
import { migrate, schema } from "./migrations.js";
import { readEach, type Table } from "./rows.js";

/** Seconds without a heartbeat after which a task is given to another worker, and between the looks for such tasks. */
const silence = 10;
const lookEvery = 2;
/** Seconds between two cleanings. */
const cleanEvery = 3600;
/** The number of plans that are read at once. */
const page = 100;
/** Seconds before an attempt that ended without a result is followed by another: so many for each try, up to so many tries. */
const restBetweenTries = 30;
const mostRests = 20;
/** The channels on which machines hear that tasks are ready, and that plans have changed. */
const ready = "rooroo_ready";
const changed = "rooroo_changed";

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
  machine: text.nullable(),
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

/** What a claim has, read by the statement that claims. */
const claimRow = z.object({
  ...planRow.pick({ repository: true, base: true, signature: true }).shape,
  id: taskId,
  plan: text,
  attempt: z.int(),
  deaths: z.int(),
  wip: commit.nullable(),
  /** The result of the last task before it that has one. */
  before: commit.nullable(),
  tasks: z.array(z.object({ id: taskId, labels: z.array(text.regex(teamName)) })),
  /** Each is read by itself. */
  asks: z.array(z.unknown()),
});
const claimColumns = `p.repository, p.base, p.signature, t.id, t.plan, t.attempt, t.wip,
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
/** From when the task of an attempt that is silent from now on may be given to another. */
const silent = `now() + interval '${silence} seconds'`;
/** Says that attempt `$2` has task `t` of plan `p`, whose id is `$1`. */
const isHeld = `t.id = $1 and t.attempt = $2 and t.state = 'running'
  and p.id = t.plan and p.state = 'open'`;

/** Tells workers of a task with these labels, when it is committed; the same twice in one statement is told once. */
function tellReady(repository: string, labels: string): string {
  // The server refuses longer ones, and the statement with them.
  return `pg_notify('${ready}', left(${repository} || '/' || array_to_string(${labels}, '.'), 1000))`;
}

function tellChanged(plan: string): string {
  return `pg_notify('${changed}', ${plan})`;
}

/** How a process takes part. */
export interface TeamQueueOptions {
  /** Whether it looks for silent workers, and removes what nobody needs any more. */
  readonly watches: boolean;
  /** The days for which plans are kept whose senders need them no more. */
  readonly keepDays?: number;
  /** Told of what fails at the moment, and is tried again. */
  readonly onError?: (error: Error) => void;
}

/**
 * The team's queue in PostgreSQL. A task's row says who has it, and until when: `free_at` is the time from which a queued
 * one may be claimed, and a running one be given to another. Each change is one statement, of which all happens or nothing.
 */
export class PostgresTeamQueue implements TeamQueue {
  #looks: NodeJS.Timeout | undefined;

  private constructor(
    private readonly database: Database,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Opens the queue, and makes or brings up to date the tables that it needs. */
  static async open(database: Database, options: TeamQueueOptions): Promise<PostgresTeamQueue> {
    await migrate(database);
    const queue = new PostgresTeamQueue(database, (error) =>
      options.onError?.(error instanceof Error ? error : new Error(String(error))),
    );
    const { keepDays = usualKeepDays } = options;
    if (options.watches) {
      queue.#looks = setInterval(
        () => void queue.#look(keepDays).catch(queue.onError),
        1000 * lookEvery,
      );
    }
    return queue;
  }

  async send({ id, repository, base, signature, tasks }: TeamPlan): Promise<boolean> {
    const { rows } = await this.database.executeSql(
      // The plan's row first: of two that send it at once, one finds that it is there.
      `with added as (
         insert into ${schema}.plan (id, repository, base, signature) values ($1, $2, $3, $4)
         on conflict do nothing returning id, repository
       ), tasks as (
         insert into ${schema}.task (id, plan, place, labels, state)
         select task->>'id', added.id, place - 1,
           array(select jsonb_array_elements_text(task->'labels')),
           case place when 1 then 'queued' else 'waiting' end
         from added, jsonb_array_elements($5) with ordinality as given (task, place)
         returning state, labels
       )
       select ${tellReady("repository", "labels")} from added, tasks where state = 'queued'`,
      [id, repository, base, signature, JSON.stringify(tasks)],
    );
    return rows.length > 0;
  }

  async claim(worker: TeamWorker, number: number): Promise<readonly TeamClaim[]> {
    const { rows } = await this.database.executeSql(
      `with free as (
         select t.id from ${schema}.task t join ${schema}.plan p on p.id = t.plan
         where t.state = 'queued' and t.free_at <= now() and t.labels <@ $2::text[]
           and p.state = 'open' and p.repository = any($1)
         order by t.free_at limit $4 for no key update of t skip locked
       )
       update ${schema}.task t set state = 'running', free_at = ${silent}, machine = $3,
         attempt = least(t.attempt, ${most}) + 1, tries = least(t.tries, ${most}) + 1
       from free, ${schema}.plan p where t.id = free.id and p.id = t.plan
       returning ${claimColumns}`,
      [worker.repositories, worker.labels, worker.machine, number],
    );
    const claims: TeamClaim[] = [];
    for (const row of rows) {
      const [read] = this.#read("task", claimRow, [row]);
      if (read === undefined) await this.#endUnreadable(z.looseObject({ id: text }).parse(row).id);
      else claims.push(claimOf(read, this.#read("ask", askRow, read.asks)));
    }
    return claims;
  }

  /**
   * Ends a task whose row cannot be read, after some attempts: a newer version may be able to. Until then nobody beats for the
   * attempt, so that the task is given to another.
   */
  async #endUnreadable(id: string): Promise<void> {
    await this.database.executeSql(
      `with ended as (
         update ${schema}.task set state = 'failed', result = wip
         where id = $1 and tries > $2 returning plan
       )
       update ${schema}.plan p set state = 'failed' from ended
       where p.id = ended.plan and p.state = 'open' returning ${tellChanged("p.id")}`,
      [id, mostDeaths],
    );
  }

  onReady({ repositories, labels }: TeamWorker, heard: () => void): () => void {
    return this.database.listen(ready, (about) => {
      const [repository = "", needed = ""] = about?.split("/") ?? [];
      const names = needed === "" ? [] : needed.split(".");
      const isFit =
        repositories.includes(repository) && names.every((label) => labels.includes(label));
      if (about === undefined || isFit) heard();
    });
  }

  onChanged(heard: (planId?: string) => void): () => void {
    return this.database.listen(changed, heard);
  }

  async beat(claims: readonly TeamClaim[]): Promise<ReadonlySet<TeamClaim>> {
    const { rows } = await this.database.executeSql(
      `update ${schema}.task t set free_at = ${silent}
       from ${schema}.plan p, unnest($1::text[], $2::int[]) as claim (id, attempt)
       where t.id = claim.id and t.attempt = claim.attempt and t.state = 'running'
         and p.id = t.plan and p.state = 'open'
       returning t.id, t.attempt`,
      [claims.map(({ taskId }) => taskId), claims.map(({ attempt }) => attempt)],
    );
    const held = this.#read("task", taskRow.pick({ id: true, attempt: true }), rows);
    const attempts = new Map(held.map(({ id, attempt }) => [id, attempt]));
    return new Set(claims.filter(({ taskId, attempt }) => attempts.get(taskId) === attempt));
  }

  asksModel(claim: TeamClaim, call: number): Promise<boolean> {
    return this.#ofHeld(
      claim,
      `update ${schema}.task t set call = $3 from ${schema}.plan p where ${isHeld} returning t.id`,
      call,
    );
  }

  saved(claim: TeamClaim, commit: string): Promise<boolean> {
    return this.#ofHeld(
      claim,
      `update ${schema}.task t set wip = $3 from ${schema}.plan p where ${isHeld} returning t.id`,
      commit,
    );
  }

  ask(claim: TeamClaim, { id, kind, subject }: TeamAsk, commit: string): Promise<boolean> {
    return this.#ofHeld(
      claim,
      `with asking as (
         update ${schema}.task t
         set state = 'asking', tries = 0, call = null, deaths = '{}', wip = $3
         from ${schema}.plan p where ${isHeld} returning t.id, t.plan
       ), asked as (
         insert into ${schema}.ask (id, task, kind, subject) select $4, id, $5, $6 from asking
       )
       select ${tellChanged("plan")} from asking`,
      commit,
      id,
      kind,
      subject,
    );
  }

  useAnswer(claim: TeamClaim, askId: string): Promise<boolean> {
    return this.#ofHeld(
      claim,
      // The task is kept meanwhile, so that nobody else claims it and is given the answer, too.
      `with held as (
         select t.id from ${schema}.task t, ${schema}.plan p where ${isHeld} for no key update of t
       )
       update ${schema}.ask a set used = true from held
       where a.id = $3 and a.task = held.id and a.answered_at is not null and not a.used
       returning a.id`,
      askId,
    );
  }

  settle(claim: TeamClaim, end: "done" | "failed", commit: string): Promise<boolean> {
    const { tasks } = claim.plan;
    const place = tasks.findIndex(({ id }) => id === claim.taskId);
    const next = end === "done" ? tasks[place + 1] : undefined;
    return this.#ofHeld(
      claim,
      // Who settles claims next, so that nobody else is woken for what it may take itself.
      `with ended as (
         update ${schema}.task t set state = $3, result = $4 from ${schema}.plan p
         where ${isHeld} returning t.plan, t.labels, p.repository
       ), next as (
         update ${schema}.task t set state = 'queued', free_at = now() from ended
         where t.id = $5 and t.plan = ended.plan and t.state = 'waiting'
         returning case when not (t.labels <@ ended.labels and t.labels @> ended.labels)
           then ${tellReady("ended.repository", "t.labels")} end
       ), over as (
         update ${schema}.plan p set state = $3 from ended
         where p.id = ended.plan and $5::text is null returning ${tellChanged("p.id")}
       )
       select from ended`,
      end,
      commit,
      next?.id ?? null,
    );
  }

  release(claim: TeamClaim, { stopped }: { stopped: boolean }): Promise<boolean> {
    const rest = `now() + greatest(1, least(t.tries, ${mostRests})) * interval '${restBetweenTries} seconds'`;
    const how = stopped
      ? `free_at = now(), tries = greatest(1, t.tries) - 1, call = null`
      : `free_at = ${rest}, ${countDeath}`;
    return this.#ofHeld(
      claim,
      `update ${schema}.task t set state = 'queued', ${how} from ${schema}.plan p
       where ${isHeld} returning ${stopped ? tellReady("p.repository", "t.labels") : "t.id"}`,
    );
  }

  async answer(askId: string, answer: TeamAnswer): Promise<boolean> {
    const choice = answer.kind === "approval" ? answer.choice : null;
    const { rows } = await this.database.executeSql(
      `with answered as (
         update ${schema}.ask set choice = $2, answer = $3, signature = $4, answered_at = now()
         where id = $1 and kind = $5 and answered_at is null returning task
       ), queued as (
         update ${schema}.task t set state = 'queued', free_at = now()
         from answered, ${schema}.plan p
         where t.id = answered.task and t.state = 'asking' and p.id = t.plan
         returning ${tellChanged("t.plan")}, ${tellReady("p.repository", "t.labels")}
       )
       select from answered`,
      [askId, choice, answer.commit ?? null, answer.signature, answer.kind],
    );
    return rows.length > 0;
  }

  async cancel(planId: string): Promise<boolean> {
    const { rows } = await this.database.executeSql(
      `update ${schema}.plan set state = 'cancelled' where id = $1 and state = 'open'
       returning ${tellChanged("id")}`,
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
    await this.database.executeSql(
      // One that is locked is at work, or is looked at again.
      `with lost as (
         select t.id from ${schema}.task t join ${schema}.plan p on p.id = t.plan
         where t.state = 'running' and t.free_at < now() and p.state = 'open'
         for no key update of t skip locked
       )
       update ${schema}.task t set state = 'queued', free_at = now(), ${countDeath}
       from lost, ${schema}.plan p where t.id = lost.id and p.id = t.plan
       returning ${tellReady("p.repository", "t.labels")}`,
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#looks);
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
    if (await this.#isTurn("clean", cleanEvery)) await this.clean(keepDays);
  }

  /**
   * Has the server count the rows of tables that have changed much. It does so by itself after a minute; before, it reads
   * all rows to find one.
   */
  async #analyze(): Promise<void> {
    const { rows } = await this.database.executeSql(
      `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables
       where schemaname = '${schema}' and relname in ('plan', 'task')
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

  /** Runs a statement of {@link isHeld}. Returns `false` if nothing came of it. */
  async #ofHeld(
    { taskId, attempt }: TeamClaim,
    statement: string,
    ...values: readonly (string | number | null)[]
  ): Promise<boolean> {
    const { rows } = await this.database.executeSql(statement, [taskId, attempt, ...values]);
    return rows.length > 0;
  }
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
