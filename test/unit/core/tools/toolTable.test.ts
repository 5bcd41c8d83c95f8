import assert from "node:assert/strict";
import { commandTools } from "../../../../src/core/envelope/commandTools.js";
import { runFunctions } from "../../../../src/core/runs/work/functions/runFunctions.js";
import { findToolsName, useToolName } from "../../../../src/core/tools/foundTools.js";
import { toolEntry, toolGroups, toolsOf } from "../../../../src/core/tools/toolTable.js";
import { everyTool } from "../../../../src/core/tools/workspaceTools.js";
import { PlainPatterns } from "../../../fakes/plainPatterns.js";

describe("the table of tools", () => {
  it("has every tool of an agent, under each name that it has", () => {
    const ofExperts = everyTool.map(({ name }) => name);
    const inEnvelopes = commandTools(ofExperts, {
      patterns: new PlainPatterns(),
      web: { get: () => Promise.reject(new Error("Nothing is fetched.")) },
      asked: () => "",
    });
    const ofRuns = runFunctions.map(({ name }) => name);
    for (const name of [...ofExperts, ...ofRuns, ...inEnvelopes.keys(), findToolsName, useToolName])
      assert.notEqual(toolEntry(name).verb, name);
  });

  it("shows a tool that is not ours by its own name", () => {
    for (const name of ["mcp_search", "constructor"]) {
      assert.deepEqual(toolEntry(name), { verb: name, icon: "tools", kind: "other" });
    }
  });

  it("gives each group of a mode file its tools", () => {
    assert.deepEqual(
      toolGroups.map((group) => toolsOf(group)),
      [
        ["read_file", "list_files", "search_files", "get_diagnostics"],
        ["write_to_file", "apply_diff", "edit_file", "insert_content"],
        ["execute_command", "command_output"],
        ["web_fetch", "web_search"],
      ],
    );
  });
});
