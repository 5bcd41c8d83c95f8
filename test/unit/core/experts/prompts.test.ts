import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { definitionOf } from "../../../../src/core/agent/toolDefinition.js";
import { builtInModes } from "../../../../src/core/experts/builtInModes.js";
import { Modes } from "../../../../src/core/experts/modes.js";
import { completionTool } from "../../../../src/core/experts/report.js";
import { systemPrompt } from "../../../../src/core/experts/systemPrompt.js";
import { workspaceTools } from "../../../../src/core/tools/workspaceTools.js";
import { golden } from "../../../fakes/golden.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { PlainPatterns } from "../../../fakes/plainPatterns.js";
import { NavigatorStage, triages } from "../../../fakes/navigatorWorld.js";

/** Prompt, tools and their tokens (o200k_base), so that a change of any of them is seen. */
function shown(system: string, tools: readonly object[]): string {
  const json = tools.map((tool) => JSON.stringify(tool)).join("\n");
  const tokens = encode(system).length + encode(json).length;
  return `${tokens} tokens\n\n${system}\n\n${json}\n`;
}

describe("what models are told", () => {
  for (const mode of builtInModes.values()) {
    it(`${mode.slug}: prompt and tools are as in the golden file`, async () => {
      const { assignable } = new Modes(new MemoryFileSystem(), new PlainPatterns());
      const system = systemPrompt(mode, { shell: "bash on linux", assignable, instructions: "" });
      const named = mode.tools.map((name) => workspaceTools.find((tool) => tool.name === name)!);
      const tools = [...named, completionTool(mode.slug === "rooroo-planner")];
      await golden(`prompts/${mode.slug}.txt`, shown(system, tools.map(definitionOf)));
    });
  }

  it("rooroo-navigator: a whole triage request is as in the golden file", async () => {
    const stage = new NavigatorStage([triages({ route: "acknowledge" })], {
      files: { "package.json": "{}", "src/cart.js": "", "test/cart.test.js": "" },
    });
    await stage.navigator.say("Fix the failing test");
    const { messages, tools } = stage.model.requests[0]!;
    const text = messages.map(({ role, content }) => `[${role}]\n${content}`).join("\n\n");
    await golden("prompts/rooroo-navigator.txt", shown(text, tools));
  });
});
