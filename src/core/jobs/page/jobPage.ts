import { escapeHtml } from "../../text/escapeHtml.js";
import { htmlPage } from "../../text/htmlPage.js";
import { visibleLine, visibleText } from "../../text/visibleText.js";
import { Clock24 } from "../facts/clock24.js";
import {
  changesText,
  estimateText,
  leftTexts,
  linesText,
  obstacleWords,
  progressText,
  reasonText,
  resultText,
  roughText,
  shortCost,
  shortCount,
  stateWords,
  usedFigures,
  workText,
} from "../facts/factWords.js";
import type { JobFacts } from "../facts/jobFacts.js";
import type { LifecycleFacts } from "../facts/lifecycleFacts.js";
import type { Obstacle } from "../facts/obstacles.js";
import type { TaskFacts } from "../facts/taskFacts.js";
import { pageStyle } from "./pageStyle.js";
import { mostBars, timeline } from "./timeline.js";
import { countText } from "../../text/countText.js";

export interface JobPageOptions {
  /** The IANA name of the time zone in which times are told. */
  readonly zone: string;
  /** Returns a command as it is typed. */
  readonly commandOf: (words: readonly string[]) => string;
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
  const clock = new Clock24(options.zone);
  const title = line(facts.title ?? facts.name, longest.title);
  const shown = facts.tasks.slice(0, most.tasks);
  // Ids of tasks may be any text; those of rows are numbers.
  const places = new Map(shown.map(({ id }, at) => [id, `t${at + 1}`]));
  const placeOf = (task: string) => places.get(task);
  const body = `<main>
<header>
<p class="eyebrow">Job <span dir="auto">${escapeHtml(line(facts.name, longest.title))}</span></p>
<h1 dir="auto">${escapeHtml(title)}</h1>
${headline(facts, clock)}
</header>
${obstacleList(facts, options)}
${timeSection(facts, clock, placeOf)}
${taskSection(facts, shown, options)}
<footer>Read from the job's files on ${clock.day(facts.now)} at ${clock.time(facts.now)} (${escapeHtml(options.zone)}). It does not change by itself: <code>${command(["job", "page", facts.name], options)}</code></footer>
</main>`;
  return htmlPage({ title: `${title} · job`, language: "en", style: pageStyle(), body });
}

function headline(facts: JobFacts, clock: Clock24): string {
  const { sums, progress } = facts;
  const runners = facts.lifecycles.filter(({ isAtWork }) => isAtWork).length;
  const now = [workText(facts, runners), estimateText(facts, clock)].filter((one) => one !== "");
  const left = leftTexts(sums);
  const tiles = [
    tile("Tasks done", `${sums.tasks.done}`, `of ${sums.tasks.total}`),
    ...usedFigures(sums).map(({ kind, figure, of }) => tile(usedNames[kind], figure, of)),
    ...(sums.workedMs === null ? [] : [tile("Time of work", roughText(sums.workedMs), "")]),
    ...(sums.changes === null
      ? []
      : [
          tile(
            "Files changed",
            `${sums.changes.isExact ? "" : "≥ "}${sums.changes.files.toLocaleString("en-US")}`,
            linesText(sums.changes),
          ),
        ]),
  ];
  return `<p class="lead">${escapeHtml([progressText(facts), ...left].join(" · "))}</p>
<div class="bar" role="img" aria-label="${progress} percent"><span style="width:${progress}%"></span></div>
<p class="muted">${escapeHtml(now.join(". "))}.${spanText(facts, clock)}</p>
<dl class="tiles">${tiles.join("")}</dl>`;
}

const usedNames = { requests: "Requests", tokens: "Tokens", cost: "Cost" };

function spanText({ sums, now }: JobFacts, clock: Clock24): string {
  if (sums.from === null || sums.to === null) return "";
  return ` Work from ${escapeHtml(clock.span(sums.from, sums.to, now).replace(" – ", " to "))}.`;
}

