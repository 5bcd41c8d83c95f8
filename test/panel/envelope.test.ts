import { strict as assert } from "node:assert";
import type { Page } from "playwright-core";
import { inEnvelopes, refusesTools } from "../cli/inEnvelopes.js";
import { notes, plans, plays, settled, type ExpertRequest } from "../cli/script.js";
import { HttpModel, type HttpReply, type HttpScript } from "../fakes/httpModel.js";
import { asks, calls, completes } from "../fakes/navigatorWorld.js";
import { until } from "./extensionStage.js";
import { PanelStage } from "./panelStage.js";

const weak = "no-tools";
const source = "src/invoice.js";

/** Holds the first note back until it has been stopped. */
class Gate {
  private open: () => void = () => undefined;
  private held: Promise<unknown> = Promise.resolve();

  close(): void {
    this.held = new Promise<void>((resolve) => (this.open = resolve));
  }
  lift(): void {
    this.open();
  }
  passed(): Promise<unknown> {
    return this.held;
  }
}

function mend(request: ExpertRequest): HttpReply {
  switch (settled(request)) {
    case 0:
      return {
        text: "I run the **tests**.",
        ...calls("execute_command", { command: "node --test" }),
      };
    case 1:
      return calls("edit_file", {
        path: source,
        old_text: "percentOf(subtotal, taxPercent)",
        new_text: "percentOf(subtotal - discount, taxPercent)",
      });
    case 2:
      return calls("execute_command", { command: "node --test" });
    default: {
      const passed = request.results[2]?.content.startsWith("Exit code 0") === true;
      const outcome = passed ? "All tests pass." : "They still fail.";
      return completes({ status: passed ? "Done" : "Failed", message: outcome });
    }
  }
}

function inkedNote(request: ExpertRequest): HttpReply {
  if (settled(request) === 0) return asks("Which ink for the second?", ["Blue", "Black"]);
  const { taskId, results } = request;
  const path = `.rooroo/tasks/${taskId}/notes.md`;
  return settled(request) === 1
    ? calls("write_to_file", { path, content: `${results[0]?.content ?? ""} ink\n` })
    : completes({ message: "Two: noted.", output_artifact_paths: [path] });
}

/** Returns the whole main job: a direct task, a plan of three, a stop and a question on the way. */
function mainJob(gate: Gate): HttpScript {
  return plays(
    { route: "direct", expert: "rooroo-developer", goal: "Make the failing test pass" },
    {
      "rooroo-planner": plans("One", "Two", "Three"),
      "rooroo-developer": async (request) => {
        if (request.goal === "One") await gate.passed();
        if (request.goal === "Two") return inkedNote(request);
        return ["One", "Three"].includes(request.goal) ? notes(request) : mend(request);
      },
    },
  );
}

