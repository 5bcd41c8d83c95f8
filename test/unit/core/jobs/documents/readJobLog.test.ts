import assert from "node:assert/strict";
import { readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { sample, sampleNames } from "./samples.js";

/** Returns what is read of a log: title, given progress, `id status runner` of tasks, `name time` of entries. */
function told(text: string) {
  const { title, givenProgress, tasks, entries } = readJobLog(text);
  return {
    title,
    progress: givenProgress,
    tasks: tasks.map(({ id, status, runner }) =>
      [id, status ?? "?", runner].filter((part) => part !== undefined).join(" "),
    ),
    entries: entries.map(({ heading, role, result }) => {
      const { number, name, time, runner } = heading ?? {};
      return [number, name, runner, time, role, result]
        .filter((part) => part !== undefined)
        .join(" ");
    }),
  };
}

const plain = {
  title: "Move the importer",
  progress: 33,
  tasks: ["1.1 Completed importer-1111", "1.2 Locked importer-2222", "1.3 Pending"],
  entries: [
    "2 importer 2026-03-01T10:00:00Z Runner Succeeded",
    "1 importer 2026-03-01T09:00:00Z Planner Succeeded",
  ],
};
const archive = { progress: undefined, tasks: ["1 Pending"], entries: [] };

const expected: Record<string, ReturnType<typeof told>> = {
  "plain.log.md": plain,
  "crlf.log.md": plain,
  "cr.log.md": plain,
  "bom.log.md": plain,
  "noFinalNewline.log.md": plain,
  "tabs.log.md": {
    title: "Tabs everywhere",
    progress: 0,
    tasks: ["1.1 Pending", "1.2 Failed tabs-1"],
    entries: [],
  },
  "version1.log.md": {
    title: "Tidy the tests",
    progress: 50,
    tasks: ["1.1 Completed tests-aaaa", "1.2 Locked tests-bbbb"],
    entries: [
      "Tests_Executor 2026-02-02 08:00 Runner Succeeded",
      "Tests_Executor 2026-02-01 08:00 Planner Succeeded",
    ],
  },
  "indentedKeys.log.md": {
    title: "Keys with a space before them",
    progress: 0,
    tasks: ["1 Pending"],
    entries: [],
  },
  "oneIndentedKey.log.md": {
    title: "One key has a space before it",
    progress: 100,
    tasks: ["1 Completed"],
    entries: [],
  },
  "share.log.md": {
    title: "Progress as a share",
    progress: 25,
    tasks: ["1 Completed", "2 Pending", "3 Pending", "4 Pending"],
    entries: [],
  },
  "missingKeys.log.md": { ...archive, title: undefined },
  "noFrontMatter.log.md": { ...archive, title: undefined },
  "emptyFrontMatter.log.md": { ...archive, title: undefined },
  "placeholder.log.md": { title: "_待定_", progress: 0, tasks: [], entries: [] },
  "chinese.log.md": {
    title: "整理发票导出",
    progress: 50,
    tasks: ["1.1 Completed invoice-01", "1.2 Pending"],
    entries: [
      "2 invoice 2026-04-02T01:00:00Z Runner Succeeded",
      "1 invoice 2026-04-01T01:00:00Z Planner Succeeded",
    ],
  },
  "allChecked.log.md": {
    title: "Done long ago",
    progress: 100,
    tasks: ["Collect the words", "Sort the words", "Print the words"].map(
      (task) => `${task} Completed`,
    ),
    entries: [],
  },
  "forRunner.log.md": {
    title: "Other headings",
    progress: 50,
    tasks: ["1 Completed", "2 Pending"],
    entries: [
      "11 maps-0011 2026-05-02 10:00:00 Runner Succeeded",
      "10 maps-0010 2026-05-01 10:00:00 Planner Succeeded",
    ],
  },
  "unnumberedEntries.log.md": {
    title: "Headings without numbers",
    progress: 100,
    tasks: ["1 Completed"],
    entries: [
      "maps-2 2026-05-02T10:00:00Z Runner Succeeded",
      "maps-1 2026-05-01T10:00:00Z Planner Succeeded",
    ],
  },
  "noHeadings.log.md": {
    title: undefined,
    progress: undefined,
    tasks: ["1 Completed", "2 Pending"],
    entries: ["Runner Succeeded", "Planner Succeeded"],
  },
  "checklistOnly.log.md": {
    title: undefined,
    progress: undefined,
    tasks: ["Weigh the parcels Pending", "Label the parcels Pending"],
    entries: [],
  },
  "prose.log.md": { title: undefined, progress: undefined, tasks: [], entries: [] },
  "empty.log.md": { title: undefined, progress: undefined, tasks: [], entries: [] },
  "fences.log.md": {
    title: "Examples within",
    progress: 0,
    tasks: ["1 Pending"],
    entries: ["1 pages 2026-06-01T00:00:00Z Planner Succeeded"],
  },
  "styled.log.md": {
    title: "Marks of all kinds",
    progress: 25,
    tasks: [
      "`1.` Ask Completed agent-1",
      "2 Pending",
      "3 Cancelled",
      "4 Failed agent-4",
      "5 Pending",
    ],
    entries: [],
  },
  "mistakes.log.md": {
    title: "Everything that can be wrong",
    progress: 90,
    tasks: ["1.1 Pending", "1.1 (2) ?", "1.2 Locked", "1.3 Failed", "1.4 Pending"],
    entries: [
      "1 wrong 2026-01-01T00:00:00Z Runner Succeeded",
      "2 wrong 2026-01-02T00:00:00Z",
      "Planner Succeeded",
    ],
  },
  "brokenYaml.log.md": { ...archive, title: undefined },
  "openFrontMatter.log.md": { ...archive, title: undefined },
  "wrongProgress.log.md": { ...archive, title: "7" },
  "deep.log.md": {
    title: "Deep",
    progress: 33,
    tasks: [
      "leaf one Completed",
      "leaf two Cancelled",
      "A.1.2 leaf three Pending",
      "leaf four Pending",
    ],
    entries: [],
  },
};

describe("job log", () => {
  for (const name of sampleNames(".log.md")) {
    it(`[R-JIXO-32] reads ${name}`, () => {
      assert.deepEqual(told(sample(name)), expected[name]);
    });
  }

  it("[R-JIXO-28] tells phases from tasks, and where each stands", () => {
    const { roadmap, items } = readJobLog(sample("plain.log.md"));
    const [phase] = roadmap;
    assert.ok(phase?.kind === "phase" && roadmap.length === 1);
    assert.deepEqual(
      phase.children.map(({ kind, number, title, isChecked }) => ({
        kind,
        number,
        title,
        isChecked,
      })),
      [
        { kind: "task", number: "1.1", title: "Read the old importer", isChecked: true },
        { kind: "task", number: "1.2", title: "Move the parser", isChecked: false },
        { kind: "task", number: "1.3", title: "Move the writer", isChecked: false },
      ],
    );
    assert.deepEqual(
      items.map(({ row }) => row),
      [7, 8, 11, 14],
    );
  });

  it("[R-JIXO-28] knows a task's number in the ways in which people write it", () => {
    const read = (text: string) => {
      const [task] = readJobLog(`- [ ] ${text}\n`).tasks;
      return [task?.number, task?.title];
    };
    for (const text of ["1.2. Go", "1.2 Go", "1.2) Go", "**1.2. Go**", "1.2：Go", "Task 1.2: Go"]) {
      assert.deepEqual(read(text), ["1.2", "Go"], text);
    }
    assert.deepEqual(read("任务1.2、走"), ["1.2", "走"]);
    for (const text of ["3D models", "Go 1.2", "1.2-beta", "Tasks 1"]) {
      assert.deepEqual(read(text), [undefined, text], text);
    }
  });

  it("[R-JIXO-28] takes nothing that is quoted for a task's", () => {
    const text =
      "## Roadmap\n\n- [ ] 1. Ask\n  > - [ ] 2. Quoted\n  > - status: Failed\n\n> - [ ] 3. Quoted\n";
    assert.deepEqual(told(text).tasks, ["1 Pending"]);
  });

  it("[R-JIXO-28] takes nothing of another section, or of an item that begins with nothing", () => {
    const text =
      "## Roadmap\n\n- [ ] 1. Ask\n-\n  [ ] 2. Not so\n\n## Notes\n\n- [ ] 3. Buy bread\n";
    assert.deepEqual(told(text).tasks, ["1 Pending"]);
    const entry =
      "## Work Log\n\n### Log 1 @a (b)\n\n- **Role**: Runner\n\n#### More\n\n- **Result**: Failed\n";
    assert.deepEqual(told(entry).entries, ["1 a b Runner Failed"]);
  });

  it("[R-JIXO-28] reads what an entry says, its further lines and fences too", () => {
    const [entry] = readJobLog(sample("fences.log.md")).entries;
    assert.equal(
      entry?.fields.get("summary")?.value,
      "As below.\n\n```md\n### Log 9 @nobody (never)\n- **Role**: Runner\n```",
    );
    assert.deepEqual(entry.fields.get("objective"), { row: 37, value: "Plan" });
  });

  it("[R-JIXO-27] knows the results, and what version 1 calls them", () => {
    const log = (result: string) =>
      readJobLog(sample("plain.log.md").replace("Succeeded", result)).entries[0]?.result;
    assert.deepEqual(
      ["Succeeded", "failed", "Pending", "Cancelled", "Completed", "Perfect"].map(log),
      ["Succeeded", "Failed", "Pending", "Cancelled", "Succeeded", undefined],
    );
  });

  it("[R-JIXO-32] reads progress as a percentage and as a share", () => {
    const read = (yaml: string) => readJobLog(`---\nprogress: ${yaml}\n---\n`).givenProgress;
    const given = {
      '"15%"': 15,
      "15": 15,
      "0.15": 15,
      '"0.15"': 15,
      "1": 100,
      "100%": 100,
      "1%": 1,
    };
    for (const [yaml, percent] of Object.entries(given)) assert.equal(read(yaml), percent, yaml);
    for (const yaml of ["", "[1]", '"101%"', "-1", "soon", ".nan"]) {
      assert.equal(read(yaml), undefined, yaml);
    }
  });

  it("[R-JIXO-32] takes names with brackets, and times with them", () => {
    const read = (heading: string) =>
      readJobLog(`## Work Log\n\n### ${heading}\n`).entries[0]?.heading;
    assert.deepEqual(read("Log 3 @photos (2) (2026-01-01)"), {
      number: 3,
      name: "photos (2)",
      time: "2026-01-01",
      runner: undefined,
    });
    assert.deepEqual(read("@photos (Mon GMT+0800 (CST))"), {
      number: undefined,
      name: "photos",
      time: "Mon GMT+0800 (CST)",
      runner: undefined,
    });
    for (const heading of ["Log 3", "@", "Log 3 @photos", "Logs @a (b)"]) {
      assert.equal(read(heading), undefined, heading);
    }
  });
});
