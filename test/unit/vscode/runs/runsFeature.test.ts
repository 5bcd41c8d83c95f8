import { strict as assert } from "node:assert";
import * as vscode from "vscode";
import { RunsFeature } from "../../../../src/vscode/runs/runsFeature.js";
import { useEditor } from "../../../panel/useEditor.js";

type Options = ConstructorParameters<typeof RunsFeature>[0];

describe("the list of runs", () => {
  useEditor({});

  it("counts those that run, in this window and in other processes", () => {
    const states = ["here", "elsewhere", "elsewhere", "needsYou", "left", "done", "failed"];
    const { event } = new vscode.EventEmitter<unknown>();
    const feature = new RunsFeature({
      list: {
        overview: { runs: states.map((state) => ({ state })), problems: [] },
        onDidChange: event,
        dispose: () => undefined,
      },
      waiting: { waiting: () => [], onDidChange: event },
      settings: { onDidChange: event },
      pages: new Map(),
    } as unknown as Options);
    assert.equal(feature.rows.group.running, 3);
    feature.dispose();
  });
});
