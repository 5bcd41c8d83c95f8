import { escapeHtml } from "../../text/escapeHtml.js";
import { translatable, type Translate } from "../../text/translator.js";
import { visibleLine } from "../../text/visibleText.js";
import { spoken } from "../../text/words.js";
import type { Clock24 } from "../facts/clock24.js";
import { resultText, roughText, shortCost, shortCount } from "../facts/factWords.js";
import type { LifecycleFacts } from "../facts/lifecycleFacts.js";
import { saidObjective } from "../work/objective.js";
import { TimeScale } from "./timeScale.js";

/** The width of the drawing in its own units; it is stretched to the width of the page. */
const width = 1000;
/** The most bars that are drawn; earlier lifecycles are only in the log. */
export const mostBars = 1_000;
const height = { lane: 24, manyLanes: 14, sum: 52, gap: 14 };
const mostTallLanes = 10;

/** The CSS class of a lifecycle's bar: by the end of a runner; planners have their own. */
type Look = "done" | "failed" | "part" | "work" | "plan" | "none";

interface Sum {
  readonly name: string;
  readonly all: string;
  readonly path: string;
}

/**
 * Returns the drawing of a job's lifecycles over time as HTML: a lane for each runner, a bar for each lifecycle, and below
 * them how cost and tokens grow. The times of all of it are in one row. Returns an empty text if no time is known.
 *
 * @param placeOf the id in the page of a task's row
 */
export function timeline(
  lifecycles: readonly LifecycleFacts[],
  clock: Clock24,
  placeOf: (task: string) => string | undefined,
  t: Translate,
): string {
  const timed = lifecycles.filter(({ lane }) => lane !== null).slice(-mostBars);
  if (timed.length === 0) return "";
  const spans = timed.map(spanOf);
  const scale = new TimeScale(spans);
  const x = (time: number) => round(scale.at(time) * width);
  const lanes = Math.max(...timed.map(({ lane }) => lane ?? 0));
  const laneHeight = lanes > mostTallLanes ? height.manyLanes : height.lane;
  const sums = [
    sumOf(t("Cost"), timed, "cost", x, shortCost),
    sumOf(t("Tokens"), timed, "tokens", x, shortCount),
  ].filter((one) => one !== undefined);
  const lanesHeight = lanes * laneHeight;
  const total = lanesHeight + sums.length * (height.gap + height.sum);
  const ticks = scale.ticks(clock);
  const grid = ticks.map(({ at }) => `M${round(at * width)} 0V${total}`).join("");
  const cuts = scale.stretches
    .slice(1)
    .map(({ left }, at) => {
      const from = round((scale.stretches[at]?.right ?? left) * width);
      return `<rect class="cut" x="${from}" width="${round(left * width - from)}" height="${total}"/>`;
    })
    .join("");
  const rows = Array.from({ length: lanes }, (_, at) => {
    const own = timed.filter(({ lane }) => lane === at + 1);
    const bars = own.map((one) => bar(one, scale, clock, placeOf, t)).join("\n");
    return `<div class="lane" style="height:${laneHeight}px">${bars}</div>`;
  });
  const drawn = sums.map(({ path }, at) => {
    const top = lanesHeight + height.gap + at * (height.gap + height.sum);
    return `<g transform="translate(0 ${top})"><path class="area" d="${path}V${height.sum}H${firstX(path)}z"/><path class="line" d="${path}"/><path class="base" d="M0 ${height.sum}H${width}"/></g>`;
  });
  const names = Array.from(
    { length: lanes },
    (_, at) =>
      `<div style="height:${laneHeight}px"><span class="wide">${escapeHtml(t("Runner"))} </span>${at + 1}</div>`,
  );
  const sumNames = sums.map(
    ({ name, all }) =>
      `<div class="sum" style="height:${height.sum}px;margin-top:${height.gap}px">${escapeHtml(name)}<b>${all}</b></div>`,
  );
  // A single night needs no dates.
  const hasDays =
    scale.stretches.length > 1 && new Set(ticks.map(({ time }) => clock.day(time))).size > 1;
  const labels = labelsOf(ticks, hasDays, clock);
  return `<div class="time" aria-hidden="true">
<div class="names">${names.join("")}${sumNames.join("")}</div>
<div><div class="draw" style="height:${total}px"><svg viewBox="0 0 ${width} ${total}" preserveAspectRatio="none"><path class="grid" d="${grid || "M0 0"}"/>${cuts}
${drawn.join("\n")}</svg>
${rows.join("\n")}</div>
<div class="ticks${hasDays ? " days" : ""}">${labels.join("")}</div></div>
</div>
${legend(timed, scale.stretches.length > 1, t)}`;
}

