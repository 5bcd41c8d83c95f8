import assert from "node:assert/strict";
import { PGlite } from "@electric-sql/pglite";
import { mostDeaths, type TeamWorker } from "../../src/core/ports/teamQueue.js";
import type { Database, Sql } from "../../src/postgres/database.js";
import { migrate } from "../../src/postgres/migrations.js";
import { PooledDatabase } from "../../src/postgres/pooledDatabase.js";
import { PostgresTeamQueue } from "../../src/postgres/postgresTeamQueue.js";
import { MemoryTeamQueue } from "../fakes/memoryTeamQueue.js";
import { postgresPrograms, PostgresServer } from "../fakes/postgresServer.js";
import { commitOf, planOf, teamQueueContract, type TeamQueueStage } from "./teamQueueContract.js";

/** PGlite has one connection: statements and transactions take turns. */
class EmbeddedDatabase implements Database {
  constructor(private readonly pglite: PGlite) {}

  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return ranIn(this.pglite, text, values);
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.pglite.transaction((own) =>
      work({ executeSql: (text, values) => ranIn(own, text, values) }),
    );
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

async function ranIn(
  sql: Pick<PGlite, "exec" | "query">,
  text: string,
  values?: unknown[],
): Promise<{ rows: unknown[] }> {
  if (values !== undefined) return sql.query(text, values);
  return (await sql.exec(text)).at(-1) ?? { rows: [] };
}

async function stageOf(
  database: Database,
  onError: (error: Error) => void = () => undefined,
): Promise<TeamQueueStage> {
  const queue = await PostgresTeamQueue.open(database, { watches: false, onError });
  return {
    queue,
    silence: async ({ taskId }) => {
      await database.executeSql(
        `update rooroo.task set free_at = free_at - interval '1 hour'
         where id = $1 and state = 'running'`,
        [taskId],
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

const empty = "drop schema if exists rooroo cascade";

const worker: TeamWorker = { machine: "one", repositories: ["shop"], labels: [] };

/** How somebody can change one row of plan A so that it cannot be read, and what is told of it. */
const oddities: readonly {
  readonly sql: string;
  readonly row: RegExp;
  readonly columns: string;
}[] = [
  { sql: "update plan set base = 'x'", row: /^plan ROO#PLAN_A$/, columns: "base" },
  { sql: "update plan set state = 'paused'", row: /^plan ROO#PLAN_A$/, columns: "state" },
  { sql: "update task set state = 'paused'", row: /^task ROO#SUB_A_S001$/, columns: "state" },
  {
    sql: "update task set wip = '--output=x', labels = '{A B}'",
    row: /^task ROO#SUB_A_S001$/,
    columns: "labels, wip",
  },
  { sql: "update task set id = E'\\x1b[2J'", row: /^task ⟨U\+001B⟩\[2J$/, columns: "id" },
];

/** Numbers and lists of numbers that rooroo never writes. */
const strangeNumbers = [
  "attempt = 2147483647, tries = 2147483647",
  "attempt = -2147483648, tries = -2147483648, call = -2147483648",
  "call = 2147483647, deaths = '{{1,2},{3,4}}'",
  "call = 1, deaths = '[-7:-6]={1,1}'",
  "call = 1, deaths = '{NULL,NULL,2147483647}'",
];

/** The tests of rows that cannot be read, which a queue in memory has none of. */
function oddRowTests(open: () => Promise<Database>): void {
  let database: Database;
  let stage: TeamQueueStage;
  let told: string[];
  /** Does what somebody can who owns the database. */
  const change = async (sql: string, plan: string) => {
    const named = sql
      .replace(/^update (\w+)/, "update rooroo.$1")
      .concat(sql.startsWith("update plan") ? ` where id = '${plan}'` : ` where plan = '${plan}'`);
    await database.executeSql(named);
  };
  beforeEach(async () => {
    database = await open();
    told = [];
    stage = await stageOf(database, ({ message }) => told.push(message));
    for (const column of ["plan", "task"]) {
      await database.executeSql(
        `alter table rooroo.${column} drop constraint ${column}_state_check`,
      );
    }
    for (const name of ["A", "B", "C"]) await stage.queue.send(planOf(name, 1));
  });
  afterEach(() => stage.close());

  for (const { sql, row, columns } of oddities) {
    it(`names a row that cannot be read and leaves it out, after ${sql}`, async () => {
      await change(sql, "ROO#PLAN_A");
      const ids = ["A", "B", "C"].map((name) => planOf(name, 1).id);
      const { plans, odd } = await stage.queue.plans(ids);
      assert.deepEqual(
        plans.map(({ id }) => id),
        ids.slice(1),
      );
      const [first, ...more] = odd;
      assert.deepEqual(more, []);
      assert.match(first?.row ?? "", row);
      assert.deepEqual([first?.plan, first?.columns.join(", ")], ["ROO#PLAN_A", columns]);
      const claims = await stage.queue.claim(worker, 5);
      const claimed = claims.map(({ plan }) => plan.id);
      assert.deepEqual(claimed.filter((id) => id !== "ROO#PLAN_A").sort(), ids.slice(1));
      for (const message of told) assert.match(message, /^In the team's database, \w+ \S+ cannot/);
      assert.deepEqual(await stage.queue.beat(claims), new Set(claims));
    });
  }

  for (const numbers of strangeNumbers) {
    it(`gives out all tasks when one has numbers that it cannot count on, as ${numbers}`, async () => {
      const { queue } = stage;
      const first = await queue.claim(worker, 5);
      assert.equal(first.length, 3);
      await change(`update task set ${numbers}`, "ROO#PLAN_A");
      for (const claim of first) await stage.silence(claim);
      await queue.takeOver();
      const again = await queue.claim(worker, 5);
      assert.equal(again.length, 3);
      assert.deepEqual(await queue.beat(again), new Set(again));
      for (const claim of again) assert.equal(await queue.release(claim, { stopped: false }), true);
    });
  }

  it("shows a plan without an ask that cannot be read, and works on a task without such an answer", async () => {
    const { queue } = stage;
    const claims = await queue.claim(worker, 5);
    const own = claims.find(({ plan }) => plan.id === "ROO#PLAN_A");
    assert.ok(own);
    await queue.ask(own, { id: "ask-1", kind: "approval", subject: "s" }, commitOf(2));
    await database.executeSql("alter table rooroo.ask drop constraint ask_kind_check");
    await database.executeSql("update rooroo.ask set kind = 'order'");
    const { plans, odd } = await queue.plans(["ROO#PLAN_A"]);
    assert.deepEqual(plans[0]?.progress[0]?.asks, []);
    assert.deepEqual(odd, [{ plan: "ROO#PLAN_A", row: "ask ask-1", columns: ["kind"] }]);
    await database.executeSql("update rooroo.ask set kind = 'approval'");
    await queue.answer("ask-1", { kind: "approval", choice: "allow", signature: "s" });
    await database.executeSql("update rooroo.ask set answer = 'x'");
    const [again] = await queue.claim(worker, 1);
    assert.deepEqual([again?.plan.id, again?.answers], ["ROO#PLAN_A", []]);
    assert.match(told.join(), /ask ask-1 cannot be read \(answer\)/);
  });

  it("ends the plan of a task that cannot be read, as one that no worker can end", async () => {
    const { queue } = stage;
    await database.executeSql("update rooroo.task set wip = 'x' where plan = 'ROO#PLAN_A'");
    for (let tries = 0; tries <= mostDeaths; tries++) {
      await queue.claim(worker, 5);
      await database.executeSql(
        "update rooroo.task set free_at = 'epoch' where plan = 'ROO#PLAN_A'",
      );
      await queue.takeOver();
    }
    const { rows } = await database.executeSql("select state from rooroo.plan order by id");
    assert.deepEqual(rows, [{ state: "failed" }, { state: "open" }, { state: "open" }]);
  });
}

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
    const opened = async () => {
      await pglite.exec(empty);
      return new EmbeddedDatabase(pglite);
    };
    teamQueueContract(async () => stageOf(await opened()));
    describe("with rows that cannot be read", () => {
      oddRowTests(opened);
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

    const emptied = async () => {
      const database = new PooledDatabase(server.url());
      await database.executeSql(empty);
      return database;
    };
    const opened = async () => stageOf(await emptied());

    teamQueueContract(opened);
    describe("with rows that cannot be read", () => {
      oddRowTests(emptied);
    });

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
      const sent: string[] = [];
      for (let plan = 1; plan <= 20; plan++) {
        await sender.send(planOf(`P${plan}`, 3));
        sent.push(planOf(`P${plan}`, 3).id);
      }
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
          for (const claim of await queue.claim({ ...worker, machine }, 2)) {
            const seen = order.get(claim.plan.id) ?? [];
            order.set(claim.plan.id, [...seen, claim.taskId]);
            assert.equal(await queue.settle(claim, "done", commitOf(2)), true);
          }
          const { plans } = await queue.plans(sent);
          open = plans.some(({ state }) => state === "open");
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
