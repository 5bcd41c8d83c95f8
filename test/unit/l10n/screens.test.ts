import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type * as Messages from "../../../scripts/l10n/messages.mjs";
import { displayWidth } from "../../../src/cli/language/displayWidth.js";
import { speakLanguageOf } from "../../../src/cli/language/language.js";
import { jobStatusText } from "../../../src/cli/terminal/jobStatus.js";
import { createStyle } from "../../../src/cli/terminal/style.js";
import { parseQueue } from "../../../src/core/documents/queue.js";
import { readJobFile } from "../../../src/core/jobs/documents/jobFile.js";
import { readJobLog } from "../../../src/core/jobs/documents/jobLog.js";
import { logProblems } from "../../../src/core/jobs/documents/logProblems.js";
import { jobPage } from "../../../src/core/jobs/page/jobPage.js";
import {
  type MachineFacts,
  machineReport,
  subjectNames,
} from "../../../src/core/navigator/overview/machineReport.js";
import { readRunTable } from "../../../src/core/runs/documents/runTables.js";
import { tableProblems } from "../../../src/core/runs/documents/tableProblems.js";
import { spoken } from "../../../src/core/text/words.js";
import { jobRows } from "../../../src/vscode/jobs/jobRows.js";
import type { Row, Rows } from "../../../src/vscode/work/row.js";
import { inMarks, markedMessages, unmarked } from "../../fakes/markedMessages.js";
import { factsOf, liveRunner, logText, morning } from "../../fakes/nightOfWork.js";

const { sourceMessages } = (await import(
  new URL("../../../../scripts/l10n/messages.mjs", import.meta.url).href
)) as typeof Messages;

/** Returns all that a tree shows and says, a row a line. */
function shownIn({ byId }: Rows): string {
  const ofRow = ({ label, description = "", tooltip = [], spoken = "", needsYou }: Row) => {
    const blocks = tooltip.map((one) =>
      typeof one === "string" ? one : "below" in one ? one.below : one.code,
    );
    return [label, description, ...blocks, spoken, needsYou?.description ?? ""].join(" | ");
  };
  return [...byId.values()].map(ofRow).join("\n");
}

