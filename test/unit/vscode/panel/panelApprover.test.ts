import { strict as assert } from "node:assert";
import type { ApprovalRequest } from "../../../../src/core/approvals/approver.js";
import { PanelApprover } from "../../../../src/vscode/panel/panelApprover.js";

describe("a request for an approval", () => {
  const asked = (approvalId: string) => {
    const approver = new PanelApprover();
    const settled: string[] = [];
    approver.onDidSettle((request) => settled.push(request.approvalId));
    const stop = new AbortController();
    const answer = approver.request({ approvalId } as ApprovalRequest, stop.signal);
    return { approver, settled, stop, answer };
  };

  it("is settled once, when it is decided, whatever becomes of its task", async () => {
    const { approver, settled, stop, answer } = asked("A");
    assert.equal(approver.decide("A", { type: "denied" }), true);
    stop.abort(new Error("stopped"));
    assert.deepEqual(await answer, { type: "denied" });
    assert.deepEqual(settled, ["A"]);
    assert.equal(approver.decide("A", { type: "denied" }), false);
  });

  it("is settled by the end of its task, and cannot be decided then", async () => {
    const { approver, settled, stop, answer } = asked("A");
    stop.abort(new Error("stopped"));
    await assert.rejects(answer, /stopped/);
    assert.deepEqual([settled, approver.waiting], [["A"], 0]);
    assert.equal(approver.decide("A", { type: "denied" }), false);
  });
});
