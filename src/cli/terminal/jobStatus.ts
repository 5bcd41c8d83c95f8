import { Clock24 } from "../../core/jobs/facts/clock24.js";
import {
  changesText,
  estimateText,
  leftTexts,
  linesText,
  obstacleWords,
  progressText,
  roughText,
  shortCost,
  shortCount,
  stateWords,
  usedFigures,
  whyNotDone,
  workText,
} from "../../core/jobs/facts/factWords.js";
import type { JobFacts } from "../../core/jobs/facts/jobFacts.js";
import type { JobOverview } from "../../core/jobs/facts/jobOverview.js";
import type { TaskFacts, TaskState } from "../../core/jobs/facts/taskFacts.js";
import { saidObjective } from "../../core/jobs/work/objective.js";
import { translatable } from "../../core/text/translator.js";
import { spoken } from "../../core/text/words.js";
import { displayWidth, fitting, padded } from "../language/displayWidth.js";
import { language, t } from "../language/language.js";
import { externalLines } from "./externalMark.js";
import type { Style } from "./style.js";
import { terminalLine, terminalText } from "./terminalText.js";

/** The most items of each part that are shown without `--verbose`; all fit on a screen of {@link screen} lines. */
const most = { obstacles: 3, rows: 2, runners: 3, tasks: 5 };
const screen = 30;
/** The number of columns below which only the time stands beside a task's title. */
const narrow = 70;
const bar = { most: 40, least: 10 };

export interface JobStatusOptions {
  readonly style: Style;
  /** Characters per line. */
  readonly columns: number;
  /** Whether all tasks are listed. */
  readonly verbose: boolean;
  /** The IANA name of the time zone in which times are told. */
  readonly zone: string;
  /** Returns a command as it is typed. */
  readonly commandOf: (words: readonly string[]) => string;
}

/** Returns the status of a job as text: how far it is, what is in its way, who is at work, its tasks. */
export function jobStatusText(
  facts: JobFacts,
  overview: JobOverview,
  options: JobStatusOptions,
): string {
  return new JobStatus(facts, overview, options).text();
}

/** Writes the status of a job, part by part. */
class JobStatus {
  readonly #lines: string[] = [];

  constructor(
    private readonly facts: JobFacts,
    private readonly overview: JobOverview,
    private readonly options: JobStatusOptions,
  ) {}

  text(): string {
    this.#addTitle();
    this.#addProgress();
    this.#addObstacles();
    this.#addRunners();
    if (this.options.verbose) this.#addAllTasks();
    else this.#addNewestTasks();
    this.#addNext();
    this.#addProblems();
    return `${this.#lines.join("\n")}\n`;
  }

