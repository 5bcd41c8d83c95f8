import { escapeHtml } from "../../text/escapeHtml.js";
import { htmlPage } from "../../text/htmlPage.js";
import { readWords } from "../../text/readWords.js";
import { translatable, type Translate } from "../../text/translator.js";
import { visibleLine, visibleText } from "../../text/visibleText.js";
import { spoken } from "../../text/words.js";
import { Clock24 } from "../facts/clock24.js";
import {
  changesText,
  estimateText,
  leftTexts,
  linesText,
  obstacleWords,
  progressText,
  numberText,
  resultText,
  roughText,
  shortCost,
  shortCount,
  stateWords,
  usedFigures,
  whyNotDone,
  workText,
} from "../facts/factWords.js";
import type { JobFacts } from "../facts/jobFacts.js";
import type { LifecycleFacts } from "../facts/lifecycleFacts.js";
import type { Obstacle } from "../facts/obstacles.js";
import type { TaskFacts } from "../facts/taskFacts.js";
import { saidObjective } from "../work/objective.js";
import { pageStyle } from "./pageStyle.js";
import { mostBars, timeline } from "./timeline.js";

export interface JobPageOptions {
  /** The IANA name of the time zone in which times are told. */
  readonly zone: string;
  /** Returns a command as it is typed. */
  readonly commandOf: (words: readonly string[]) => string;
  /** The language of the page, as in `zh-cn`. */
  readonly language: string;
  readonly t: Translate;
}

/** The most tasks and obstacles that are listed, and the obstacles shown at first: nobody reads more on a page. */
const most = { tasks: 500, obstacles: 100, seen: 8 };
/** The longest texts that models and people write, in characters. */
const longest = { title: 160, question: 1_500, reason: 400, summary: 300, objective: 80 };

/**
 * Returns the page of a job: what was done and what it cost, what is in the way, the roadmap over time, and every task. All
 * text is escaped; the page is an {@link htmlPage}.
 */
export function jobPage(facts: JobFacts, options: JobPageOptions): string {
  const { t, language, zone } = options;
  const clock = new Clock24(zone, language);
  const title = line(facts.title ?? facts.name, longest.title);
  const shown = facts.tasks.slice(0, most.tasks);
  // Ids of tasks may be any text; those of rows are numbers.
  const places = new Map(shown.map(({ id }, at) => [id, `t${at + 1}`]));
  const placeOf = (task: string) => places.get(task);
  const read = t(
    "Read from the job's files on {0} at {1} ({2}). It does not change by itself:",
    clock.day(facts.now),
    clock.time(facts.now),
    zone,
  );
  const body = `<main>
<header>
<p class="eyebrow">${escapeHtml(t("Job"))} <span dir="auto">${escapeHtml(line(facts.name, longest.title))}</span></p>
<h1 dir="auto">${escapeHtml(title)}</h1>
${headline(facts, clock, t)}
</header>
${obstacleList(facts, options)}
${timeSection(facts, clock, placeOf, t)}
${taskSection(facts, shown, clock, options)}
<footer>${escapeHtml(read)} <code>${command(["job", "page", facts.name], options)}</code></footer>
</main>`;
  return htmlPage({ title: `${title} · ${t("Job")}`, language, style: pageStyle(), body });
}

