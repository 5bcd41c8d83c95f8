import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { golden } from "../fakes/golden.js";
import type { HttpModelRequest, HttpReply } from "../fakes/httpModel.js";
import { calls } from "../fakes/navigatorWorld.js";
import { runReply, taskOf } from "../fakes/runPlays.js";
import { closeStages, Stage } from "./stage.js";

const assets = {
  "multiverse/assets/hives.csv": "city,hives\nOslo,120\nRome,340\nBern,60\n",
  "multiverse/assets/notes.md": "# Notes\n\nBees like cities.\n",
  "multiverse/guidelines/style.md": "# Style\n\nShort words.\n",
  "multiverse/guidelines/mcp_list.md":
    "# Survey\n\nA survey is three steps: search the web for what others counted, note what is missing, then count.\n",
};

const completes = (args: object) => calls("attempt_completion", { status: "SUCCESS", ...args });

/** Returns what is not as all runs have it: a survey before the count, and a chart after it. */
function plays({ messages, results, tools }: HttpModelRequest): HttpReply {
  const message = messages[1]?.content ?? "";
  const told = taskOf(message);
  const output = /^Write its output to: (\S+?)(?:,.*)?$/m.exec(told)?.[1] ?? "";
  const done = results.map(({ content }) => content);
  if (tools[0] === "judge_request") return calls("judge_request", { is_single_command: false });
  if (told.startsWith("Propose") && message.includes("I1 [format]")) {
    const words = message.includes("Five pages") ? "Five" : "Four";
    const rule = { instruction_type: "format", content: `${words} pages at most` };
    return completes({
      summary: "The report is made anew.",
      instructions: [{ ...rule, supersedes: ["I1"], justification: "You want more room." }],
    });
  }
  if (told.startsWith("Plan the tasks") && told.includes("in the phase ANALYZING,")) {
    const task = { task_name: "Count the hives", task_purpose: "Say how many hives there are" };
    const survey = { pre_tool_purpose: "A survey of what others have counted" };
    const files = { related_references: ["multiverse/assets/hives.csv"], output_path: "count.md" };
    return completes({ tasks: [{ ...task, ...survey, ...files }] });
  }
  if (told.startsWith("Plan what helps one task before")) {
    assert.match(message, /A survey is three steps/);
    const search = { tool_type: "Web Search", tool_task_name: "What others counted" };
    const note = { tool_type: "Notes", tool_task_name: "What is missing" };
    return completes({
      tool_tasks: [
        { ...search, tool_task_purpose: "Find counts of hives in cities" },
        { ...note, tool_task_purpose: "Say what nobody has counted" },
      ],
    });
  }
  if (told.startsWith("Plan what helps one task now")) {
    const draw = { tool_type: "Data Visualization", tool_task_name: "Hives by city" };
    return completes({ tool_tasks: [{ ...draw, tool_task_purpose: "Show the hives by city" }] });
  }
  if (output.endsWith("PRE1.md") || told.includes("What others counted (Web Search)")) {
    if (done.length === 0) return calls("google_web_search", { query: "hives in cities" });
    const found = /https?:\/\/\S+count/.exec(done[0] ?? "")?.[0] ?? "nothing";
    const path = output.endsWith(".md") ? output : `${output}.md`;
    if (done.length === 1) return calls("write_file", { path, content: `Source: ${found}\n` });
    return completes({ summary: "One count" });
  }
  if (told.includes("Hives by city (Data Visualization)")) {
    const chart = { title: "Rome has most hives", description: "Hives by city.", mark: "bar" };
    const x = { field: "city", type: "nominal" };
    const y = { field: "hives", type: "quantitative" };
    const file = "multiverse/assets/hives.csv";
    if (done.length === 0) return calls("draw_chart", { path: output, ...chart, x, y, file });
    return completes({ summary: "Hives by city" });
  }
  if (output.endsWith("/count.md")) {
    if (done.length === 0) return calls("read_file", { path: "multiverse/assets/hives.csv" });
    const sum = [...(done[0] ?? "").matchAll(/,(\d+)/g)].reduce(
      (all, [, one]) => all + Number(one),
      0,
    );
    const content = `# Hives\n\nThere are ${sum}.\n`;
    if (done.length === 1) return calls("write_file", { path: output, content });
    const post = { post_tool_required: true, post_tool_purpose: "Show them" };
    return completes({ summary: "All hives", ...post });
  }
  return runReply(message, done);
}