  #addTitle(): void {
    const { style, columns } = this.options;
    const title = terminalLine(this.facts.title ?? this.facts.name, columns);
    const room = columns - Array.from(title).length - 2;
    const path = terminalText(this.overview.jobPath);
    this.#lines.push(`${style.bold(title)}${path.length > room ? "" : `  ${style.dim(path)}`}`);
    for (const line of externalLines([this.overview])) this.#add(line, style.yellow);
  }

  #addProgress(): void {
    const { facts } = this;
    const { style, columns, zone } = this.options;
    const { sums } = facts;
    const clock = new Clock24(zone, language());
    const width = Math.min(bar.most, columns - 2 - 40);
    if (sums.tasks.total > 0 && width >= bar.least) {
      const full = Math.floor((width * facts.progress) / 100);
      const drawn = style.green("━".repeat(full)) + style.dim("─".repeat(width - full));
      this.#lines.push(`  ${drawn}  ${facts.progress}%  ${progressText(facts, t)}`);
    } else this.#add(`${facts.progress}%  ${progressText(facts, t)}`);
    this.#addParts(leftTexts(sums, t));
    this.#addParts([
      workText(facts, this.overview.runners.length, t),
      estimateText(facts, clock, t),
    ]);
    const worked = sums.workedMs === null ? "" : t("{0} of work", roughText(sums.workedMs, t));
    const span =
      sums.from === null || sums.to === null
        ? ""
        : clock.span(sums.from, sums.to, facts.now).join(" – ");
    const changes = sums.changes === null ? "" : changesText(sums.changes, t);
    this.#addParts(
      [span, worked, ...usedFigures(sums, t).map(({ text }) => text), changes],
      style.dim,
    );
  }

  #addObstacles(): void {
    const { style, columns, verbose } = this.options;
    const { obstacles, name } = this.facts;
    if (obstacles.length === 0) return;
    this.#addSection(t("In the way"));
    const shown = verbose ? obstacles : obstacles.slice(0, most.obstacles);
    for (const obstacle of shown) {
      const { text, more, command } = obstacleWords(obstacle, name, t);
      const isQuestion = obstacle.type === "question";
      const mark = isQuestion ? style.yellow("?") : style.red("✗");
      const rows = wordsOn(terminalLine(text, 2_000), columns - 4, verbose ? 40 : most.rows);
      rows.forEach((row, at) => this.#lines.push(`  ${at === 0 ? mark : " "} ${row}`));
      if (more !== "") this.#add(more, style.dim, 4);
      if (command === null) continue;
      const where = isQuestion
        ? `  ${t("or in {0}, line {1}", this.overview.jobPath, String(obstacle.line))}`
        : "";
      this.#addCommand(command, where);
    }
    this.#addOthers(obstacles.length - shown.length);
  }

  #addRunners(): void {
    const { style, columns, verbose } = this.options;
    const { runners } = this.overview;
    if (runners.length === 0) return;
    this.#addSection(t("At work"));
    const shown = verbose ? runners : runners.slice(0, most.runners);
    for (const { objective, turn, quota, since, label, pid } of shown) {
      const lasts = Date.parse(this.facts.now) - Date.parse(since);
      const time = Number.isNaN(lasts) ? "" : `, ${roughText(lasts, t)}`;
      const where = ` ${t("({0}, process {1})", label, String(pid))}`;
      const doing = `${t("turn {0} of {1}", turn, quota)}${time}${columns >= 100 ? where : ""}`;
      const width = columns - 6 - displayWidth(doing);
      this.#lines.push(
        `  ${style.cyan("▸")} ${terminalLine(spoken(saidObjective(objective), t), Math.max(10, width))}  ${style.dim(terminalLine(doing, columns))}`,
      );
    }
    this.#addOthers(runners.length - shown.length);
  }

  #addAllTasks(): void {
    const { style, columns } = this.options;
    const { tasks } = this.facts;
    if (tasks.length === 0) return;
    this.#addSection(t("Tasks ({0})", tasks.length));
    let phase: string | null = null;
    const table = new TaskTable(tasks, columns, style);
    for (const task of tasks) {
      if (task.phase !== phase && task.phase !== null) this.#add(task.phase, style.bold);
      phase = task.phase;
      this.#lines.push(...table.rows(task, true));
    }
  }

  /** Adds the tasks that were tried in vain and the newest that are done, as many as fit on a screen. */
  #addNewestTasks(): void {
    const { style, columns, commandOf } = this.options;
    const { tasks, name } = this.facts;
    if (tasks.length === 0) return;
    // Obstacles and runners at work are listed above.
    const tried = tasks.filter(
      ({ state, last }) =>
        (state === "open" || state === "interrupted") &&
        last !== null &&
        last.result !== "Succeeded",
    );
    const unreadable = tasks.filter(({ state }) => state === "unreadable");
    const room = Math.max(1, Math.min(most.tasks, Math.floor((screen - this.#lines.length) / 4)));
    const notDone = [...unreadable, ...tried].slice(0, room);
    const done = tasks.filter(({ state }) => state === "done");
    const newest = done.toSorted((a, b) => (b.to ?? "").localeCompare(a.to ?? "")).slice(0, room);
    const table = new TaskTable([...notDone, ...newest], columns, style);
    if (notDone.length > 0) {
      this.#addSection(t("Tried and not done ({0})", tried.length + unreadable.length));
      for (const task of notDone) this.#lines.push(...table.rows(task, true));
    }
    if (newest.length > 0) {
      this.#addSection(
        newest.length < done.length ? t("Done (the last of {0})", done.length) : t("Done"),
      );
      for (const task of newest) this.#lines.push(...table.rows(task, false));
    }
    if (notDone.length + newest.length < tasks.length) {
      const command = commandOf(["job", "status", name, "--verbose"]);
      this.#lines.push(`  ${style.dim(t("all tasks:"))} ${style.cyan(terminalText(command))}`);
    }
  }

  #addNext(): void {
    if (this.facts.state === "done" && this.overview.next.exitCode === 0) return;
    this.#lines.push("");
    this.#add(nextLine(this.overview, this.options.columns - 2));
  }

  /** Adds the problems of the job file, and how many the log has. */
  #addProblems(): void {
    const { style, commandOf } = this.options;
    const { problems, jobPath, logProblemCount, logPath } = this.overview;
    for (const { path, line, message } of problems) {
      if (path !== jobPath) continue;
      const text = `${path}:${line}: ${spoken(message, t)}`;
      this.#lines.push(`  ${style.yellow("!")} ${terminalLine(text, 200)}`);
    }
    if (logProblemCount === 0 || logPath === null) return;
    const command = terminalText(commandOf(["validate", "job-log", logPath]));
    this.#lines.push(
      `  ${t("{0, plural, one {# problem} other {# problems}} in the log: {1}", logProblemCount, style.cyan(command))}`,
    );
  }

  #addSection(title: string): void {
    this.#lines.push("", this.options.style.bold(title));
  }

  /** Adds a text, on several lines if it is long. */
  #add(text: string, format = (line: string) => line, indent = 2): void {
    const width = this.options.columns - indent;
    for (const row of wordsOn(terminalLine(text, 2_000), width, most.rows)) {
      this.#lines.push(" ".repeat(indent) + format(row));
    }
  }

  #addParts(texts: readonly string[], format?: (line: string) => string): void {
    for (const line of wrapped(texts, this.options.columns - 2)) this.#add(line, format);
  }

  #addOthers(count: number): void {
    if (count > 0) this.#add(t("and {0, number} more", count), this.options.style.dim);
  }

  /** Adds what to type and, if there is room beside it, another way. */
  #addCommand(words: readonly string[], otherWay: string): void {
    const { style, columns, commandOf } = this.options;
    const command = terminalText(commandOf(words));
    const hasRoom = command.length + otherWay.length <= columns - 6;
    this.#lines.push(
      `    → ${style.cyan(command)}${hasRoom ? style.dim(terminalText(otherWay)) : ""}`,
    );
  }
}

