import { execFile, spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);

/** Returns the folder with PostgreSQL's programs; `undefined` if it is not installed. */
export function postgresPrograms(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
  const folders = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...versions.map((version) => join(debian, version, "bin")),
  ];
  return folders.find((folder) =>
    ["initdb", "postgres"].every((it) => existsSync(join(folder, it))),
  );
}

interface Running {
  readonly stopped: Promise<unknown>;
  readonly pid: number;
}

/** A PostgreSQL server of its own: a socket and the data in a temporary folder, and no port. */
export class PostgresServer {
  #databases = 0;

  private constructor(
    private readonly folder: string,
    private readonly launch: () => Promise<Running>,
    private running: Running,
  ) {}

  /** Starts a server in which each commit is fast, because nothing has to outlive a loss of power. */
  static async start(): Promise<PostgresServer> {
    const programs = postgresPrograms();
    if (programs === undefined) throw new Error("PostgreSQL is not installed");
    // A socket's path must be short, and the user that the server runs as must reach it.
    const folder = await mkdtemp("/tmp/rooroo-pg-");
    const data = join(folder, "data");
    await mkdir(data);
    // The server refuses to run as root.
    const isRoot = process.getuid?.() === 0;
    const ids = isRoot ? { uid: 65_534, gid: 65_534 } : {};
    if (isRoot) {
      await run("chown", ["65534:65534", folder, data]);
      await chmod(folder, 0o755);
    }
    const as = { ...ids, cwd: folder, env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8" } };
    const init = ["-D", data, "-U", "rooroo", "-A", "trust", "--no-sync"];
    await run(join(programs, "initdb"), init, as);
    const settings = [
      "listen_addresses=''",
      `unix_socket_directories='${folder}'`,
      "fsync=off",
      "synchronous_commit=off",
      "full_page_writes=off",
      "max_connections=700",
      "logging_collector=off",
    ];
    await writeFile(join(data, "postgresql.auto.conf"), `${settings.join("\n")}\n`);
    const launch = async (): Promise<Running> => {
      const server = spawn(join(programs, "postgres"), ["-D", data], {
        ...as,
        stdio: ["ignore", "ignore", "pipe"],
      });
      const stopped = new Promise((resolve) => server.once("close", resolve));
      await new Promise<void>((resolve, reject) => {
        let said = "";
        server.stderr.setEncoding("utf8").on("data", (text: string) => {
          said += text;
          if (said.includes("database system is ready to accept connections")) resolve();
        });
        void stopped.then(() => {
          reject(new Error(said));
        });
      });
      return { stopped, pid: server.pid ?? 0 };
    };
    return new PostgresServer(folder, launch, await launch());
  }

  /** The id of the server's process, whose children serve the connections. */
  get pid(): number {
    return this.running.pid;
  }

  /** Ends the server, with all connections, and starts it again with the same data. */
  async restart(): Promise<void> {
    await this.#end();
    this.running = await this.launch();
  }

  /** Makes an empty database, and returns its address. */
  async newDatabase(): Promise<string> {
    const name = `team${++this.#databases}`;
    const client = new pg.Client({ connectionString: this.url() });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    return this.url(name);
  }

  /** Returns the address of the database that was made last. */
  lastDatabase(): string {
    return this.url(`team${this.#databases}`);
  }

  url(database = "postgres"): string {
    return `postgresql://rooroo@/${database}?host=${encodeURIComponent(this.folder)}`;
  }

  async #end(): Promise<void> {
    process.kill(this.running.pid, "SIGINT");
    await this.running.stopped;
  }

  async stop(): Promise<void> {
    await this.#end();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Makes all heartbeats in a team's database an hour old, so that the tasks of killed and stopped workers are given to others. */
export async function expireHeartbeats(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      "update rooroo.task set free_at = now() - interval '1 hour' where state = 'running'",
    );
  } finally {
    await client.end();
  }
}

/** Returns all rows of all tables of a database, as text. */
export async function allRows(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema = 'rooroo' and table_type = 'BASE TABLE'`,
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      texts.push(...rows.map(({ row }) => row));
    }
    return texts.join("\n");
  } finally {
    await client.end();
  }
}