function tile(name: string, figure: string, more: string): string {
  const rest = more === "" ? "" : ` <small>${escapeHtml(more)}</small>`;
  return `<div><dt>${name}</dt><dd>${escapeHtml(figure)}${rest}</dd></div>`;
}

function obstacleList({ obstacles, name, state }: JobFacts, options: JobPageOptions): string {
  if (obstacles.length === 0) {
    const text = state === "done" ? "Nothing needs you." : "Nothing is in the way.";
    return `<section><h2>In the way</h2><p class="muted">${text}</p></section>`;
  }
  const items = obstacles.slice(0, most.obstacles).map((one) => obstacleItem(one, name, options));
  const others = obstacles.length - items.length;
  const cards = (some: readonly string[]) => `<ul class="cards">\n${some.join("\n")}\n</ul>`;
  const folded = items.slice(most.seen);
  const rest =
    folded.length === 0
      ? ""
      : `<details><summary>and ${folded.length} more</summary>${cards(folded)}</details>`;
  const more = others > 0 ? `<p class="muted">and ${others} others</p>` : "";
  return `<section><h2>In the way</h2>
${cards(items.slice(0, most.seen))}${rest}${more}</section>`;
}

function obstacleItem(obstacle: Obstacle, name: string, options: JobPageOptions): string {
  const words = obstacleWords(obstacle, name);
  const isQuestion = obstacle.type === "question";
  const text = `<p dir="auto">${escapeHtml(paragraph(words.text, isQuestion ? longest.question : longest.reason))}</p>`;
  const more = words.more === "" ? "" : `<p class="muted">${escapeHtml(line(words.more, 400))}</p>`;
  const helps =
    words.command === null ? "" : `<p><code>${command(words.command, options)}</code></p>`;
  return `<li class="${isQuestion ? "asks" : "fails"}"><span class="tag">${tags[obstacle.type]}</span>${text}${more}${helps}</li>`;
}

const tags: Readonly<Record<Obstacle["type"], string>> = {
  stuck: "cannot go on",
  budget: "budget",
  question: "question",
  failed: "failed",
  model: "model",
  interrupted: "interrupted",
};

function timeSection(
  { lifecycles }: JobFacts,
  clock: Clock24,
  placeOf: (task: string) => string | undefined,
): string {
  if (lifecycles.length === 0) return "";
  const drawn = timeline(lifecycles, clock, placeOf);
  const listed = lifecycles.slice(-mostBars);
  const left = lifecycles.length - listed.length;
  const older = left > 0 ? `<p class="muted">${left} earlier turns are only in the log.</p>` : "";
  const count = countText(listed.length, "turn");
  const rows = listed.map((one) => lifecycleRow(one, clock, placeOf));
  return `<section><h2>Over time</h2>
${drawn === "" ? '<p class="muted">The log has no times that can be read.</p>' : drawn}
${older}<details><summary>The same as a table (${count})</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Turns of the runners">
<table class="turns"><thead><tr><th scope="col">Began<th scope="col">Lasted<th scope="col">Runner<th scope="col">Task<th scope="col">Result<th scope="col">Tokens<th scope="col">Cost</thead>
<tbody>
${rows.join("\n")}
</tbody></table></div></details></section>`;
}

/** Returns a row of a table; the ends of its cells may be left out in HTML, and would take a third of its room. */
function lifecycleRow(
  one: LifecycleFacts,
  clock: Clock24,
  placeOf: (task: string) => string | undefined,
): string {
  const { from, usage, lane, task, objective, isUndo } = one;
  const place = task === null ? undefined : placeOf(task);
  const what =
    place === undefined || isUndo
      ? escapeHtml(line(objective, longest.objective))
      : `<a href="#${place}">${escapeHtml(line(task ?? "", longest.objective))}</a>`;
  const began = from === null ? "" : `${clock.day(from)} ${clock.time(from)}`;
  const lasted = usage.ms === null ? "" : roughText(usage.ms);
  const tokens = usage.tokens === null ? "" : usage.tokens.toLocaleString("en-US");
  return `<tr><td>${began}<td>${lasted}<td>${lane ?? ""}<td>${what}<td>${escapeHtml(resultText(one))}<td>${tokens}<td>${escapeHtml(shortCost(usage.cost))}`;
}