describe("a whole run", () => {
  let web: Server;
  before(async () => {
    web = createServer((_request, response) => {
      const hit = { title: "Hives", url: "https://example.org/count", content: "Many hives." };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ results: [hit] }));
    });
    await new Promise<void>((started) => web.listen(0, "127.0.0.1", started));
  });
  after(() => {
    web.closeAllConnections();
    web.close();
  });
  afterEach(closeStages);

  it("[R-MV-6] [R-MV-12] [R-MV-19] [R-MV-21] [R-MV-33] [R-MV-34] has a survey made before, a chart drawn after, and is learnt from by the next", async () => {
    const stage = await Stage.open(plays, assets, {
      ROOROO_SEARCH_PROVIDER: "searxng",
      ROOROO_SEARCH_ADDRESS: `http://127.0.0.1:${(web.address() as AddressInfo).port}`,
    });
    const begun = await stage.runAll("run", "start", "Report how many hives the cities have");
    assert.equal(begun.code, 2, begun.stderr);
    const confirmed = await stage.runAll("run", "confirm");
    assert.equal(confirmed.code, 0, confirmed.stderr);
    const [run = ""] = await stage.list("multiverse/outputs");
    const own = `multiverse/runs/${run}`;
    const plain = (text: string) => text.replaceAll(run, "RUN");
    const tables = ["tasks", "tool_tasks", "major_stages", "phases"];
    const texts = await Promise.all(tables.map((name) => stage.read(`${own}/db/${name}.md`)));
    const catalog = await stage.read("multiverse/db/knowledge_base_catalog.md");
    await golden("runs/wholeRun.md", plain([...texts, catalog].join("\n")));
    const tools = `${own}/workspace/ANALYZING/tools`;
    const made = await stage.list(tools);
    const [chart = "", search = ""] = ["POST1", "PRE1"].map((id) =>
      made.find((name) => name.includes(id)),
    );
    assert.match(await stage.read(`${tools}/${search}`), /Source: https:\/\/example\.org\/count/);
    assert.match(await stage.read(`${own}/workspace/ANALYZING/count.md`), /There are 520\./);
    const page = await stage.read(`${tools}/${chart}`);
    assert.match(page, /<svg[^]*Rome[^]*340/);
    assert.doesNotMatch(page, /<script/);

    // Like the first: it is told of it, and its rule takes the other's place; twice it is changed.
    const again = await stage.runAll("run", "start", "Report how many hives the cities have now");
    assert.match(again.stdout, /begins \(CONTINUOUS_RUN\)[^]*Four pages at most/);
    const [next = ""] = /run-[\d-]+/.exec(again.stdout) ?? [];
    for (const words of ["Five pages, please", "And short ones"]) {
      const changed = await stage.runAll("run", "modify", next, words);
      assert.equal(changed.code, 2, changed.stderr);
    }
    const told = stage.model.requests.map(({ messages }) => messages[1]?.content ?? "");
    assert.ok(told.some((text) => text.includes("<task>\nPropose") && text.includes(run)));
    assert.equal((await stage.runAll("run", "confirm")).code, 0);
    const rules = await stage.read("multiverse/db/user_instructions.md");
    assert.match(rules, /\| I1 \|[^\n]*\| SUPERSEDED \| I2 \|/);
    assert.match(rules, /\| I2 \|[^\n]*Five pages at most \| ACTIVE \|/);

    assert.equal((await stage.runAll("run", "start", "Report on wasps")).code, 2);
    assert.equal((await stage.runAll("run", "cancel")).code, 0);
    const listed = await stage.run("run", "list");
    assert.deepEqual(listed.stdout.match(/COMPLETED|CANCELLED|FAILED/g), [
      "COMPLETED",
      "COMPLETED",
      "CANCELLED",
    ]);
    const check = await stage.run(
      "validate",
      "run-tables",
      `${own}/db/tasks.md`,
      `${own}/db/tool_tasks.md`,
    );
    assert.equal(check.code, 0, check.stdout);
  });
});