describe("what is shown in another language", () => {
  /** The folder of the translations that the command line reads. */
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "rooroo-marked-"));
    await mkdir(join(folder, "cli", "words"), { recursive: true });
    const messages = JSON.stringify(markedMessages(sourceMessages().keys()));
    await writeFile(join(folder, "cli", "words", "ja.json"), messages);
    await speakLanguageOf({ LANG: "ja" }, join(folder, "rooroo.cjs"));
  });
  after(async () => {
    await speakLanguageOf({}, "");
    await rm(folder, { recursive: true });
  });

  describe("of a job", () => {
    const task = (id: string, ...fields: readonly string[]) =>
      [`- [ ] ${id}. Δρόμος ${id}`, ...fields.map((one) => `  - ${one}`)].join("\n");
    const reasons = [
      ...["blocked", "unfinished", "asked", "out of turns", "no progress", "refused"],
      ...["stopped", "model failed", "needs approval", "taken over", "outdated", "undone"],
    ];
    const results = ["Succeeded", "Failed", "Pending", "Cancelled", "?"];
    const live = ["4", "5"].map((id) => liveRunner(`${id}. Δρόμος`, "2026-01-02T06:00:00Z", id));
    const planner = {
      ...liveRunner("", "2026-01-02T06:30:00Z", "6"),
      role: "Planner" as const,
      objective: "Plan anew what has failed: 1",
      task: null,
    };
    const log = logText(
      [
        task("1", "status: Failed"),
        task("2", "status: Pending", "waits for: Q-1"),
        task("3", "status: Pending", "after: 1, 2"),
        ...live.map(({ runner }, at) => task(`${at + 4}`, "status: Locked", `runner: ${runner}`)),
        task("6", "status: Locked", "runner: 0"),
        task("7", "status: Cancelled"),
        task("8", "status: Completed").replace("[ ]", "[x]"),
        task("9", "status: ?"),
        task("10", "status: Pending"),
      ],
      [
        ...reasons.map((reason, at) => ({
          time: `2026-01-02T02:${String(at * 2 + 10)}:00.000Z`,
          objective: `Task ${(at % 10) + 1}. Δρόμος ${(at % 10) + 1}`,
          result: "Pending",
          reason,
          summary: "Ήλιος",
          usage: "1 min 50 s, 14 requests, 44,300 tokens, $0.1234",
          changes: "12 files (+40 −3): α, β and 10 more",
        })),
        ...results.map((result, at) => ({
          time: `2026-01-02T03:${String(at * 10 + 10)}:00.000Z`,
          objective: at === 1 ? "Create the plan" : `Task 8. Δρόμος 8`,
          role: at === 1 ? "Planner" : "Runner",
          result,
          summary: "Ήλιος",
          usage: "2 h 5 min, 1 request, 1 token, $0.1234",
          changes: "1 file (+1 −1): α",
          session: "ROO#JOB_1",
          check: at === 0 ? "passed: α" : "failed: α",
          review: at === 0 ? "accepted: α" : "asked for more: α",
        })),
        { time: "2026-01-01T02:00:00.000Z", objective: "Task 8. Δρόμος 8", summary: "Ήλιος" },
      ].toSorted((a, b) => a.time.localeCompare(b.time)),
      ['spent: "20 requests, 50,000 tokens, $1"', 'budget: "20 requests, 90,000 tokens, $5"'],
      "Ταξίδι",
    );
    const asked = `\n---\n### JIXO: CLARIFICATION REQUEST\n**ID**: Q-1\n**To User**: Ω\n\n**Question**:\n- Πού;\n\n**Response**:\n- <!-- α -->\n---\n`;
    const states = [
      factsOf(log, { job: `---\nname: trip\n---\nΩ\n${asked}`, live: [...live, planner] }),
      factsOf(log),
      factsOf(logText([task("1", "status: Completed")], [], [], "Ταξίδι")),
      factsOf(logText([task("1", "status: Failed")], [], [], "Ταξίδι"), { version: 1 }),
      factsOf(""),
    ];
    const data = [
      "trip",
      /\.jixo\/[\w.]+/,
      /trip-\w{32}/,
      /rooroo job run|ROO#\w+/,
      /Q-1/,
      // What a log says in English.
      /R-JIXO-\d+|Completed|Succeeded|Failed|Pending|Cancelled/,
    ];

    it("has no English in the lists", () => {
      for (const { overview } of states) {
        const here = { pid: 1, waiting: new Set<string>(), now: morning.getTime(), t: inMarks };
        assert.deepEqual(unmarked(shownIn(jobRows([overview], here)), [...data, /[AP]M/]), []);
      }
    });

    it("has no English in a terminal", () => {
      const style = createStyle({ isTTY: false }, {});
      for (const { facts, overview } of states) {
        for (const verbose of [false, true]) {
          const options = { style, columns: 110, verbose, zone: "UTC" };
          const commandOf = () => "$";
          const text = jobStatusText(facts, overview, { ...options, commandOf });
          assert.deepEqual(unmarked(text, data), [], text);
          // Wide letters take two columns, as those of Japanese and Chinese do.
          for (const line of text.split("\n")) assert.ok(displayWidth(line) <= 110, line);
        }
      }
    });

    it("has no English on its page", () => {
      for (const { facts } of states) {
        const options = { zone: "UTC", commandOf: () => "$", language: "ja", t: inMarks };
        const html = jobPage(facts, options).replace(/<style>[^]*<\/style>/, "");
        const spoken = [...html.matchAll(/(?:title|aria-label)="([^"]*)"/g)].map(
          ([, text]) => text,
        );
        const text = `${html.replaceAll(/<[^>]*>/g, "\n")}\n${spoken.join("\n")}`;
        assert.deepEqual(unmarked(text, ["UTC", ...data]), []);
      }
    });
  });

  it("has no English in what is wrong with documents", () => {
    const log = readJobLog(
      "---\nprogress: 5%\n---\n## Roadmap\n- [x] 1. α (after ω)\n  - status: Locked\n  - status: Locked\n- [ ] 1. β\n  - status: ?\n## Work Log\n### α\n- **Role**: ?\n",
    );
    const tables = (["tasks", "user_instructions", "process_runs"] as const).flatMap((name) =>
      tableProblems(
        name,
        readRunTable(name, "| task_id | run_id |\n|-|-|\n| ? | a | b |\n|| ? |\n"),
      ),
    );
    const queue = parseQueue('{\n[]\n{"taskId":"?"}', () => undefined).flatMap((line) =>
      line.kind === "problem" ? [line.reason] : [],
    );
    const job = readJobFile("---\nevery: α\ncheck: []\nreview: α\ngit: α\n---\n").problems;
    const messages = [...logProblems(log), ...tables, ...job].map(({ message }) => message);
    assert.ok(messages.length > 20, String(messages.length));
    const names = [/\b\w+_\w+\b/, /\b(?:every|check|review|git|progress|taskId|Locked|Pending)\b/];
    const values = [
      /Role|Objective|Result|Summary|Planner|Runner/,
      /npm test|JSON|Log N @Job \(time\)/,
    ];
    const all = [...messages, ...queue].map((said) => spoken(said, inMarks)).join("\n");
    assert.deepEqual(
      unmarked(all, [
        ...names,
        ...values,
        /\b\d+[mhdw]\b/,
        /\bstatus\b/,
        /Expected property [^\n]*/,
      ]),
      [],
    );
  });

  it("has no English in what a machine can do", () => {
    const found = { path: "/α", version: "α" };
    const facts = (isThere: boolean): MachineFacts => ({
      node: isThere ? "22.1.0" : "18.1.0",
      git: isThere ? found : {},
      ripgrep: isThere ? found : {},
      shell: isThere ? found : {},
      sandbox: isThere ? { available: true, name: "α" } : { available: false, reason: "α" },
      model: isThere ? { name: "α", server: "?", hasKey: true } : { problem: "α" },
      workspace: { path: "/α", holders: isThere ? [] : ["α"], problems: isThere ? [] : ["α"] },
    });
    const all = [...machineReport(facts(true)), ...machineReport(facts(false))]
      .map(({ subject, text }) => `${inMarks(subjectNames[subject])}: ${spoken(text, inMarks)}`)
      .join("\n");
    assert.deepEqual(unmarked(all, []), []);
  });
});