const roles = { Planner: translatable("a planner: {0}"), Runner: translatable("a runner: {0}") };

/** Returns a job's next step on one line of at most `length` characters. */
export function nextLine({ next }: JobOverview, length: number): string {
  const { role, objective, exitCode } = next;
  const said = spoken(objective, t);
  const step =
    role === null ? t("ends with {0}: {1}", String(exitCode ?? 0), said) : t(roles[role], said);
  return terminalLine(t("next: {0}", step), length);
}

/** Formats tasks as rows: figures in columns, then the title, because terminals may disagree about its width. */
class TaskTable {
  readonly #columns: readonly ((task: TaskFacts) => string)[];
  readonly #widths: readonly number[];

  constructor(
    tasks: readonly TaskFacts[],
    private readonly width: number,
    private readonly style: Style,
  ) {
    const time = ({ workedMs }: TaskFacts) => (workedMs === null ? "" : roughText(workedMs, t));
    const all = [
      time,
      ({ tries }: TaskFacts) => (tries > 1 ? `${tries}×` : ""),
      ({ tokens }: TaskFacts) => (tokens === null || tokens === 0 ? "" : shortCount(tokens)),
      ({ cost }: TaskFacts) => shortCost(cost),
      ({ changes }: TaskFacts) => (changes === null ? "" : linesText(changes, t)),
    ];
    this.#columns = width < narrow ? [time] : all;
    this.#widths = this.#columns.map((column) =>
      Math.max(0, ...tasks.map((task) => displayWidth(column(task)))),
    );
  }

  /** @param withReason whether a second line says why the task is not done */
  rows(task: TaskFacts, withReason: boolean): string[] {
    const { style, width } = this;
    const cells = this.#columns.flatMap((column, at) => {
      const room = this.#widths[at] ?? 0;
      return room === 0 ? [] : [padded(column(task), room, "start")];
    });
    const figures = cells.join("  ");
    const indent = figures === "" ? 4 : 6 + displayWidth(figures);
    const title = terminalLine(task.title, Math.max(16, width - indent));
    const words = task.state === "done" || task.state === "open" ? "" : t(stateWords[task.state]);
    const room = width - indent - displayWidth(title) - 2;
    const state = words === "" || displayWidth(words) > room ? "" : `  ${style.dim(words)}`;
    const before = figures === "" ? "" : `${style.dim(figures)}  `;
    const row = `  ${this.#mark(task.state)} ${before}${title}${state}`;
    const reason = withReason ? whyNotDone(task, t) : "";
    return reason === ""
      ? [row]
      : [row, `    ${style.dim(terminalLine(reason, Math.min(300, width - 4)))}`];
  }

  #mark(state: TaskState): string {
    const { green, red, yellow, cyan, dim } = this.style;
    switch (state) {
      case "done":
        return green("✓");
      case "failed":
        return red("✗");
      case "setAside":
        return yellow("?");
      case "running":
        return cyan("▸");
      case "cancelled":
        return dim("–");
      case "interrupted":
      case "unreadable":
        return yellow("!");
      case "open":
        return dim("·");
    }
  }
}

/** Breaks a line between words into rows of at most `width` characters; what does not fit into `most` rows is cut. */
function wordsOn(line: string, width: number, most: number): string[] {
  const rows: string[] = [];
  let left = line;
  while (displayWidth(left) > width && rows.length < most - 1) {
    const room = Math.max(1, fitting(left, width));
    const at = left.lastIndexOf(" ", room);
    const end = at > room / 2 ? at : room;
    rows.push(left.slice(0, end).trimEnd());
    left = left.slice(end).trimStart();
  }
  return [...rows, terminalLine(left, width)];
}

/** Joins texts with dots between them, on as many lines of at most `width` characters as they need. */
function wrapped(texts: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const text of texts.filter((one) => one !== "")) {
    const last = lines.at(-1);
    const joined = last === undefined ? text : `${last} · ${text}`;
    if (last !== undefined && displayWidth(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(text);
  }
  return lines;
}
