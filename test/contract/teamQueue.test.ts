import assert from "node:assert/strict";
import { PGlite } from "@electric-sql/pglite";
import { fromPglite } from "pg-boss";
import type { Database, Sql } from "../../src/postgres/database.js";
import { migrate } from "../../src/postgres/migrations.js";
import { PooledDatabase } from "../../src/postgres/pooledDatabase.js";
import { PostgresTeamQueue } from "../../src/postgres/postgresTeamQueue.js";
import { MemoryTeamQueue } from "../fakes/memoryTeamQueue.js";
import { postgresPrograms, PostgresServer } from "../fakes/postgresServer.js";
import { commitOf, planOf, teamQueueContract, type TeamQueueStage } from "./teamQueueContract.js";

/** PGlite has one connection: transactions take turns, and what the engine reads meanwhile is read within. */
class EmbeddedDatabase implements Database {
  readonly #sql: Sql;
  #last: Promise<unknown> = Promise.resolve();

  constructor(private readonly pglite: PGlite) {
    this.#sql = fromPglite(pglite);
  }

  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return this.#sql.executeSql(text, values);
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const turn = this.#last.then(async () => {
      await this.pglite.exec("begin");
      try {
        const result = await work(this.#sql);
        await this.pglite.exec("commit");
        return result;
      } catch (error) {
        await this.pglite.exec("rollback");
        throw error;
      }
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  listen(channel: string, heard: (text?: string) => void): () => void {
    const listening = this.pglite.listen(channel, heard).then((end) => {
      heard();
      return end;
    });
    return () => void listening.then((end) => end());
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

async function stageOf(database: Database): Promise<TeamQueueStage> {
  const queue = await PostgresTeamQueue.open(database, { watches: false });
  return {
    queue,
    silence: async ({ taskId }) => {
      await database.executeSql(
        `update rooroo_engine.job set heartbeat_on = heartbeat_on - interval '1 hour'
         where state = 'active' and data->>'task' = $1`,
        [taskId],
      );
      // The engine looks at a queue again only after some seconds.
      await database.executeSql(
        "update rooroo_engine.queue set monitor_claim_on = null, monitor_on = null",
      );
    },
    age: async (days) => {
      await database.executeSql(
        "update rooroo.plan set closed_at = closed_at - $1 * interval '1 day'",
        [days],
      );
    },
    close: () => queue.close(),
  };
}

const empty = "drop schema if exists rooroo cascade; drop schema if exists rooroo_engine cascade";

describe("a team's queue", () => {
  describe("in memory", () => {
    teamQueueContract(() => {
      const queue = new MemoryTeamQueue();
      return Promise.resolve({
        queue,
        silence: (claim) => {
          queue.silence(claim);
          return Promise.resolve();
        },
        age: (days) => {
          queue.age(days);
          return Promise.resolve();
        },
        close: () => queue.close(),
      });
    });
  });

  describe("in PGlite", () => {
    let pglite: PGlite;
    before(async () => {
      pglite = await PGlite.create();
    });
    after(() => pglite.close());
    teamQueueContract(async () => {
      await pglite.exec(empty);
      return stageOf(new EmbeddedDatabase(pglite));
    });
  });

  // Where there is no server, and none can be installed, PGlite has run the same tests.
  if (postgresPrograms() === undefined) return;
  describe("in PostgreSQL", () => {
    let server: PostgresServer;
    before(async () => {
      server = await PostgresServer.start();
    });
    after(() => server.stop());

    const opened = async (): Promise<TeamQueueStage> => {
      const database = new PooledDatabase(server.url());
      await database.executeSql(empty);
      return stageOf(database);
    };

    teamQueueContract(opened);

    it("survives a server that is restarted in the middle of a transaction", async () => {
      const database = new PooledDatabase(server.url());
      const broken = database.transaction(async (sql) => {
        await sql.executeSql("select 1");
        await server.restart();
        await sql.executeSql("select 1");
      });
      await assert.rejects(broken, { code: "databaseUnreachable" });
      assert.deepEqual(await database.executeSql("select 1 as one").then(({ rows }) => rows), [
        { one: 1 },
      ]);
      await database.close();
    });

    it("is opened by many at once, and claimed by many, without a task twice or out of order", async () => {
      const { queue: sender, close } = await opened();
      for (let plan = 1; plan <= 20; plan++) await sender.send(planOf(`P${plan}`, 3));
      const workers = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const database = new PooledDatabase(server.url());
          return PostgresTeamQueue.open(database, { watches: false });
        }),
      );
      const order = new Map<string, string[]>();
      const slot = async (queue: PostgresTeamQueue, machine: string) => {
        let [open] = [true];
        while (open) {
          const worker = { machine, repositories: ["shop"], labels: [] };
          for (const claim of await queue.claim(worker, 2)) {
            const seen = order.get(claim.plan.id) ?? [];
            order.set(claim.plan.id, [...seen, claim.taskId]);
            assert.equal(await queue.settle(claim, "done", commitOf(2)), true);
          }
          open = (await queue.plans()).some(({ state }) => state === "open");
        }
      };
      await Promise.all(
        workers.flatMap((queue, index) => [1, 2, 3].map(() => slot(queue, `w${index}`))),
      );
      for (const [plan, tasks] of order) {
        const name = plan.replace("ROO#PLAN_", "");
        assert.deepEqual(
          tasks,
          planOf(name, 3).tasks.map(({ id }) => id),
        );
      }
      assert.equal(order.size, 20);
      await Promise.all([...workers.map((queue) => queue.close()), close()]);
    });

    it("goes on when a newer version changes tables that statements were prepared for", async () => {
      const database = new PooledDatabase(server.url());
      await database.executeSql("drop table if exists kept; create table kept (one int)");
      await database.executeSql("insert into kept values (1)");
      const read = () =>
        database.transaction(async (sql) => {
          return (await sql.executeSql("select * from kept where one = $1", [1])).rows;
        });
      await Promise.all([1, 2, 3, 4, 5, 6].map(read));
      await database.executeSql("alter table kept add column two int default 2");
      assert.deepEqual(
        await Promise.all([1, 2, 3, 4, 5, 6].map(read)),
        Array(6).fill([{ one: 1, two: 2 }]),
      );
      await database.close();
    });

    it("says what is wrong with an address or a server, and never the address", async () => {
      assert.throws(() => new PooledDatabase("mysql://x"), { code: "databaseAddressInvalid" });
      const nowhere = new PooledDatabase("postgresql://a:secret@/x?host=%2Fnowhere");
      await assert.rejects(migrate(nowhere), (error: Error & { code?: string }) => {
        assert.equal(error.code, "databaseUnreachable");
        assert.doesNotMatch(error.message, /secret/);
        return true;
      });
      await nowhere.close();
    });

    it("does not touch the tables of a newer version", async () => {
      const database = new PooledDatabase(server.url());
      await database.executeSql(empty);
      await migrate(database);
      await database.executeSql("insert into rooroo.version values (99)");
      await assert.rejects(migrate(database), { code: "databaseNewer" });
      await database.close();
    });
  });
});
