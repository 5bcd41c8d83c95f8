import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { golden } from "../../../fakes/golden.js";
import { RunStage } from "../../../fakes/runStage.js";

describe("what agents of runs are told", () => {
  it("is as in the golden file, with its tokens, once for each way to be called", async () => {
    const shown = new Map<string, string>();
    const stage = new RunStage(
      { "assets/notes.md": "# Notes\n", "guidelines/mcp_list.md": "# Survey\n" },
      (unit, { messages, tools }) => {
        // Another phase or stage is asked for in the same way.
        const way = unit.replace(/P\d.*$/, "");
        if (shown.has(way)) return undefined;
        const isFirst = ![...shown.keys()].some((one) => one.split(" ")[0] === way.split(" ")[0]);
        const [system = "", user = ""] = messages.map(({ content }) => content);
        const ending = JSON.stringify(tools.at(-1));
        const names = tools.map(({ name }) => name).join(" ");
        const tokens = encode(system + JSON.stringify(tools)).length;
        const once = isFirst
          ? `[system and tools: ${tokens} tokens]\n${system}\n\n${names}\n\n`
          : "";
        const own = `[user: ${encode(user).length} tokens]\n${user}\n\n${ending}`;
        shown.set(way, `### ${way}\n\n${once}${own}\n`);
        return undefined;
      },
    );
    const run = await stage.start("Write a report");
    await stage.drive(run);
    await stage.decide(run, { type: "CONFIRM" });
    await golden("prompts/rooroo-runs.txt", [...shown.values()].join("\n"));
  });
});