function headline(facts: JobFacts, clock: Clock24, t: Translate): string {
  const { sums, progress } = facts;
  const runners = facts.lifecycles.filter(({ isAtWork }) => isAtWork).length;
  const now = [
    workText(facts, runners, t),
    estimateText(facts, clock, t),
    spanText(facts, clock, t),
  ].filter((one) => one !== "");
  const left = leftTexts(sums, t);
  const tiles = [
    tile(t("Tasks done"), `${sums.tasks.done}`, t("of {0}", numberText(sums.tasks.total, t))),
    ...usedFigures(sums, t).map(({ kind, figure, of }) => tile(t(usedNames[kind]), figure, of)),
    ...(sums.workedMs === null ? [] : [tile(t("Time of work"), roughText(sums.workedMs, t), "")]),
    ...(sums.changes === null
      ? []
      : [
          tile(
            t("Files changed"),
            `${sums.changes.isExact ? "" : "≥ "}${numberText(sums.changes.files, t)}`,
            linesText(sums.changes, t),
          ),
        ]),
  ];
  return `<p class="lead">${escapeHtml([progressText(facts, t), ...left].join(" · "))}</p>
<div class="bar" role="img" aria-label="${escapeHtml(t("{0} percent", progress))}"><span style="width:${progress}%"></span></div>
<p class="muted">${escapeHtml(now.join(" · "))}</p>
<dl class="tiles">${tiles.join("")}</dl>`;
}

const usedNames = {
  requests: translatable("Requests"),
  tokens: translatable("Tokens"),
  cost: translatable("Cost"),
};

function spanText({ sums, now }: JobFacts, clock: Clock24, t: Translate): string {
  if (sums.from === null || sums.to === null) return "";
  return t("Work from {0} to {1}", ...clock.span(sums.from, sums.to, now));
}

function tile(name: string, figure: string, more: string): string {
  const rest = more === "" ? "" : ` <small>${escapeHtml(more)}</small>`;
  return `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(figure)}${rest}</dd></div>`;
}

function obstacleList({ obstacles, name, state }: JobFacts, options: JobPageOptions): string {
  const { t } = options;
  const heading = `<h2>${escapeHtml(t("In the way"))}</h2>`;
  if (obstacles.length === 0) {
    const text = state === "done" ? t("Nothing needs you.") : t("Nothing is in the way.");
    return `<section>${heading}<p class="muted">${escapeHtml(text)}</p></section>`;
  }
  const items = obstacles.slice(0, most.obstacles).map((one) => obstacleItem(one, name, options));
  const others = obstacles.length - items.length;
  const cards = (some: readonly string[]) => `<ul class="cards">\n${some.join("\n")}\n</ul>`;
  const folded = items.slice(most.seen);
  const rest =
    folded.length === 0
      ? ""
      : `<details><summary>${escapeHtml(t("and {0, number} more", folded.length))}</summary>${cards(folded)}</details>`;
  const more =
    others > 0 ? `<p class="muted">${escapeHtml(t("and {0, number} more", others))}</p>` : "";
  return `<section>${heading}
${cards(items.slice(0, most.seen))}${rest}${more}</section>`;
}

function obstacleItem(obstacle: Obstacle, name: string, options: JobPageOptions): string {
  const words = obstacleWords(obstacle, name, options.t);
  const isQuestion = obstacle.type === "question";
  const text = `<p dir="auto">${escapeHtml(paragraph(words.text, isQuestion ? longest.question : longest.reason))}</p>`;
  const more = words.more === "" ? "" : `<p class="muted">${escapeHtml(line(words.more, 400))}</p>`;
  const helps =
    words.command === null ? "" : `<p><code>${command(words.command, options)}</code></p>`;
  return `<li class="${isQuestion ? "asks" : "fails"}"><span class="tag">${escapeHtml(options.t(tags[obstacle.type]))}</span>${text}${more}${helps}</li>`;
}

const tags: Readonly<Record<Obstacle["type"], string>> = {
  stuck: translatable("cannot go on"),
  budget: translatable("budget"),
  question: translatable("question"),
  failed: translatable("failed"),
  approval: translatable("needs approval"),
  model: translatable("model"),
  interrupted: translatable("interrupted"),
};

