import assert from "node:assert/strict";
import { UserError } from "../../../../../src/core/errors.js";
import {
  editJobLog,
  type LogEdit,
  type NewEntry,
} from "../../../../../src/core/jobs/documents/editJobLog.js";
import { progressOf, readJobLog } from "../../../../../src/core/jobs/documents/jobLog.js";
import { taskStatuses } from "../../../../../src/core/jobs/documents/taskStatus.js";
import { sample, sampleNames } from "./samples.js";

const edited = (text: string, ...edits: LogEdit[]) =>
  editJobLog(readJobLog(text), edits, 2).lines.text;

/** Returns `from` with one part replaced, which is there exactly once. */
function withPart(from: string, part: string, other: string): string {
  assert.equal(from.split(part).length, 2, part);
  return from.replace(part, () => other);
}

const entry: NewEntry = {
  jobName: "importer",
  time: "2026-03-01T11:00:00Z",
  role: "Runner",
  objective: "Task 1.2. Move the parser",
  result: "Failed",
  summary: "It does not build.",
};
const entryText = `### Log 3 @importer (2026-03-01T11:00:00Z)

- **Role**: Runner
- **Objective**: Task 1.2. Move the parser
- **Result**: Failed
- **Summary**: It does not build.

`;

describe("edits of a job log", () => {
  const plain = sample("plain.log.md");

  it("[R-JIXO-32] keeps every byte of a log that nothing is done to", () => {
    for (const name of sampleNames(".log.md")) {
      const text = sample(name);
      assert.equal(edited(text), text, name);
      assert.equal(readJobLog(text).lines.with([]), text, name);
    }
  });

  it("[R-JIXO-26] [R-JIXO-28] sets a task's status, runner and checkbox, each in its place", () => {
    const locked = edited(plain, { type: "lock", task: "1.3", runner: "importer-3333" });
    assert.equal(
      locked,
      withPart(
        plain,
        "    - status: Pending\n",
        "    - status: Locked\n    - runner: importer-3333\n",
      ),
    );
    const done = edited(plain, { type: "setStatus", task: "1.2", status: "Completed" });
    assert.equal(
      done,
      withPart(withPart(plain, "- [ ] 1.2.", "- [x] 1.2."), "status: Locked", "status: Completed"),
    );
    const freed = edited(plain, { type: "setStatus", task: "1.2", status: "Pending" });
    const part = "    - status: Locked\n    - runner: importer-2222\n";
    assert.equal(freed, withPart(plain, part, "    - status: Pending\n"));
    // What is cancelled is over, and not done.
    const dropped = edited(plain, { type: "setStatus", task: "1.3", status: "Cancelled" });
    assert.equal(dropped, withPart(plain, "- status: Pending\n", "- status: Cancelled\n"));
  });

  it("[R-JIXO-28] checks a phase with the last of its tasks, and opens it for a new one", () => {
    const done = edited(
      plain,
      { type: "setStatus", task: "1.3", status: "Cancelled" },
      { type: "setStatus", task: "1.2", status: "Completed" },
    );
    assert.match(done, /^- \[x\] \*\*Phase 1/m);
    const phase = "**Phase 1: Ground**";
    const more = edited(done, { type: "addItems", phase, items: [{ text: "1.4. Look again" }] });
    assert.match(more, /^- \[ \] \*\*Phase 1/m);
    assert.equal(progressOf(readJobLog(more).tasks), 66);
  });

  it("[R-JIXO-32] writes as the file does: its line ends, marks, indentation, and lack of them", () => {
    const lock = { type: "lock", task: "1.3", runner: "r-1" } as const;
    const crlf = edited(sample("crlf.log.md"), lock, { type: "addEntry", entry });
    const lf = edited(plain, lock, { type: "addEntry", entry });
    assert.equal(crlf, lf.replaceAll("\n", "\r\n"));
    assert.equal(edited(sample("bom.log.md"), lock, { type: "addEntry", entry }), `\uFEFF${lf}`);
    assert.match(
      edited(sample("tabs.log.md"), { ...lock, task: "1.1" }),
      /^\t\t- status: Locked\n\t\t- runner: r-1\n\t- \[ \] 1\.2/m,
    );
    const styled = sample("styled.log.md");
    assert.equal(
      edited(styled, { ...lock, task: "5" }),
      withPart(styled, "   status: Pending\n", "   status: Locked\n   runner: r-1\n"),
    );
    const torn = sample("checklistOnly.log.md");
    assert.equal(
      edited(torn, { ...lock, task: "Label the parcels" }),
      `${torn}\n  - status: Locked\n  - runner: r-1`,
    );
    assert.equal(
      edited(sample("share.log.md"), { ...lock, task: "3" }),
      withPart(sample("share.log.md"), "Sort\n", "Sort\n  - status: Locked\n  - runner: r-1\n"),
    );
  });

  it("[R-JIXO-26] takes a runner by its older name, and writes the newer", () => {
    const text = sample("version1.log.md").replace("Locked", "Pending");
    assert.equal(
      edited(text, { type: "lock", task: "1.2", runner: "tests-cccc" }),
      text.replace("Pending", "Locked").replace("executor: tests-bbbb", "runner: tests-cccc"),
    );
  });

  it("[R-JIXO-26] makes every legal transition, and refuses every other, in both versions", () => {
    const legal = {
      1: "Pending>Locked Pending>Cancelled Locked>Completed Locked>Failed Locked>Pending Locked>Cancelled",
      2: "Pending>Locked Pending>Cancelled Locked>Completed Locked>Failed Locked>Pending Failed>Pending Failed>Cancelled",
    };
    for (const version of [1, 2] as const) {
      const made: string[] = [];
      for (const from of taskStatuses) {
        for (const to of taskStatuses) {
          const log = readJobLog(`## Roadmap\n- [ ] 1. Go\n  - status: ${from}\n`);
          const edit: LogEdit =
            to === "Locked"
              ? { type: "lock", task: "1", runner: "r" }
              : { type: "setStatus", task: "1", status: to };
          try {
            const [task] = editJobLog(log, [edit], version).tasks;
            assert.equal(task?.status, to);
            made.push(`${from}>${to}`);
          } catch (error) {
            assert.ok(error instanceof UserError, String(error));
            assert.deepEqual(
              [error.code, error.params],
              ["taskStatusRefused", { id: "1", now: from, status: to }],
            );
          }
        }
      }
      assert.deepEqual(made.sort(), legal[version].split(" ").sort());
    }
  });

  it("[R-JIXO-28] computes progress, as a percentage or as a share, in front matter of any kind", () => {
    const update = { type: "updateProgress" } as const;
    const done = edited(
      sample("share.log.md"),
      ...([{ type: "lock", task: "2", runner: "r" }] as const),
      ...([{ type: "setStatus", task: "2", status: "Completed" }, update] as const),
    );
    assert.match(done, /^progress: 0\.5$/m);
    assert.equal(
      edited(plain.replace('"33%"', '"5%" # so far'), update),
      plain.replace('"33%"', '"33%" # so far'),
    );
    for (const [name, row] of [
      ["missingKeys.log.md", 'progress: "0%"\n---\n'],
      ["emptyFrontMatter.log.md", '---\nprogress: "0%"\n---\n'],
      ["noFrontMatter.log.md", '---\nprogress: "0%"\n---\n\n## Roadmap'],
    ] as const) {
      assert.ok(edited(sample(name), update).includes(row), name);
    }
    assert.ok(edited(sample("indentedKeys.log.md"), update).includes(' progress: "0%"\n owner'));
    const odd = sample("oneIndentedKey.log.md");
    assert.equal(edited(odd, update), odd);
    assert.equal(
      edited(odd.replace('"100%"', ""), update),
      odd.replace(' progress: "100%"', ' progress: "100%" '),
    );
  });

  it("[R-JIXO-28] counts what is Completed of what is not Cancelled, and never too much", () => {
    const progress = (...statuses: string[]) => {
      const tasks = statuses.map((status) => `- [ ] task\n  - status: ${status}\n`);
      return progressOf(readJobLog(tasks.join("")).tasks);
    };
    assert.equal(progress(), 0);
    assert.equal(progress("Cancelled"), 100);
    assert.equal(progress("Completed", "Cancelled"), 100);
    assert.equal(progress("Completed", "Completed", "Failed"), 66);
    assert.equal(progress(...Array<string>(199).fill("Completed"), "Locked"), 99);
  });

  it("[R-JIXO-28] sets a title, whatever stands in it", () => {
    for (const title of ["Plain", 'With "quotes": and #', "två\nlines", "_x_", "\\", "100"]) {
      for (const name of [
        "plain",
        "placeholder",
        "noFrontMatter",
        "oneIndentedKey",
        "missingKeys",
      ]) {
        const before = readJobLog(sample(`${name}.log.md`));
        const after = editJobLog(before, [{ type: "setTitle", title }], 2);
        assert.equal(after.title, title);
        assert.deepEqual(after.tasks.length, before.tasks.length);
      }
    }
    const block = "---\ntitle: >\n  folded\n  text\nprogress: 1%\n---\n";
    assert.equal(
      edited(block, { type: "setTitle", title: "x" }),
      '---\ntitle: "x"\nprogress: 1%\n---\n',
    );
  });

  it("[R-JIXO-22] [R-JIXO-32] puts an entry before all others, and makes its section where there is none", () => {
    const add = { type: "addEntry", entry } as const;
    const before = "### Log 2 @importer";
    assert.equal(edited(plain, add), withPart(plain, before, entryText + before));
    const first = entryText.replace("Log 3", "Log 1").trimEnd();
    const fresh = sample("noFrontMatter.log.md");
    assert.equal(edited(fresh, add), `${fresh}\n${first}\n`);
    assert.equal(
      edited(sample("checklistOnly.log.md"), add),
      `${sample("checklistOnly.log.md")}\n\n## Work Log\n\n${first}`,
    );
    assert.equal(edited("", add), `## Work Log\n\n${first}\n`);
    const chinese = edited("## 工作计划\n\n- [ ] 1. 走\n", add);
    assert.equal(chinese, `## 工作计划\n\n- [ ] 1. 走\n\n## 工作日志\n\n${first}\n`);
    const empty = "## 工作计划\n\n- [ ] 1. 走\n\n## 工作日志\n";
    assert.equal(edited(empty, add), `${empty}\n${first}\n`);
    const none = edited(sample("noHeadings.log.md"), add);
    assert.ok(none.includes(`Pending\n\n## Work Log\n\n${entryText}- **Role**: Runner\n`), none);
    const loose = sample("forRunner.log.md").replace("## Work Log\n\n", "");
    const other = "### Log-11";
    assert.equal(
      edited(loose, add),
      withPart(loose, other, entryText.replace("Log 3", "Log 12") + other),
    );
  });

  it("[R-JIXO-22] lets no summary pass for anything but a summary", () => {
    const summary =
      "---\n\n## Roadmap\n- [x] 9. Mine\n  - status: Completed\n### Log 9 @x (y)\n- **Result**: Succeeded\n```\n<!--\n---";
    const after = editJobLog(
      readJobLog(plain),
      [{ type: "addEntry", entry: { ...entry, summary } }],
      2,
    );
    assert.equal(after.entries.length, 3);
    assert.equal(after.tasks.length, 3);
    assert.equal(after.entries[0]?.fields.get("summary")?.value, summary);
    assert.equal(after.entries[0].result, "Failed");
  });

  it("[R-JIXO-28] [R-JIXO-32] adds what a planner plans: to the roadmap, to a phase, or as the first plan", () => {
    const items = [
      {
        text: "**Phase 2: Walls**",
        children: [{ text: "2.1. Lay bricks" }, { text: "2.2. Wait" }],
      },
      { text: "3. Paint" },
    ];
    const planned = `- [ ] **Phase 2: Walls**
  - [ ] 2.1. Lay bricks
    - status: Pending
  - [ ] 2.2. Wait
    - status: Pending
- [ ] 3. Paint
  - status: Pending
`;
    const add = { type: "addItems", items } as const;
    const end = "- status: Pending\n";
    assert.equal(edited(plain, add), withPart(plain, end, end + planned));
    const first = sample("placeholder.log.md");
    assert.equal(edited(first, add), withPart(first, "## Roadmap\n", `## Roadmap\n\n${planned}`));
    assert.equal(edited("", add), `## Roadmap\n\n${planned}`);
    assert.equal(edited("## 工作日志\n", add), `## 工作计划\n\n${planned}\n## 工作日志\n`);
    const chinese = "## 工作计划\n\n## 工作日志\n";
    assert.equal(edited(chinese, add), `## 工作计划\n\n${planned}\n## 工作日志\n`);
    const phase = "**Phase 1: Ground**";
    const task = { text: "1.4.  Look\nagain" };
    assert.equal(
      edited(plain, { type: "addItems", phase, items: [task] }),
      withPart(plain, end, `${end}  - [ ] 1.4. Look again\n    - status: Pending\n`),
    );
  });

  it("[R-JIXO-28] replaces what is not begun, or has failed, and nothing else", () => {
    const items = [{ text: "1.3a. Half" }, { text: "1.3b. Other half" }];
    const part = "  - [ ] 1.3. Move the writer\n    - status: Pending\n";
    assert.equal(
      edited(plain, { type: "replaceItem", item: "1.3", items }),
      withPart(
        plain,
        part,
        "  - [ ] 1.3a. Half\n    - status: Pending\n  - [ ] 1.3b. Other half\n    - status: Pending\n",
      ),
    );
    assert.equal(
      edited(plain, { type: "replaceItem", item: "1.3", items: [] }),
      withPart(plain, part, ""),
    );
    for (const item of ["1.1", "1.2", "**Phase 1: Ground**"]) {
      assert.throws(() => edited(plain, { type: "replaceItem", item, items }), {
        code: "taskKept",
      });
    }
    const single = "## Roadmap\n- [ ] A\n  - [ ] 1. One\n";
    assert.throws(() => edited(single, { type: "replaceItem", item: "1", items: [] }), {
      code: "lastOfPhase",
      params: { id: "1" },
    });
    assert.equal(edited(single, { type: "replaceItem", item: "A", items: [] }), "## Roadmap\n");
    const begun = "- [ ] A\n  - [x] 1. One\n  - [ ] 2. Two\n";
    assert.equal(
      edited(begun, { type: "replaceItem", item: "2", items: [] }),
      "- [x] A\n  - [x] 1. One\n",
    );
    const torn = sample("checklistOnly.log.md");
    const label = {
      type: "replaceItem",
      item: "Label the parcels",
      items: [{ text: "Tag" }],
    } as const;
    assert.equal(edited(torn, label), "- [ ] Weigh the parcels\n- [ ] Tag\n  - status: Pending");
  });

  it("refuses what it cannot do, and says so", () => {
    const refused = (
      text: string,
      edit: LogEdit,
      code: string,
      params: UserError["params"] = {},
    ) => {
      assert.throws(
        () => edited(text, edit),
        (error) => {
          assert.ok(error instanceof UserError, String(error));
          assert.deepEqual([error.code, error.params], [code, params]);
          return true;
        },
      );
    };
    refused(plain, { type: "lock", task: "7", runner: "r" }, "roadmapTaskUnknown", { id: "7" });
    refused(plain, { type: "addItems", phase: "1.1", items: [{ text: "x" }] }, "phaseUnknown", {
      id: "1.1",
    });
    refused(plain, { type: "replaceItem", item: "7", items: [] }, "roadmapItemUnknown", {
      id: "7",
    });
    refused(plain, { type: "addItems", items: [{ text: " \n" }] }, "itemTextEmpty");
    refused(plain, { type: "lock", task: "1.3", runner: "a\n# b" }, "logUneditable");
    refused(
      sample("mistakes.log.md"),
      { type: "lock", task: "1.1 (2)", runner: "r" },
      "taskStatusRefused",
      { id: "1.1 (2)", now: "Doing", status: "Locked" },
    );
    for (const name of ["brokenYaml.log.md", "openFrontMatter.log.md"]) {
      refused(sample(name), { type: "setTitle", title: "x" }, "frontMatterUneditable");
    }
    refused("---\n{title: x}\n---\n", { type: "updateProgress" }, "frontMatterUneditable");
  });
});
