import type { Block, ListItem } from "./outline.js";
import { fieldOf, readEntryHeading } from "./workLog.js";

interface SectionHeading {
  readonly row: number;
  readonly level: number;
  readonly isChinese: boolean;
}

/** The two parts of a log. Without headings, the checklist comes first, then the entries. */
export interface Sections {
  readonly roadmapHeading: SectionHeading | undefined;
  readonly roadmap: readonly ListItem[];
  readonly workLogHeading: SectionHeading | undefined;
  readonly workLog: readonly Block[];
}

export function findSections(blocks: readonly Block[]): Sections {
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
      const heading = { ...block, isChinese: /\p{Script=Han}/u.test(block.text) };
      if (section !== undefined) {
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
