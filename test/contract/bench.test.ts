import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UserError } from "../../src/core/errors.js";
import {
  type BenchRow,
  benchSections,
  endBench,
  quickRows,
  script,
} from "../fakes/benchSections.js";
import { postgresPrograms } from "../fakes/postgresServer.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Sections without a window and without a built page; the others are measured in the suites that have these. */
const here = [
  "posted",
  "turn",
  "edits",
  "commands",
  "transcript",
  "longTask",
  "queue",
  "overview",
  "jobLogs",
  "jobRuns",
  "runs",
  "jobTokens",
  "runCalls",
  "recovery",
  "prompts",
  "replies",
  "replay",
  "routing",
  "sandbox",
  "search",
  "worktrees",
  "team",
];
const elsewhere = { panel: ["conversation", "sizes"], smoke: ["activation", "panel"] };

/** The bench imports compiled modules by their names, so that the compiler does not notice when they change. */
describe("the bench", () => {
  const ownTemporary = process.env["TMPDIR"];
  let temporary: string;
  before(async () => {
    temporary = await mkdtemp(join(tmpdir(), "rooroo-bench-test-"));
    process.env["TMPDIR"] = temporary;
  });
  after(async () => {
    if (ownTemporary === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = ownTemporary;
    await rm(temporary, { recursive: true });
  });

  it("loads only modules that exist", () => {
    const files = readdirSync(join(root, "bench"), { recursive: true, encoding: "utf8" });
    const names = files
      .filter((file) => file.endsWith(".mjs"))
      .flatMap((file) => readFileSync(join(root, "bench", file), "utf8").split("\n"))
      .flatMap((line) => /"((?:core|node|protocol|runtime)\/[\w/]+)"/.exec(line)?.[1] ?? []);
    assert.ok(names.length > 20);
    const missing = names.filter((name) => !existsSync(join(root, "src", `${name}.ts`)));
    assert.deepEqual(missing, []);
  });

  it("has a test of each section in its quickest form", async () => {
    const tested = [...here, ...elsewhere.panel, ...elsewhere.smoke];
    assert.deepEqual(Object.keys(await benchSections()).sort(), tested.sort());
  });

  for (const name of here) {
    it(`measures ${name} in its quickest form`, async () => {
      const rows = await quickRows(name);
      // PostgreSQL and the sandbox are installed where that is possible; elsewhere the section says what it lacks.
      const isBare = rows.every(({ lacks }) => lacks !== undefined);
      const mayBeBare =
        (name === "team" && postgresPrograms() === undefined) ||
        (name === "sandbox" && rows[0]?.lacks !== undefined);
      assert.equal(isBare, mayBeBare, rows[0]?.lacks);
    });
  }

  it("says which corpora `replay` needs, after a few examples that are all right", async () => {
    const rows = await quickRows("replay");
    const right = rows.filter(({ name }) => name.endsWith(": right"));
    assert.deepEqual(
      right.map(({ value, unit }) => `${String(value)} ${unit}`),
      ["1 of 1", "1 of 1", "1 of 1", "1 of 1"],
    );
    assert.match(rows.at(-1)?.lacks ?? "", /--corpora FOLDER/);
  });

  it("shows a row that was not measured with what it lacks", async () => {
    const { notMeasured } = await script<{
      notMeasured: (name: string, lacks: string) => BenchRow;
    }>("bench", "harness", "row.mjs");
    const { section } = await script<{
      section: (title: string, rows: readonly BenchRow[]) => string;
    }>("bench", "harness", "table.mjs");
    const shown = section("team", [notMeasured("workers", "it needs PostgreSQL")]);
    assert.equal(shown, "team\n  workers not measured: it needs PostgreSQL\n");
  });

  it("leaves none of its folders behind when it has ended", async () => {
    await endBench();
    const left = await readdir(temporary);
    assert.deepEqual(
      left.filter((name) => name.startsWith("rooroo-")),
      [],
    );
  });
});

describe("a section of the bench", () => {
  type RunSection = (
    name: string,
    options: object,
    how: { readonly limitMs: number; readonly program: string },
  ) => Promise<unknown>;
  let folder: string;
  let runSection: (text: string, limitMs: number) => Promise<unknown>;
  const ownTemporary = process.env["TMPDIR"];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "rooroo-bench-test-"));
    const temporary = join(folder, "tmp");
    await mkdir(temporary);
    process.env["TMPDIR"] = temporary;
    const { runSection: run } = await script<{ runSection: RunSection }>(
      "bench",
      "harness",
      "runSection.mjs",
    );
    runSection = async (text, limitMs) => {
      const program = join(folder, "section.mjs");
      await writeFile(program, text);
      return run("one", { quick: true }, { limitMs, program });
    };
  });

  after(async () => {
    if (ownTemporary === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = ownTemporary;
    await rm(folder, { recursive: true });
  });

  /** Leaves a file and a process behind, and does not end. */
  const endless = `
    import { spawn } from "node:child_process";
    import { writeFileSync } from "node:fs";
    import { tmpdir } from "node:os";
    writeFileSync(tmpdir() + "/left", "");
    spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    setInterval(() => {}, 1000);`;

  it("is ended when its time is over, says so, and leaves no file behind", async () => {
    await assert.rejects(runSection(endless, 300), /did not end within 0\.3 s, and was ended/);
    assert.deepEqual(await readdir(join(folder, "tmp")), []);
  });

  it("tells its rows, and leaves no file behind", async () => {
    const rows = await runSection(`process.send({ rows: [1] }, () => process.exit(0));`, 300_000);
    assert.deepEqual(rows, [1]);
    assert.deepEqual(await readdir(join(folder, "tmp")), []);
  });

  it("tells why it failed, and with which exit code it ended", async () => {
    const failing = `process.send({ error: "no queue" }, () => process.exit(0));`;
    await assert.rejects(runSection(failing, 300_000), /no queue/);
    await assert.rejects(runSection("process.exit(7);", 300_000), /exit code 7/);
  });
});

describe("a simulated worker of the bench", () => {
  const away = new UserError("databaseUnreachable", "It is away.");
  type Open = (
    open: () => Promise<string>,
    how: { readonly rest: () => Promise<void>; readonly tries: number },
  ) => Promise<string>;
  const opened = async (fails: number, error: Error): Promise<{ tries: number; end: string }> => {
    const { openPatiently } = await script<{ openPatiently: Open }>(
      "bench",
      "team",
      "openPatiently.mjs",
    );
    let tries = 0;
    const open = (): Promise<string> =>
      ++tries <= fails ? Promise.reject(error) : Promise.resolve("open");
    const end = await openPatiently(open, { rest: () => Promise.resolve(), tries: 5 }).catch(
      (reason: unknown) => String(reason),
    );
    return { tries, end };
  };

  it("waits for a database that is just starting", async () => {
    assert.deepEqual(await opened(4, away), { tries: 5, end: "open" });
  });

  it("gives up a database that does not start", async () => {
    const { tries, end } = await opened(100, away);
    assert.equal(tries, 5);
    assert.match(end, /It is away/);
  });

  it("does not wait after any other error", async () => {
    assert.equal((await opened(1, new Error("No such table"))).tries, 1);
  });
});