/** Returns the times below the drawing, with the day where a new one begins. */
function labelsOf(
  ticks: ReturnType<TimeScale["ticks"]>,
  hasDays: boolean,
  clock: Clock24,
): string[] {
  return ticks.map(({ at, time }, index) => {
    const before = ticks[index - 1]?.time;
    const isNewDay = before === undefined || clock.day(before) !== clock.day(time);
    const day = hasDays && isNewDay ? `<br>${clock.day(time)}` : "";
    return `<span style="left:${percent(at)}%">${clock.time(time)}${day}</span>`;
  });
}

function spanOf({ from, to }: LifecycleFacts): { from: number; to: number } {
  const began = Date.parse(from ?? "");
  return { from: began, to: to === null ? began : Date.parse(to) };
}

function lookOf({ role, result, isAtWork }: LifecycleFacts): Look {
  if (isAtWork) return "work";
  if (result === "Failed") return "failed";
  if (result === "Pending") return "part";
  if (result !== "Succeeded") return "none";
  return role === "Planner" ? "plan" : "done";
}

/** Returns a bar; its height and color are those of its look in the page's style. */
function bar(
  one: LifecycleFacts,
  scale: TimeScale,
  clock: Clock24,
  placeOf: (task: string) => string | undefined,
  t: Translate,
): string {
  const { from, to } = spanOf(one);
  const left = percent(scale.at(from));
  const wide = percent(scale.at(to) - scale.at(from));
  const lasted = one.to === null ? "" : `, ${roughText(to - from, t)}`;
  const what = one.task ?? visibleLine(spoken(saidObjective(one.objective), t), 60);
  const title = visibleLine(`${what}: ${resultText(one, t)}, ${clock.time(from)}${lasted}`, 200);
  const place = one.task === null ? undefined : placeOf(one.task);
  const [tag, link] = place === undefined ? ["i", ""] : ["a", ` href="#${place}" tabindex="-1"`];
  return `<${tag}${link} class="${lookOf(one)}" style="left:${left}%;width:${wide}%" title="${escapeHtml(title)}"></${tag}>`;
}

/** Returns how a figure grows over time as a path; `undefined` if the log has nothing of it. */
function sumOf(
  name: string,
  lifecycles: readonly LifecycleFacts[],
  figure: "cost" | "tokens",
  x: (time: number) => number,
  format: (total: number) => string,
): Sum | undefined {
  const steps = lifecycles
    .flatMap((one) => {
      const used = one.usage[figure];
      return used === null || used === 0 ? [] : [{ time: spanOf(one).to, used }];
    })
    .sort((a, b) => a.time - b.time);
  const all = steps.reduce((sum, { used }) => sum + used, 0);
  if (all <= 0) return undefined;
  const y = (sum: number) => round(height.sum - 2 - (sum / all) * (height.sum - 6));
  const begins = Math.min(...lifecycles.map((one) => spanOf(one).from));
  let sum = 0;
  const path = steps.map(({ time, used }) => {
    sum += used;
    return `H${x(time)}V${y(sum)}`;
  });
  const ends = Math.max(...lifecycles.map((one) => spanOf(one).to));
  return {
    name,
    all: escapeHtml(format(all)),
    path: `M${x(begins)} ${y(0)}${path.join("")}H${x(ends)}`,
  };
}

function firstX(path: string): string {
  return /^M([\d.]+)/.exec(path)?.[1] ?? "0";
}

const legends: readonly (readonly [Look, string])[] = [
  ["done", translatable("done")],
  ["work", translatable("at work")],
  ["part", translatable("not finished")],
  ["failed", translatable("failed")],
  ["plan", translatable("planning")],
  ["none", translatable("cancelled")],
];

/** Returns the legend: the meanings of the bars' styles that occur, and of the cuts if there are any. */
function legend(lifecycles: readonly LifecycleFacts[], hasCuts: boolean, t: Translate): string {
  const looks = new Set(lifecycles.map(lookOf));
  const entry = (look: string, text: string) =>
    `<li><span class="lane"><i class="${look}"></i></span>${escapeHtml(text)}</li>`;
  const entries = legends
    .filter(([look]) => looks.has(look))
    .map(([look, text]) => entry(look, t(text)));
  const cuts = hasCuts ? entry("cut", t("idle, cut short")) : "";
  return `<ul class="legend" aria-hidden="true">${entries.join("")}${cuts}</ul>`;
}

function percent(share: number): number {
  return Math.round(share * 10_000) / 100;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
