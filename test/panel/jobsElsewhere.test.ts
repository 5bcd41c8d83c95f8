import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { jobPlayers } from "../modelServer/jobPlayers.js";
import { type ExtensionStage, root, until } from "./extensionStage.js";
import { useExtensionStage } from "./useExtensionStage.js";

describe("jobs in another process", () => {
  let stage: ExtensionStage;
  useExtensionStage({}, (opened) => {
    stage = opened;
  });

  const described = (id: string, words: RegExp) =>
    until(() => {
      const row = stage.api.jobs.rows.tree.row(id);
      return row !== undefined && words.test(row.description ?? "");
    }, `${id}: ${words.source}`);

  it("are seen and stopped when another process runs them", async () => {
    await stage.write(".jixo/french.job.md", "Translate docs/ into French.\n");
    const plan = {
      title: "Docs in French",
      changes: [{ action: "add" as const, items: [{ text: "1. Home" }] }],
    };
    const players = jobPlayers({ plan, waits: () => new Promise(() => undefined) });
    stage.server.script(...Array.from({ length: 50 }, () => players));
    const program = join(root, "dist", "rooroo.cjs");
    const words = [program, "job", "run", "french", "--approve", "all", "--model", "gpt-test"];
    const other = spawn(process.execPath, words, {
      cwd: stage.path(""),
      stdio: "ignore" as const,
      env: { ...process.env, OPENAI_BASE_URL: stage.server.url, OPENAI_API_KEY: "x" },
    });
    const ended = once(other, "exit");
    await described("task:french:1", /^turn 1\/60 · rooroo job$/);
    await described("job:french", /^0% · 1 runner$/);
    await stage.command("rooroo.stopJob", "french");
    await ended;
    await described("job:french", /^0% · not running$/);
  });
});
