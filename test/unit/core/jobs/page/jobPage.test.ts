import assert from "node:assert/strict";
import fc from "fast-check";
import { jobPage } from "../../../../../src/core/jobs/page/jobPage.js";
import { shellWord } from "../../../../../src/core/text/shellWord.js";
import { english } from "../../../../../src/core/text/translator.js";
import { golden } from "../../../../fakes/golden.js";
import {
  factsOf,
  liveRunner,
  logText,
  nightOfWork,
  type WrittenEntry,
} from "../../../../fakes/nightOfWork.js";
import { readPage } from "../../../../fakes/readPage.js";
import { tries } from "../../../../fakes/tries.js";

const options = {
  zone: "UTC",
  commandOf: (words: readonly string[]) =>
    ["rooroo", ...words.map((word) => shellWord(word, false))].join(" "),
  language: "en",
  t: english,
};
const tags =
  "html head meta title style body main header p span h1 h2 div dl dt dd small section ul li b svg path rect g a i br details summary table thead tbody tr th td code footer";
const attributes =
  /^(lang|charset|http-equiv|content|name|id|class|dir|role|aria-label|aria-hidden|style|viewBox|preserveAspectRatio|width|height|x|y|d|transform|href|tabindex|scope|colspan|title)$/;

/** Asserts that a page has nothing but what we write, that it is valid, and loads and runs nothing. */
function assertPlain(html: string) {
  const page = readPage(html);
  assert.deepEqual(page.problems, []);
  const others = [...page.tags].filter((tag) => !tags.split(" ").includes(tag));
  assert.deepEqual(others, []);
  assert.deepEqual(
    [...page.attributes].filter((name) => !attributes.test(name)),
    [],
  );
  for (const href of page.attribute("a", "href")) assert.match(href ?? "", /^#t\d+$/);
  for (const style of ["div", "span", "a", "i"].flatMap((tag) => page.attribute(tag, "style"))) {
    assert.match(style ?? "width:0px", /^((height|margin-top|width|left):[\d.]+(px|%);?)+$/);
  }
  for (const id of page.attribute("tr", "id")) assert.match(id ?? "t0", /^t\d+$/);
  return page;
}

describe("the page of a job", () => {
  it("tells a night", async () => {
    const html = jobPage(nightOfWork().facts, options);
    await golden("jobs/night.html", html);
    const page = assertPlain(html);
    assert.deepEqual(page.texts("h1"), ["A trip"]);
    assert.deepEqual(page.texts("h2"), ["In the way", "Over time", "Tasks"]);
    assert.deepEqual(page.texts("dd"), [
      "5 of 10",
      "123",
      "914k",
      "$2.74 of $5.00",
      "2 h 14 min",
      "≥ 12 +152 −24",
    ]);
    const codes = page.texts("code");
    assert.deepEqual(codes.slice(0, 3), [
      'rooroo answer Q-1 "…"',
      "rooroo job changes trip 1.1",
      "rooroo job undo trip 1.1",
    ]);
    assert.equal(
      page.attribute("meta", "content")[1],
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    );
    const bars = ["a", "i"].flatMap((tag) => page.attribute(tag, "title"));
    // A bar for each lifecycle, and for who cannot see them a row of the table.
    assert.equal(bars.filter((text) => / \d\d:\d\d/.test(text ?? "")).length, 11);
    assert.match(
      html,
      /All boats are rented until May\.[^]*Which harbour|Which harbour[^]*All boats/,
    );
  });

  it("is a page also of a job without a log, without times, and of one that is done", () => {
    const none = readPage(jobPage(factsOf("").facts, options));
    assert.deepEqual(none.problems, []);
    assert.deepEqual(none.texts("h1"), ["trip"]);
    const done = "- [x] 1. Go\n  - status: Completed";
    const untimed = factsOf(logText([done], [{ time: "some day", objective: "Task 1. Go" }]));
    const page = assertPlain(jobPage(untimed.facts, options));
    assert.ok(page.texts("p").includes("The log has no times that can be read."));
    assert.ok(page.texts("p").includes("Nothing needs you."));
  });

  it("cuts the days between nights short, and says which day it was", () => {
    const tasks = ["1", "2"].map((id) => `- [x] ${id}. Go\n  - status: Completed`);
    const entries = ["2026-01-01T22:00:00.000Z", "2026-01-02T22:00:00.000Z"].map((time, at) => ({
      time,
      objective: `Task ${at + 1}. Go`,
      usage: "4 h 0 min, 1 request, 5 tokens",
    }));
    const nights = assertPlain(jobPage(factsOf(logText(tasks, entries)).facts, options));
    const days = nights.texts("span").filter((text) => /^\d\d:00\d+ Jan$/.test(text));
    assert.deepEqual(days, ["22:001 Jan", "00:002 Jan", "00:003 Jan"]);
    assert.ok(nights.texts("li").includes("idle, cut short"));
    const one = assertPlain(jobPage(nightOfWork().facts, options));
    assert.ok(!one.texts("span").some((text) => text.endsWith("Jan")));
  });

  it("shows what it was given and nothing else, whatever models and people write", () => {
    const sly = fc.constantFrom(
      "<script>alert(1)</script>",
      "</title><script>",
      "</style><script>",
      '"><img src=x onerror=alert(1)>',
      "'><svg onload=alert(1)>",
      "</summary></details></table>",
      "<!--",
      "-->",
      "]]>",
      "&lt;&#x3c;",
      "javascript:alert(1)",
      "url(https://evil.test)",
      "#t1",
      "$(id)",
      "`id`",
      "\u202e",
      "\u2028",
      "\0",
      "\uD800",
      "\u{FFFFE}",
      "constructor",
      "__proto__",
      "- [ ] 9. x",
    );
    const text = fc
      .array(fc.oneof(sly, fc.string({ unit: "binary", maxLength: 8 })), {
        minLength: 1,
        maxLength: 4,
      })
      .map((parts) => parts.join(" ").replace(/[\r\n]+/g, " "));
    fc.assert(
      fc.property(text, text, text, text, text, text, (title, task, summary, id, usage, name) => {
        const tasks = [
          `- [ ] 1. ${task}\n  - status: Failed\n  - waits for: ${id}\n- [ ] ${task}\n  - status: ${usage}`,
          `- [ ] 2. ${title}\n  - [ ] 2.1. ${task}\n    - status: Pending\n    - waits for: ${id}`,
        ];
        const entries: WrittenEntry[] = ["Failed", "Pending", "Succeeded", usage].map(
          (result, at) => ({
            time: at === 3 ? usage : `2026-01-02T03:0${at}:00.000Z`,
            objective: at === 2 ? summary : `Task 1. ${task}`,
            result,
            role: at === 2 ? "Planner" : "Runner",
            reason: at === 1 ? "blocked" : usage,
            changes: at === 0 ? `1 file (+1 −1): ${summary}` : summary,
            usage: at === 0 ? `1 min 0 s, 1 request, 5 tokens, $0.1000, ${usage}` : usage,
            session: at === 0 ? "ROO#JOB_1" : usage,
            check: id,
            review: summary,
            summary,
          }),
        );
        const asked = `\n---\n### JIXO: CLARIFICATION REQUEST\n**ID**: ${id}\n**To User**: ${summary}\n\n**Question**:\n- ${summary}\n\n**Response**:\n- <!-- here -->\n---\n`;
        const job = `---\nname: ${JSON.stringify(name)}\n---\nGo.\n${asked}`;
        const notes = [`spent: ${JSON.stringify(usage)}`, `budget: ${JSON.stringify(usage)}`];
        const live = [{ ...liveRunner(task, "2026-01-02T06:00:00.000Z"), objective: summary }];
        const { facts } = factsOf(logText(tasks, entries, notes, title), { job, live });
        const page = assertPlain(jobPage(facts, options));
        assert.doesNotMatch(page.texts("main").join(), /[\u202e\u2028\0]/);
      }),
      { numRuns: tries(200) },
    );
  });

  it("is made fast and stays small: 200 tasks with 1,000 entries", () => {
    const tasks = Array.from({ length: 200 }, (_, at) => {
      const status = at % 9 === 0 ? "Failed" : "Completed";
      return `- [x] ${at + 1}. Move the reader of format ${at + 1} to the new tokenizer\n  - status: ${status}`;
    });
    const summary = `Done as planned; npm test passes with 212 tests. ${"The rest is in the notes. ".repeat(30)}`;
    const entries = Array.from({ length: 1_000 }, (_, at): WrittenEntry => {
      const time = new Date(Date.UTC(2026, 0, 1, 20) + Math.floor(at / 3) * 120_000).toISOString();
      const number = (at % 200) + 1;
      return {
        time,
        objective: `Task ${number}. Move the reader of format ${number} to the new tokenizer`,
        result: at % 5 === 0 ? "Pending" : "Succeeded",
        ...(at % 5 === 0 ? { reason: "out of turns" } : {}),
        changes: `2 files (+40 −3): src/readers/format${number}.ts, test/format${number}.test.ts`,
        usage: "1 min 50 s, 14 requests, 44,300 tokens, $0.1234",
        session: `ROO#JOB_${at}`,
        summary,
      };
    });
    const { facts } = factsOf(logText(tasks, entries));
    assert.deepEqual([facts.tasks.length, facts.lifecycles.length], [200, 1_000]);
    const html = jobPage(facts, options);
    assert.ok(html.length < 500_000, `${html.length} characters`);
    assert.equal(assertPlain(html).attribute("tr", "id").filter(Boolean).length, 200);
  });

  it("leaves out what would make it endless, and says so", () => {
    const tasks = Array.from(
      { length: 600 },
      (_, at) => `- [ ] ${at + 1}. Go\n  - status: Pending`,
    );
    const entries = Array.from({ length: 1_200 }, (_, at) => ({
      time: new Date(Date.UTC(2026, 0, 1) + at * 60_000).toISOString(),
      objective: `Task ${(at % 600) + 1}. Go`,
      usage: "50 s, 1 request, 1 token",
    }));
    const { texts } = readPage(jobPage(factsOf(logText(tasks, entries)).facts, options));
    assert.ok(texts("p").includes("100 more tasks are in the log."));
    assert.ok(texts("p").includes("200 earlier turns are only in the log."));
  });
});
