import pLimit from "p-limit";
import pg from "pg";
import { UserError } from "../core/errors.js";
import type { Database, Sql } from "./database.js";

/** The connections of one process. */
const connections = 10;
/** Fewer than there are connections: the engine may need one more while a transaction is open. */
const transactions = 6;
/** The most times that a transaction is begun: more than there are connections, because each may have to be replaced. */
const mostTries = 12;
/**
 * Errors after which the same may succeed: two transactions waited for one another, or what a connection has prepared does
 * not fit any more, because a newer version has changed the tables.
 */
const isOfMoment = /^(40P01|0A000|26000)$/;

/** A database on a server, over one pool of connections. */
export class PooledDatabase implements Database {
  readonly #pool: pg.Pool;
  readonly #turn = pLimit(transactions);
  /** The names under which connections prepare statements: planning the engine's takes longer than running them. */
  readonly #prepared = new Map<string, string>();

  /**
   * @param url as PostgreSQL's own programs take it; its `sslmode` says how the link is protected
   * @throws {UserError} if it is no such address
   */
  constructor(url: string) {
    if (!/^postgres(ql)?:\/\//.test(url)) {
      throw new UserError(
        "databaseAddressInvalid",
        "The database's address does not begin with postgresql://, as in postgresql://rooroo@db.example.test/team?sslmode=verify-full.",
      );
    }
    this.#pool = new pg.Pool({
      connectionString: url,
      max: connections,
      application_name: "rooroo",
      connectionTimeoutMillis: 10_000,
    });
    // A connection that breaks while nobody uses it is replaced at the next use.
    this.#pool.on("error", () => undefined);
  }

  async executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return told(() => this.#pool.query(text, values));
  }

  async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#turn(() => told(() => this.#once(work)));
      } catch (error) {
        if (!isOfMoment.test(codeOf(error)) || tries === mostTries) throw error;
      }
    }
  }

  async #once<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken: unknown;
    const onBroken = (error: unknown): void => {
      broken = error;
    };
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on("error", onBroken);
    try {
      await client.query("begin");
      const sql: Sql = {
        executeSql: (text, values) =>
          client.query(
            values === undefined ? { text } : { name: this.#nameOf(text), text, values },
          ),
      };
      const result = await work(sql);
      await client.query("commit");
      return result;
    } catch (error) {
      if (isOfMoment.test(codeOf(error))) broken = error;
      await client.query("rollback").catch((failed: unknown) => {
        broken = failed;
      });
      throw error;
    } finally {
      client.off("error", onBroken);
      client.release(broken !== undefined);
    }
  }

  #nameOf(text: string): string {
    const name = this.#prepared.get(text) ?? `rooroo${this.#prepared.size}`;
    this.#prepared.set(text, name);
    return name;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/**
 * Matches the codes of errors of the connection: the system's, and the server's of the classes 08, 28 (password), 3D (no
 * such database) and 57 (shut down); and what the client says of others, which have no code.
 */
const isOfConnection =
  /^(E[A-Z]+|08...|28...|3D...|57...)$|^Connection terminated|^timeout exceeded when|not queryable$|connection error/;

/** Runs a query; an error of the connection becomes one for people, without the address, which has a password. */
async function told<T>(query: () => Promise<T>): Promise<T> {
  try {
    return await query();
  } catch (error) {
    const code = codeOf(error);
    if (!isOfConnection.test(code === "" && error instanceof Error ? error.message : code)) {
      throw error;
    }
    throw new UserError("databaseUnreachable", "The team's database cannot be used ({cause}).", {
      cause: code === "" ? "no answer" : code,
    });
  }
}

/** Returns the code of an error of the server or the connection; empty if it has none. */
function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}