function taskSection(
  { tasks, name }: JobFacts,
  shown: readonly TaskFacts[],
  options: JobPageOptions,
): string {
  if (tasks.length === 0) return "";
  const clock = new Clock24(options.zone);
  const rows = shown.map((task, at) => {
    const { phase } = task;
    const head =
      phase === null || phase === shown[at - 1]?.phase
        ? ""
        : `<tr class="phase"><th colspan="7" scope="rowgroup" dir="auto">${escapeHtml(line(phase, longest.title))}\n`;
    return `${head}${taskRow(task, `t${at + 1}`, name, clock, options)}`;
  });
  const left = tasks.length - shown.length;
  const more = left > 0 ? `<p class="muted">${left} more tasks are in the log.</p>` : "";
  return `<section><h2>Tasks</h2>
<table class="tasks"><thead><tr><th scope="col">Task<th scope="col">State<th scope="col" class="n w">Tries<th scope="col" class="n">Time<th scope="col" class="n w">Files<th scope="col" class="n w">Tokens<th scope="col" class="n">Cost</thead>
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
  const { state, tries, workedMs, changes, tokens, cost } = task;
  const title = escapeHtml(line(task.title, longest.title));
  const reason = line(reasonText(task), longest.reason);
  const why = reason === "" ? "" : `<p class="why" dir="auto">${escapeHtml(reason)}</p>`;
  const details = detailsOf(task, name, clock, options);
  const head =
    details === ""
      ? `<span class="title" dir="auto">${title}</span>`
      : `<details><summary dir="auto">${title}</summary>${details}</details>`;
  const files =
    changes === null
      ? ""
      : `<span title="${escapeHtml(changesText(changes))}">${changes.isExact ? "" : "≥"}${changes.files} <small>${linesText(changes)}</small></span>`;
  return `<tr id="${place}" class="${state}"><td>${head}${why}<td><span class="dot"></span>${stateWords[state]}<td class="n w">${tries > 1 ? tries : ""}<td class="n">${workedMs === null ? "" : roughText(workedMs)}<td class="n w">${files}<td class="n w">${tokens === null ? "" : shortCount(tokens)}<td class="n">${escapeHtml(shortCost(cost))}`;
}

/** Returns what is seen of a task only if it is opened: when it was worked on, what was said, how to review and undo it. */
function detailsOf(task: TaskFacts, name: string, clock: Clock24, options: JobPageOptions): string {
  const { id, last, said, from, to, lanes, hasSessions, state } = task;
  const parts: string[] = [];
  if (from !== null && to !== null) {
    const by = lanes.length === 0 ? "" : `, runner ${lanes.join(", ")}`;
    parts.push(`${clock.day(from)} ${clock.time(from)} – ${clock.time(to)}${by}`);
  }
  // Of other tasks, the reason stands below the title.
  if (state === "done" && last !== null && last.summary !== "") {
    parts.push(`<span dir="auto">${escapeHtml(line(last.summary, longest.summary))}</span>`);
  }
  for (const one of said) {
    parts.push(`You said: <span dir="auto">${escapeHtml(line(one, longest.reason))}</span>`);
  }
  const { check = "", review = "" } = last ?? {};
  if (check !== "") parts.push(`Check ${escapeHtml(line(check, longest.reason))}`);
  if (review !== "") {
    parts.push(`<span dir="auto">Review ${escapeHtml(line(review, longest.reason))}</span>`);
  }
  if (hasSessions) {
    const changes = command(["job", "changes", name, id], options);
    const undo = command(["job", "undo", name, id], options);
    parts.push(`Changes: <code>${changes}</code>`, `Undo: <code>${undo}</code>`);
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
