import assert from "node:assert/strict";
import { calls, completes, NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";

const direct = triages({ route: "direct", expert: "rooroo-developer", goal: "Read it all" });
const files = { "a.txt": "line of text\n".repeat(300) };

/** Reads part after part, so often; a request without tools is one for a summary. */
function reader(times: number) {
  let read = 0;
  return (request: { tools: readonly { name: string }[] }) => {
    if (request.tools[0]?.name === "triage") return direct;
    if (request.tools.length === 0) return { text: `Read ${read} parts.` };
    if (read++ < times) {
      return calls("read_file", { path: "a.txt", start_line: (read % 250) + 1, end_line: 300 });
    }
    return completes();
  };
}

describe("a long task", () => {
  it("stays within the model's window, and says in the conversation that it was summarised", async () => {
    const stage = new NavigatorStage(reader(60), { files, turns: 100, contextTokens: 12_000 });
    const { status } = await stage.navigator.say("Read it all");
    assert.equal(status, "done");
    const sizes = stage.model.requests.map(({ messages }) => JSON.stringify(messages).length);
    assert.ok(Math.max(...sizes) < 12_000 * 3.5, String(Math.max(...sizes)));
    const summaries = stage.events.filter(
      (event) => event.type === "agent" && event.event.type === "summarised",
    );
    assert.ok(summaries.length > 1);
    const transcript = stage.files.text(`.rooroo/tasks/${stage.started[0] ?? ""}/transcript.jsonl`);
    assert.equal(transcript?.match(/"type":"result"/g)?.length, 61);
  });

  it("that goes round in circles ends with a report, and can be resumed", async () => {
    const stage = new NavigatorStage(
      (request) =>
        request.tools[0]?.name === "triage" ? direct : calls("read_file", { path: "a.txt" }),
      { files },
    );
    const { status } = await stage.navigator.say("Read it all");
    assert.equal(status, "failed");
    assert.match(stage.ends[0] ?? "", /^Failed: It went round in circles.*read_file.*5 times/);
    const told = JSON.stringify(stage.model.requests.at(-1)?.messages);
    assert.match(told, /same result 4 times now/);
    assert.equal(stage.model.requests.length, 6);
    await stage.navigator.resume(stage.started[0] ?? "");
    assert.equal(stage.model.requests.length, 11);
  });
});
