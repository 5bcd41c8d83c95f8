import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { HttpScript } from "../fakes/httpModel.js";
import { allRows, expireHeartbeats, type PostgresServer } from "../fakes/postgresServer.js";
import { Rooroo } from "./rooroo.js";
import { Stage } from "./stage.js";

const key = "0123456789abcdef0123456789abcdef";

/** A person's workspace with a bare remote, a database, and workers on "machines" of their own. */
export class TeamStage {
  private readonly workers: Rooroo[] = [];

  private constructor(
    readonly stage: Stage,
    readonly remote: string,
    /** Beside the folders of the workers: what is in it, no task changes. */
    readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  static async open(
    server: PostgresServer,
    script: HttpScript,
    files: Record<string, string>,
  ): Promise<TeamStage> {
    const folder = mkdtempSync(join(tmpdir(), "rooroo-team-"));
    const env = { ROOROO_TEAM_DATABASE: await server.newDatabase(), ROOROO_TEAM_KEY: key };
    const stage = await Stage.open(script, { ...files, ".gitignore": ".rooroo/\n" }, env);
    const remote = join(folder, "shop.git");
    execFileSync("git", ["init", "--quiet", "--bare", remote]);
    const git = (...args: string[]) =>
      execFileSync("git", args, { cwd: stage.root, stdio: "pipe" });
    git("init", "--quiet");
    git("remote", "add", "origin", remote);
    git("add", ".");
    git("-c", "user.name=Ada", "-c", "user.email=ada@example.test", "commit", "-qm", "First");
    writeFileSync(join(folder, "repos.json"), JSON.stringify({ repositories: { shop: remote } }));
    return new TeamStage(stage, remote, folder, env);
  }

  /** Starts a worker with a home of its own. */
  worker(name: string, ...options: string[]): Rooroo {
    return this.workerWith({}, name, ...options);
  }

  /** As {@link worker}. `env`: more of its environment. */
  workerWith(env: Record<string, string>, name: string, ...options: string[]): Rooroo {
    const cwd = join(this.folder, name);
    mkdirSync(cwd, { recursive: true });
    const all = ["--repos", join(this.folder, "repos.json"), "--name", name, ...options];
    const worker = new Rooroo(["worker", ...all], {
      cwd,
      env: { ROOROO_SANDBOX: "off", ...this.stage.model.env, ...this.env, ...env },
    });
    this.workers.push(worker);
    return worker;
  }

  /** Has a plan of these goals made, which waits, and sends it. Returns its id. */
  send(...goals: readonly string[]): Promise<string> {
    return this.sendWith([], ...goals);
  }

  /** As {@link send}. `options`: those with which the plan is asked for. */
  async sendWith(options: readonly string[], ...goals: readonly string[]): Promise<string> {
    const asked = await this.stage.runAll(
      "ask",
      `Plan it (${goals.join(", ")})`,
      "--plans",
      "wait",
      ...options,
    );
    if (asked.code !== 0) throw new Error(asked.stdout + asked.stderr);
    const [line = ""] = (await this.stage.read(".rooroo/queue.jsonl")).split("\n");
    const { plan_id: planId } = JSON.parse(line) as { plan_id: string };
    const sent = await this.stage.run("plan", "send", planId, "--repository", "shop");
    if (sent.code !== 0) throw new Error(sent.stdout + sent.stderr);
    return planId;
  }

  /** Returns what git prints about the remote. */
  git(...args: string[]): string {
    return execFileSync("git", args, { cwd: this.remote, encoding: "utf8", stdio: "pipe" });
  }

  /** Returns the refs of results, without the tasks' dates. */
  results(): string[] {
    return this.git("for-each-ref", "--format=%(refname)", "refs/rooroo/result").trim().split("\n");
  }

  /** Returns all that is in the database, as text. */
  dump(): Promise<string> {
    return allRows(this.env["ROOROO_TEAM_DATABASE"] ?? "");
  }

  /** Does in the database what somebody could who has no key. */
  async sql(text: string): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: this.env["ROOROO_TEAM_DATABASE"] });
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(text);
    await client.end();
    return rows;
  }

  /** Has the database do something right after each answer, before anybody can read it. Empty: nothing any more. */
  async atAnswers(sql: string): Promise<void> {
    await this.sql("drop trigger if exists meddling on rooroo.ask");
    if (sql === "") return;
    await this.sql(
      `create or replace function rooroo.meddle() returns trigger language plpgsql as $$
         begin ${sql}; return null; end $$;
       create trigger meddling after update of answered_at on rooroo.ask
         for each row execute function rooroo.meddle()`,
    );
  }

  /** Makes all heartbeats an hour old, so that the tasks of killed and stopped workers are given to others. */
  expireHeartbeats(): Promise<void> {
    return expireHeartbeats(this.env["ROOROO_TEAM_DATABASE"] ?? "");
  }

  async close(): Promise<void> {
    for (const worker of this.workers) {
      worker.kill("SIGCONT");
      worker.kill("SIGKILL");
    }
    await Promise.all(this.workers.map(({ ended }) => ended));
    await this.stage.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
