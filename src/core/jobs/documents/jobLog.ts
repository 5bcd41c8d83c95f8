import { type FrontMatter, readFrontMatter } from "./frontMatter.js";
import { type LogNote, logNotes } from "./logEdit.js";
import { readOutline } from "./outline.js";
import { everyItem, readRoadmap, type RoadmapItem, type Task } from "./roadmap.js";
import { findSections, type Sections } from "./sections.js";
import { TextLines } from "../../documents/textLines.js";
import { type Entry, readEntries } from "./workLog.js";

/** A `*.log.md`: the only memory of a job. The text is never changed; edits create a new log. */
export interface JobLog {
  readonly lines: TextLines;
  readonly matter: FrontMatter;
  readonly sections: Sections;
  /** `undefined` if there is no title, or it is not a text. */
  readonly title: string | undefined;
  /** The progress in the file, in percent; `undefined` if there is none that can be read. */
  readonly givenProgress: number | undefined;
  readonly roadmap: readonly RoadmapItem[];
  /** The notes that code keeps in the front matter. */
  readonly notes: Readonly<Partial<Record<LogNote, string>>>;
  /** Phases and tasks, in order. */
  readonly items: readonly RoadmapItem[];
  readonly tasks: readonly Task[];
  /** In the file's order, which is newest first. */
  readonly entries: readonly Entry[];
}

/** The log that was parsed last: the result of an edit is often read again soon after. */
let last: WeakRef<JobLog> | undefined;

/** Never throws; `text` may be anything. */
export function readJobLog(text: string): JobLog {
  const known = last?.deref();
  if (known?.lines.text === text) return known;
  const log = parsed(text);
  last = new WeakRef(log);
  return log;
}

function parsed(text: string): JobLog {
  const lines = new TextLines(text);
  const matter = readFrontMatter(lines);
  const sections = findSections(readOutline(lines, matter.rows));
  const roadmap = readRoadmap(sections.roadmap);
  const items = everyItem(roadmap);
  const title = matter.get("title");
  return {
    lines,
    matter,
    sections,
    roadmap,
    items,
    title: typeof title === "string" || typeof title === "number" ? String(title) : undefined,
    givenProgress: readProgress(matter.get("progress")),
    notes: Object.fromEntries(
      logNotes.flatMap((key) => {
        const value = matter.get(key);
        return typeof value === "string" ? [[key, value]] : [];
      }),
    ),
    tasks: items.filter((item) => item.kind === "task"),
    entries: readEntries(sections.workLog, lines),
  };
}

/**
 * Returns the share of completed tasks among those that are not cancelled, in whole percent. It is rounded
 * down, so that only a finished job has 100.
 */
export function progressOf(tasks: readonly Task[]): number {
  const effective = tasks.filter(({ status }) => status !== "Cancelled").length;
  if (effective === 0) return tasks.length === 0 ? 0 : 100;
  const completed = tasks.filter(({ status }) => status === "Completed").length;
  return Math.floor((completed / effective) * 100);
}

/** Reads `"15%"`, `15` and `0.15` as the same; a number up to 1 is a share. */
function readProgress(given: unknown): number | undefined {
  const text = typeof given === "string" ? given.trim() : "";
  const isPercent = /^\d+(\.\d+)?\s*%$/.test(text);
  const number =
    typeof given === "number" ? given : text === "" ? NaN : Number(text.replace("%", ""));
  // Rounding removes the floating-point error: 0.07 is exactly 7 %.
  const percent = isPercent || number > 1 ? number : Number((number * 100).toFixed(6));
  return percent >= 0 && percent <= 100 ? percent : undefined;
}
