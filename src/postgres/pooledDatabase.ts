import pLimit from "p-limit";
import pg from "pg";
import { UserError } from "../core/errors.js";
import type { Database, Sql } from "./database.js";
import { ListeningConnection } from "./listeningConnection.js";

/** The statements of one process that run at once; each has a connection. */
const connections = 4;
/** The most times that something is tried: more than there are connections, because each may have to be replaced. */
const mostTries = connections + 2;
/**
 * Errors after which the same may succeed: two transactions waited for one another, or what a connection has prepared does
 * not fit any more, because a newer version has changed the tables.
 */
const isOfMoment = /^(40P01|0A000|26000)$/;

/** Work on one connection. `replace`: has it not be used any more. */
type Work<T> = (sql: Sql, replace: () => void) => Promise<T>;

/**
 * A database on a server, over one pool of connections. They are few and are kept, because each has to plan all statements
 * once, and planning takes longer than running them.
 */
export class PooledDatabase implements Database {
  readonly #pool: pg.Pool;
  readonly #listening: ListeningConnection;
  readonly #turn = pLimit(connections);
  /** The names under which connections prepare statements. */
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
    const config = {
      connectionString: url,
      application_name: "rooroo",
      connectionTimeoutMillis: 10_000,
      keepAlive: true,
    };
    this.#listening = new ListeningConnection(config);
    this.#pool = new pg.Pool({
      ...config,
      max: connections,
      idleTimeoutMillis: 60_000,
    });
    // A connection that breaks while nobody uses it is replaced at the next use.
    this.#pool.on("error", () => undefined);
    this.#pool.on("connect", (client) => {
      // What is prepared is planned at the first use, and not at each of the first five.
      client.query("set plan_cache_mode = force_generic_plan").catch(() => undefined);
    });
  }

  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> {
    return this.#tried((sql) => sql.executeSql(text, values));
  }

  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#tried(async (sql, replace) => {
      await sql.executeSql("begin");
      try {
        const result = await work(sql);
        await sql.executeSql("commit");
        return result;
      } catch (error) {
        await sql.executeSql("rollback").catch(replace);
        throw error;
      }
    });
  }

  listen(channel: string, heard: (text?: string) => void): () => void {
    return this.#listening.listen(channel, heard);
  }

  /** Runs something on a connection, and once more if it failed for a reason of the moment. */
  async #tried<T>(work: Work<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#turn(() => told(() => this.#once(work)));
      } catch (error) {
        if (!isOfMoment.test(codeOf(error)) || tries === mostTries) throw error;
      }
    }
  }

  async #once<T>(work: Work<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isBroken = false;
    const replace = (): void => {
      isBroken = true;
    };
    // Without a listener, a connection that breaks between two statements would end the process.
    client.on("error", replace);
    try {
      const executeSql: Sql["executeSql"] = (text, values = []) =>
        client.query(values.length === 0 ? { text } : { name: this.#nameOf(text), text, values });
      return await work({ executeSql }, replace);
    } catch (error) {
      if (isOfMoment.test(codeOf(error))) replace();
      throw error;
    } finally {
      client.off("error", replace);
      client.release(isBroken);
    }
  }

  #nameOf(text: string): string {
    const name = this.#prepared.get(text) ?? `rooroo${this.#prepared.size}`;
    this.#prepared.set(text, name);
    return name;
  }

  async close(): Promise<void> {
    await this.#listening.close();
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
    throw new UserError(
      "databaseUnreachable",
      "The team's database cannot be used ({cause}). Check its address, and that it is up.",
      {
        cause: code === "" ? "no answer" : code,
      },
    );
  }
}

/** Returns the code of an error of the server or the connection; empty if it has none. */
function codeOf(error: unknown): string {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : "";
}
