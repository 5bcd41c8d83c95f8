import assert from "node:assert/strict";
import { similarRuns } from "../../../../../src/core/runs/documents/similarRuns.js";
import { runRow } from "../runRows.js";

const runs = (...requests: string[]) =>
  requests.map((user_request, index) => ({ ...runRow(), run_id: `run-${index}`, user_request }));
const idsOf = async (found: ReturnType<typeof similarRuns>) =>
  (await found).map(({ run_id }) => run_id);
const like = (...requests: string[]) =>
  idsOf(similarRuns(`run-${requests.length - 1}`, runs(...requests)));

describe("runs like another", () => {
  it("[R-MV-6] are those before it that ask for something like it, the most alike first", async () => {
    const report = "Write a market report about electric bicycles";
    assert.deepEqual(await like(report), []);
    assert.deepEqual(
      await like(
        "Translate the user manual into French",
        "Reports about bicycles, electric ones above all",
        report,
        "Write a poem for my mother",
        "Update the market report about electric bicycles with this year's figures",
      ),
      ["run-2", "run-1"],
    );
    const same = Array.from({ length: 8 }, () => report);
    assert.equal((await like(...same)).length, 5, "five are enough to learn from");
    const later = runs(report, report, report);
    assert.deepEqual(await idsOf(similarRuns("run-1", later)), ["run-0"]);
    assert.deepEqual(await similarRuns("run-9", later), []);
    assert.deepEqual(await like("", report, "  "), []);
  });

  it("[R-MV-6] are found in languages without spaces, too", async () => {
    assert.deepEqual(
      await like("写一份电动自行车市场报告", "翻译用户手册", "更新电动自行车市场报告的数据"),
      ["run-0"],
    );
  });
});
