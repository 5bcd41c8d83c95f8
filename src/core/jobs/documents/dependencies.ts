import type { JobLog } from "./jobLog.js";
import type { RoadmapItem } from "./roadmap.js";

/** The dependencies of an item of the roadmap. */
export interface Dependencies {
  /** The items that must be over before it begins. */
  readonly on: readonly RoadmapItem[];
  /** The names that it gives for what it waits for, but that no other item has. */
  readonly unknown: readonly string[];
}

/** Matches the beginning of a bracket that lists dependencies. */
const surely = /^(?:after|depends? on|waits? for|nach|después de|après|依赖|在)[\s:：]*(.+)/isu;
/** Matches words that list dependencies only if an item follows: “(needs Node 20)” is a remark. */
const maybe = /^(?:needs|requires|blocked by|once|when)[\s:：]*(.+)/isu;
const bracket = /[([（【]([^()[\]（）【】]+)[)\]）】]/gu;
const separator = /(?:(?<!\s)\s+)?(?:[,;&+、，；]|\b(?:and|und|et|y)\b|和|与)\s*/u;
const range = /^(\d+(?:\.\d+)*)\s*(?:[-–—]|\.\.+|\bto\b|\bbis\b|至|到)\s*(\d+(?:\.\d+)*)$/u;
const before =
  /^(?:(?:all of|both|the)\s+)?(?:(?:tasks?|phases?|steps?|items?|aufgaben?)(?![a-z])|任务)?\s*#?\s*/iu;
const behind =
  /(?:(?<!\s)\s+(?:is|are)\s+(?:done|over|completed?|finished|ready)|(?:(?<!\s)\s+)?(?:完成)?之?后)$/iu;

/**
 * Reads what each item waits for: its line `after:`, and brackets in its text, as people write them: `(after 1.2)`,
 * `(after tasks 1-3)`, `(depends on 1 and 2)`, `(once 4 is done)`. An item is named by its number or text.
 */
export class DependencyReader {
  /** Made when the first name is looked up: most roadmaps of thousands of tasks have none. */
  private byName: ReadonlyMap<string, RoadmapItem> | undefined;

  constructor(private readonly log: Pick<JobLog, "items">) {}

  of(item: RoadmapItem): Dependencies {
    const line = item.fields.get("after")?.value;
    const named = line === undefined ? [] : this.named(line);
    for (const [, inside = ""] of item.text.matchAll(bracket)) {
      const words = inside.trim();
      const list = surely.exec(words)?.[1] ?? (/之?后$/u.test(words) ? words : undefined);
      if (list !== undefined) named.push(...this.named(list));
      else {
        const found = this.named(maybe.exec(words)?.[1] ?? "");
        if (found.every(({ items }) => items.length > 0)) named.push(...found);
      }
    }
    return {
      on: [...new Set(named.flatMap(({ items }) => items))].filter((one) => one !== item),
      unknown: named.flatMap(({ name, items }) => (items.length === 0 ? [name] : [])),
    };
  }

  private find(name: string): RoadmapItem | undefined {
    this.byName ??= new Map(
      this.log.items
        .toReversed()
        .flatMap((item) =>
          [item.text, item.title, item.number ?? "", item.id].map((one) => [plain(one), item]),
        ),
    );
    return name === "" ? undefined : this.byName.get(name);
  }

  private named(list: string): { name: string; items: readonly RoadmapItem[] }[] {
    const whole = this.find(plain(list));
    if (whole !== undefined) return [{ name: list, items: [whole] }];
    return list.split(separator).flatMap((part) => {
      const name = part.trim().replace(before, "").replace(behind, "").trim();
      if (/^(?:none|nothing|[-—]?)$/iu.test(name)) return [];
      const item = this.find(plain(name));
      return [{ name, items: item === undefined ? this.inRange(name) : [item] }];
    });
  }

  /** Returns the items from one number to another, of the same depth; none if the name is no range. */
  private inRange(name: string): RoadmapItem[] {
    const [, from = "", to = ""] = range.exec(plain(name)) ?? [];
    const [first, last] = [this.find(from), this.find(to)];
    if (first === undefined || last === undefined) return [];
    const { items } = this.log;
    const depth = from.split(".").length;
    return items
      .slice(items.indexOf(first), items.indexOf(last) + 1)
      .filter(({ number }) => number?.split(".").length === depth);
  }
}

/** Returns the ids of items that wait for one another in a circle; empty if none do. */
export function circleIn({ items, roadmap }: Pick<JobLog, "items" | "roadmap">): string[] {
  const reader = new DependencyReader({ items });
  const done = new Set<RoadmapItem>();
  const path: RoadmapItem[] = [];
  const visit = (item: RoadmapItem): string[] => {
    if (done.has(item)) return [];
    const at = path.indexOf(item);
    if (at >= 0) return path.slice(at).map(({ id }) => id);
    path.push(item);
    // A phase is over when all that it holds is.
    const inner = item.kind === "phase" ? item.children : [];
    for (const next of [...reader.of(item).on, ...inner]) {
      const circle = visit(next);
      if (circle.length > 0) return circle;
    }
    path.pop();
    done.add(item);
    return [];
  };
  for (const item of roadmap) {
    const circle = visit(item);
    if (circle.length > 0) return circle;
  }
  return [];
}

function plain(name: string): string {
  return name
    .replace(/[*_`"'“”]/g, "")
    .replace(/(?<![.)、:：])[.)、:：]+$/, "")
    .trim()
    .toLowerCase();
}
