import assert from "node:assert/strict";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { definitionOf } from "../../../../src/core/agent/toolDefinition.js";
import { workspaceTools } from "../../../../src/core/tools/workspaceTools.js";

describe("workspaceTools", () => {
  it("cost few tokens in every request", () => {
    const functions = workspaceTools.map((tool) => ({
      type: "function",
      function: definitionOf(tool),
    }));
    assert.deepEqual(
      functions.map(({ function: { name } }) => name),
      [
        "read_file",
        "list_files",
        "search_files",
        "write_to_file",
        "apply_diff",
        "edit_file",
        "insert_content",
        "execute_command",
        "command_output",
        "get_diagnostics",
        "web_fetch",
        "web_search",
        "update_todo_list",
        "ask_followup_question",
      ],
    );
    assert.ok(encode(JSON.stringify(functions)).length < 1_100);
  });
});