function timeSection(
  { lifecycles }: JobFacts,
  clock: Clock24,
  placeOf: (task: string) => string | undefined,
  t: Translate,
): string {
  if (lifecycles.length === 0) return "";
  const drawn = timeline(lifecycles, clock, placeOf, t);
  const listed = lifecycles.slice(-mostBars);
  const left = lifecycles.length - listed.length;
  const muted = (text: string) => `<p class="muted">${escapeHtml(text)}</p>`;
  const older =
    left > 0
      ? muted(
          t(
            "{0, plural, one {# earlier turn is only in the log.} other {# earlier turns are only in the log.}}",
            left,
          ),
        )
      : "";
  const table = t("The same as a table ({0, plural, one {# turn} other {# turns}})", listed.length);
  const rows = listed.map((one) => lifecycleRow(one, clock, placeOf, t));
  const columns = [
    t("Began"),
    t("Lasted"),
    t("Runner"),
    t("Task"),
    t("Result"),
    t("Tokens"),
    t("Cost"),
  ].map((name) => `<th scope="col">${escapeHtml(name)}`);
  return `<section><h2>${escapeHtml(t("Over time"))}</h2>
${drawn === "" ? muted(t("The log has no times that can be read.")) : drawn}
${older}<details><summary>${escapeHtml(table)}</summary>
<div class="scroll" tabindex="0" role="region" aria-label="${escapeHtml(t("Turns of the runners"))}">
<table class="turns"><thead><tr>${columns.join("")}</thead>
<tbody>
${rows.join("\n")}
</tbody></table></div></details></section>`;
}

/** Returns a row of a table; the ends of its cells may be left out in HTML, and would take a third of its room. */
function lifecycleRow(
  one: LifecycleFacts,
  clock: Clock24,
  placeOf: (task: string) => string | undefined,
  t: Translate,
): string {
  const { from, usage, lane, task, objective, isUndo } = one;
  const place = task === null ? undefined : placeOf(task);
  const what =
    place === undefined || isUndo
      ? escapeHtml(line(spoken(saidObjective(objective), t), longest.objective))
      : `<a href="#${place}">${escapeHtml(line(task ?? "", longest.objective))}</a>`;
  const began = from === null ? "" : `${clock.day(from)} ${clock.time(from)}`;
  const lasted = usage.ms === null ? "" : roughText(usage.ms, t);
  const tokens = usage.tokens === null ? "" : numberText(usage.tokens, t);
  return `<tr><td>${began}<td>${lasted}<td>${lane ?? ""}<td>${what}<td>${escapeHtml(resultText(one, t))}<td>${tokens}<td>${escapeHtml(shortCost(usage.cost))}`;
}

function taskSection(
  { tasks, name }: JobFacts,
  shown: readonly TaskFacts[],
  clock: Clock24,
  options: JobPageOptions,
): string {
  if (tasks.length === 0) return "";
  const { t } = options;
  const rows = shown.map((task, at) => {
    const { phase } = task;
    const head =
      phase === null || phase === shown[at - 1]?.phase
        ? ""
        : `<tr class="phase"><th colspan="7" scope="rowgroup" dir="auto">${escapeHtml(line(phase, longest.title))}\n`;
    return `${head}${taskRow(task, `t${at + 1}`, name, clock, options)}`;
  });
  const left = tasks.length - shown.length;
  const more =
    left > 0
      ? `<p class="muted">${escapeHtml(t("{0, plural, one {# more task is in the log.} other {# more tasks are in the log.}}", left))}</p>`
      : "";
  const column = (name: string, look: string) =>
    `<th scope="col"${look === "" ? "" : ` class="${look}"`}>${escapeHtml(name)}`;
  const columns = [
    column(t("Task"), ""),
    column(t("State"), ""),
    column(t("Tries"), "n w"),
    column(t("Time"), "n"),
    column(t("Files"), "n w"),
    column(t("Tokens"), "n w"),
    column(t("Cost"), "n"),
  ];
  return `<section><h2>${escapeHtml(t("Tasks"))}</h2>
<table class="tasks"><thead><tr>${columns.join("")}</thead>
<tbody>
${rows.join("\n")}
</tbody></table>${more}</section>`;
}

