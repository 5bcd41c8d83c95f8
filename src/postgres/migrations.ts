import { UserError } from "../core/errors.js";
import type { Database } from "./database.js";

/** The schema of our tables. */
export const schema = "rooroo";

/** Each is applied once, in order. One that has been released does not change. */
const migrations: readonly string[] = [
  `create table ${schema}.plan (
    id text primary key,
    repository text not null,
    base text not null,
    signature text not null,
    state text not null default 'open' check (state in ('open', 'done', 'failed', 'cancelled')),
    sent_at timestamptz not null default now()
  );
  create index plan_repository on ${schema}.plan (repository, sent_at desc);
  create table ${schema}.task (
    id text primary key,
    plan text not null references ${schema}.plan on delete cascade,
    place int not null,
    labels text[] not null,
    state text not null
      check (state in ('waiting', 'queued', 'running', 'asking', 'done', 'failed')),
    attempt int not null default 0,
    tries int not null default 0,
    machine text,
    queue text not null,
    job uuid,
    retry int,
    wip text,
    result text,
    unique (plan, place)
  );
  create index task_open on ${schema}.task (queue) where state in ('queued', 'running');
  create table ${schema}.ask (
    id text primary key,
    task text not null references ${schema}.task on delete cascade,
    kind text not null check (kind in ('question', 'approval')),
    subject text not null,
    choice text check (choice in ('allow', 'deny')),
    answer text,
    signature text,
    answered_at timestamptz,
    used boolean not null default false
  );
  create index ask_open on ${schema}.ask (task) where not used;`,
  `create table ${schema}.chore (
    name text primary key,
    done_at timestamptz not null default 'epoch'
  );
  insert into ${schema}.chore (name) values ('takeOver'), ('clean');
  alter table ${schema}.plan add column closed_at timestamptz;
  create index plan_closed on ${schema}.plan (closed_at) where closed_at is not null;
  drop index ${schema}.ask_open;
  create index ask_task on ${schema}.ask (task);`,
  `alter table ${schema}.task add column call int, add column deaths int[] not null default '{}';`,
  // Its index on `queue` goes with it. What another schema has of an engine that gave out tasks before stays as it is.
  `alter table ${schema}.task
    drop column queue, drop column job, drop column retry,
    add column free_at timestamptz not null default now();
  create index task_open on ${schema}.task (plan) where state in ('queued', 'running');`,
];

/**
 * Brings the tables to the form that this version needs.
 *
 * @throws {UserError} if a newer version has changed them
 */
export async function migrate(database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    // One process at a time, whoever else starts now.
    await sql.executeSql("select pg_advisory_xact_lock(hashtext('rooroo.migrations'))");
    await sql.executeSql(
      `create schema if not exists ${schema};
       create table if not exists ${schema}.version (applied int primary key)`,
    );
    const { rows } = await sql.executeSql(
      `select coalesce(max(applied), 0)::int as applied from ${schema}.version`,
    );
    const { applied } = rows[0] as { applied: number };
    if (applied > migrations.length) {
      throw new UserError(
        "databaseNewer",
        "The team's database was made by a newer version of Rooroo. Update this one.",
      );
    }
    for (let next = applied; next < migrations.length; next++) {
      await sql.executeSql(migrations[next] ?? "");
      await sql.executeSql(`insert into ${schema}.version values ($1)`, [next + 1]);
    }
  });
}
