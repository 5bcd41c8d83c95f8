import { type FrontMatter, readFrontMatter } from "../../documents/frontMatter.js";
import { TextLines } from "../../documents/textLines.js";
import type { Block, ListItem } from "./block.js";
import { readOutline } from "./outline.js";
import { readEntries } from "./readEntries.js";
import {
  everyItem,
  type ItemField,
  itemFields,
  readRoadmap,
  type RoadmapItem,
  type Task,
} from "./roadmap.js";
import type { TaskStatus } from "./taskStatus.js";
import {
  type Entry,
  type EntryContent,
  type FieldName,
  fieldNames,
  fieldOf,
  readEntryHeading,
} from "./workLog.js";

/**
 * The notes that code keeps in the front matter besides the protocol's own keys. `planned_for`: a digest of
 * the goal that the roadmap was made for, or found to serve. `next_cycle`: when a periodic job begins anew,
 * ISO 8601. `spent`: what all lifecycles that have an entry used, as `totalsText` has it. `budget`: the most that the job
 * may use, as `limitText` has it, by the run that wrote last. `commits_since`: when the branch with the job's commits was
 * begun, ISO 8601.
 */
export const logNotes = ["planned_for", "next_cycle", "spent", "budget", "commits_since"] as const;
export type LogNote = (typeof logNotes)[number];

interface SectionHeading {
  readonly row: number;
  readonly level: number;
  readonly isChinese: boolean;
}

/** The two parts of a log. Without headings, the checklist comes first, then the entries. */
interface Sections {
  readonly roadmapHeading: SectionHeading | undefined;
  readonly roadmap: readonly ListItem[];
  readonly workLogHeading: SectionHeading | undefined;
  readonly workLog: readonly Block[];
}

/** The content of a phase or task in a log, apart from its formatting. */
export interface ItemContent extends Pick<RoadmapItem, "kind" | "text"> {
  readonly status?: TaskStatus | undefined;
  readonly runner?: string | undefined;
  readonly fields?: ReadonlyMap<ItemField, { readonly value: string }>;
}

/** The content of a log, apart from its formatting. An edit is right if it results in the planned content. */
export interface LogContent {
  /** `undefined` if there is no title, or it is not a text. */
  readonly title: string | undefined;
  /** The progress in the file, in percent; `undefined` if there is none that can be read. */
  readonly givenProgress: number | undefined;
  /** The notes that code keeps in the front matter. */
  readonly notes: Readonly<Partial<Record<LogNote, string>>>;
  /** Phases and tasks, in order. */
  readonly items: readonly ItemContent[];
  /** The entries in the file's order, which is newest first. */
  readonly entries: readonly EntryContent[];
}

/** A `*.log.md`: the only memory of a job. The text is never changed; edits create a new log. */
export interface JobLog extends LogContent {
  readonly lines: TextLines;
  readonly matter: FrontMatter;
  readonly sections: Sections;
  readonly roadmap: readonly RoadmapItem[];
  readonly items: readonly RoadmapItem[];
  readonly tasks: readonly Task[];
  readonly entries: readonly Entry[];
}

/** The log that was parsed last: the result of an edit is often read again soon after. */
let last: JobLog | undefined;

/** Never throws; `text` may be anything. */
export function readJobLog(text: string): JobLog {
  if (last?.lines.text !== text) last = parsed(text);
  return last;
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

/** Divides the blocks below the front matter into roadmap and work log. */
function findSections(blocks: readonly Block[]): Sections {
  /** Items before any heading of a section. */
  const loose: ListItem[] = [];
  const roadmap: ListItem[] = [];
  const workLog: Block[] = [];
  let roadmapHeading: SectionHeading | undefined;
  let workLogHeading: SectionHeading | undefined;
  let here: "nowhere" | "roadmap" | "workLog" | "elsewhere" = "nowhere";
  let level = 0;
  for (const block of blocks) {
    if (block.kind === "heading") {
      const section = sectionNamed(block.text);
      if (section !== undefined) {
        const heading = { ...block, isChinese: /\p{Script=Han}/u.test(block.text) };
        if (section === "roadmap") roadmapHeading ??= heading;
        else workLogHeading ??= heading;
        here = section;
        level = block.level;
      } else if (here !== "workLog" && readEntryHeading(block.text) !== undefined) {
        here = "workLog";
        level = block.level - 1;
        workLog.push(block);
      } else if (here === "workLog" && block.level > level) workLog.push(block);
      else if (here !== "nowhere" && block.level <= level) here = "elsewhere";
    } else if (block.kind === "item") {
      const isLoose = here === "nowhere" || here === "roadmap";
      if (isLoose && fieldOf(block) === "role") {
        here = "workLog";
        level = 0;
      }
      if (here === "workLog") workLog.push(block);
      else if (here === "roadmap") roadmap.push(block);
      else if (here === "nowhere") loose.push(block);
    }
  }
  const items = roadmapHeading === undefined ? loose : roadmap;
  return { roadmapHeading, roadmap: items, workLogHeading, workLog };
}

function sectionNamed(text: string): "roadmap" | "workLog" | undefined {
  const name = text
    .replace(/[*_`:：]/g, "")
    .trim()
    .toLowerCase();
  if (name === "roadmap" || name === "工作计划") return "roadmap";
  return name === "work log" || name === "worklog" || name === "工作日志" ? "workLog" : undefined;
}

/**
 * Returns the share of completed tasks among those that are not cancelled, in whole percent. It is rounded
 * down, so that only a finished job has 100.
 *
 * @param items tasks; phases among them do not count
 */
export function progressOf(items: readonly ItemContent[]): number {
  const tasks = items.filter(({ kind }) => kind === "task");
  const effective = tasks.filter(({ status }) => status !== "Cancelled").length;
  if (effective === 0) return tasks.length === 0 ? 0 : 100;
  const completed = tasks.filter(({ status }) => status === "Completed").length;
  return Math.floor((completed / effective) * 100);
}

/** Returns whether two logs have the same work in the same state, however it is written. */
export function saysTheSame(a: LogContent, b: LogContent): boolean {
  return (
    a.title === b.title &&
    a.givenProgress === b.givenProgress &&
    logNotes.every((key) => a.notes[key] === b.notes[key]) &&
    a.items.length === b.items.length &&
    a.items.every((item, index) => isSameItem(item, b.items[index])) &&
    a.entries.length === b.entries.length &&
    a.entries.every((entry, index) => isSameEntry(entry, b.entries[index]))
  );
}

function isSameItem(a: ItemContent, b: ItemContent | undefined): boolean {
  return (
    a.kind === b?.kind &&
    a.text === b.text &&
    a.status === b.status &&
    a.runner === b.runner &&
    haveSameFields(a.fields, b.fields)
  );
}

function haveSameFields(a: ItemContent["fields"], b: ItemContent["fields"]): boolean {
  if ((a?.size ?? 0) + (b?.size ?? 0) === 0) return true;
  return itemFields.every((name) => a?.get(name)?.value === b?.get(name)?.value);
}

function isSameEntry(a: EntryContent, b: EntryContent | undefined): boolean {
  const text = (entry: EntryContent | undefined, name: FieldName) =>
    entry?.fields.get(name)?.value ?? "";
  return (
    a.role === b?.role &&
    a.result === b?.result &&
    a.heading?.name === b?.heading?.name &&
    a.heading?.time === b?.heading?.time &&
    fieldNames.every((name) => text(a, name) === text(b, name))
  );
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