describe("the main job without tool calling", () => {
  let stage: PanelStage;
  let panel: Page;
  let model: HttpModel;
  const gate = new Gate();
  /** What the workspace holds when the job is done through native calls. */
  let native: ReadonlyMap<string, string>;

  before(async () => {
    const job = mainJob(gate);
    const inText = refusesTools(inEnvelopes(job));
    model = await HttpModel.start((request, index) =>
      (request.model === weak ? inText : job)(request, index),
    );
    stage = await PanelStage.open({
      settings: { "rooroo.approvals.preset": "all", "rooroo.model.baseUrl": model.url },
    });
    panel = await stage.panel();
  });
  after(async () => {
    gate.lift();
    await stage.close();
    await model.stop();
  });
  afterEach(async function () {
    await stage.screenshotIfFailed(this.currentTest);
  });

  /** Does the job as a person does it in the panel, and answers with what came of it. */
  async function doJob(): Promise<ReadonlyMap<string, string>> {
    const before = new Set(await stage.list(".rooroo/tasks"));
    const plansBefore = new Set(await stage.list(".rooroo/plans"));
    await stage.say(panel, "Make the failing test pass");
    await stage.report(panel, "All tests pass.").last().waitFor();
    await stage.atRest(panel);

    gate.close();
    await stage.say(panel, "/plan Write three notes");
    await stage.row(/^Running, One/);
    await panel.getByRole("button", { name: "Stop", exact: true }).click();
    await stage.report(panel, "Stopped").last().waitFor();
    await stage.atRest(panel);
    gate.lift();
    await panel.locator(".strip").getByRole("button", { name: "Proceed" }).click();
    await panel.getByRole("button", { name: "Blue", exact: true }).waitFor();
    await panel.getByRole("button", { name: "Blue", exact: true }).click();
    await stage.notice(panel, /The task is done\.|All tasks in the queue are done\./).waitFor();
    await stage.atRest(panel);

    const made = new Map<string, string>();
    for (const folder of ["src", "test"]) {
      for (const name of await stage.list(folder)) {
        made.set(`${folder}/${name}`, await stage.read(`${folder}/${name}`));
      }
    }
    // Ids of one second have no order; what the tasks are about has.
    const about = async (id: string) => {
      const path = `.rooroo/tasks/${id}/context.md`;
      return {
        id,
        text: stage.has(path) ? (await stage.read(path)).replaceAll(idPattern, "") : "",
      };
    };
    const added = (await stage.list(".rooroo/tasks")).filter((id) => !before.has(id));
    const tasks = await Promise.all(added.map(about));
    const ids = tasks.sort((a, b) => a.text.localeCompare(b.text)).map(({ id }) => id);
    const plain = withoutIds();
    for (const id of ids) {
      for (const name of ["context.md", "notes.md"]) {
        const path = `.rooroo/tasks/${id}/${name}`;
        if (stage.has(path)) made.set(plain(path), plain(await stage.read(path)));
      }
    }
    for (const name of await stage.list(".rooroo/plans")) {
      if (plansBefore.has(name)) continue;
      made.set(plain(name), plain(await stage.read(`.rooroo/plans/${name}`)));
    }
    made.set("queue.jsonl", await stage.read(".rooroo/queue.jsonl"));
    return made;
  }

  it("is done through native calls", async () => {
    const original = await stage.read(source);
    native = await doJob();
    assert.notEqual(native.get(source), original);
    const written = [...native].filter(([path]) => path.endsWith("notes.md"));
    const texts = written.map(([, text]) => text).sort();
    assert.deepEqual(texts, ["Blue ink\n", "One\n", "Three\n"]);
    await stage.write(source, original);
  });

  it("is done in envelopes, with the same files to the byte, and no JSON is shown", async () => {
    await panel.getByRole("button", { name: /^Model: gpt-test/ }).click();
    const list = await until(() => stage.person.quickPick, "a list is open");
    list.value = weak;
    list.choose(RegExp(`Use “${weak}”`));
    await panel.getByRole("button", { name: /^Model: no-tools/ }).waitFor();
    // Whatever is shown for a moment only is seen, too.
    await panel.evaluate(() => {
      const seen = ((globalThis as unknown as { seenJson: string[] }).seenJson = [] as string[]);
      new MutationObserver(() => {
        const text = document.body.innerText;
        if (/"(plan|command|message)"|observation_for_llm/.test(text)) seen.push(text);
      }).observe(document.body, { childList: true, subtree: true, characterData: true });
    });
    const asked = model.requests.length;
    const made = await doJob();
    assert.deepEqual([...made.keys()], [...native.keys()]);
    for (const [path, text] of native) assert.equal(made.get(path), text, path);
    const seen = await panel.evaluate(
      () => (globalThis as unknown as { seenJson: string[] }).seenJson,
    );
    assert.deepEqual(seen, []);
    const conversation = await stage.conversations();
    const told = conversation.split("\n").filter((line) => line.includes("has no tool calling"));
    assert.equal(told.length, 1, "it is said once");
    assert.match(conversation, /"type":"checklist"/);
    const withTools = model.requests.slice(asked).filter(({ tools }) => tools.length > 0);
    assert.equal(withTools.length, 1);
  });
});

const idPattern = /ROO(?:#|%23)[A-Z]+_\w+/g;

/** Ids and times differ from job to job; which is named where does not. */
function withoutIds(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) =>
    text
      .replace(idPattern, (id) => {
        if (!known.has(id)) known.set(id, `ID${known.size}`);
        return known.get(id) ?? "";
      })
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}