function taskRow(
  task: TaskFacts,
  place: string,
  name: string,
  clock: Clock24,
  options: JobPageOptions,
): string {
  const { t } = options;
  const { state, tries, workedMs, changes, tokens, cost } = task;
  const title = escapeHtml(line(task.title, longest.title));
  const reason = line(whyNotDone(task, t), longest.reason);
  const why = reason === "" ? "" : `<p class="why" dir="auto">${escapeHtml(reason)}</p>`;
  const details = detailsOf(task, name, clock, options);
  const head =
    details === ""
      ? `<span class="title" dir="auto">${title}</span>`
      : `<details><summary dir="auto">${title}</summary>${details}</details>`;
  const files =
    changes === null
      ? ""
      : `<span title="${escapeHtml(changesText(changes, t))}">${changes.isExact ? "" : "≥"}${changes.files} <small>${linesText(changes, t)}</small></span>`;
  return `<tr id="${place}" class="${state}"><td>${head}${why}<td><span class="dot"></span>${escapeHtml(t(stateWords[state]))}<td class="n w">${tries > 1 ? tries : ""}<td class="n">${workedMs === null ? "" : roughText(workedMs, t)}<td class="n w">${files}<td class="n w">${tokens === null ? "" : shortCount(tokens)}<td class="n">${escapeHtml(shortCost(cost))}`;
}

/** The outcomes of checks and reviews, as the log has them in English after these words. */
const verdicts = [
  translatable("Check passed: {command}"),
  translatable("Check failed: {command}"),
  translatable("Review accepted: {remarks}"),
  translatable("Review asked for more: {remarks}"),
];

/** Returns what is seen of a task only if it is opened: when it was worked on, what was said, how to review and undo it. */
function detailsOf(task: TaskFacts, name: string, clock: Clock24, options: JobPageOptions): string {
  const { t } = options;
  const { id, last, said, from, to, lanes, hasSessions, state } = task;
  const own = (text: string) => `<span dir="auto">${escapeHtml(text)}</span>`;
  const parts: string[] = [];
  if (from !== null && to !== null) {
    const by = lanes.length === 0 ? "" : `, ${t("runner {0}", lanes.join(", "))}`;
    parts.push(escapeHtml(`${clock.day(from)} ${clock.time(from)} – ${clock.time(to)}${by}`));
  }
  // Of other tasks, the reason stands below the title.
  if (state === "done" && last !== null && last.summary !== "") {
    parts.push(own(line(last.summary, longest.summary)));
  }
  for (const one of said) {
    parts.push(own(t("You said: {0}", line(one, longest.reason))));
  }
  const { check = "", review = "" } = last ?? {};
  if (check !== "")
    parts.push(own(line(spoken(readWords(`Check ${check}`, verdicts), t), longest.reason)));
  if (review !== "") {
    parts.push(own(line(spoken(readWords(`Review ${review}`, verdicts), t), longest.reason)));
  }
  if (hasSessions) {
    const changes = command(["job", "changes", name, id], options);
    const undo = command(["job", "undo", name, id], options);
    parts.push(
      `${escapeHtml(t("Changes:"))} <code>${changes}</code>`,
      `${escapeHtml(t("Undo:"))} <code>${undo}</code>`,
    );
  }
  return parts.map((part) => `<p>${part}</p>`).join("");
}

/** Returns a command as it is typed, escaped for the page. */
function command(words: readonly string[], { commandOf }: JobPageOptions): string {
  return escapeHtml(line(commandOf(words), 1_000));
}

/** Returns a text of a model or a person on one line, with nothing in it that is not seen. */
function line(text: string, length: number): string {
  return visibleLine(text, length);
}

/** Returns a text of a model or a person with its line breaks, and with nothing else in it that is not seen. */
function paragraph(text: string, length: number): string {
  const shown = visibleText(text.trim());
  return shown.length > length ? `${shown.slice(0, length - 1)}…` : shown;
}
