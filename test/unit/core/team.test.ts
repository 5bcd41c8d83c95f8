import assert from "node:assert/strict";
import type { ApprovalRequest } from "../../../src/core/approvals/approver.js";
import { inEnglish } from "../../../src/core/conversation/draftedEvents.js";
import type { Signer } from "../../../src/core/ports/system.js";
import type { TeamAnswer, TeamClaim } from "../../../src/core/ports/teamQueue.js";
import { isPlanSigned, signPlan } from "../../../src/core/team/signedPlan.js";
import { formatAnswer, readAnswer } from "../../../src/core/team/teamAnswer.js";
import { TeamApprover } from "../../../src/core/team/teamApprover.js";
import {
  approvalSubject,
  type Asked,
  formatAsked,
  isAnswerSigned,
  readAsked,
  saidIn,
  signAnswer,
} from "../../../src/core/team/teamAsk.js";
import { translator } from "../../../src/core/text/translator.js";
import { spoken, words } from "../../../src/core/text/words.js";
import { TeamKey } from "../../../src/node/user/teamKey.js";

const place = { repository: "shop", id: "ROO#PLAN_A" };
const signer: Signer = new TeamKey("k".repeat(32), place);
const stranger: Signer = new TeamKey("x".repeat(32), place);
const taskId = "ROO#SUB_A_S001";

const unsigned = {
  ...place,
  base: "1".repeat(40),
  tasks: [{ id: taskId, labels: ["gpu"] }],
};

function request(command: string, more: { path?: string; outside?: boolean } = {}) {
  const action = {
    access: "command" as const,
    title: `Run ${command}`,
    preview: { kind: "command" as const, text: command },
    command,
    path: "",
    inside: true,
    ...more,
  };
  return { approvalId: "a", taskId, callId: "c", action, why: "", options: [] } as ApprovalRequest;
}

/** The commit with the words of an answer. */
const said = "3".repeat(40);

async function approverFor(
  asked: ApprovalRequest,
  by: Signer,
  choice: "allow" | "deny" = "allow",
  commit?: string,
) {
  const ask = { id: "ask-1", kind: "approval", subject: await approvalSubject(asked) } as const;
  const given = { kind: "approval", choice, ...(commit === undefined ? {} : { commit }) } as const;
  const answer: TeamAnswer = { ...given, signature: signAnswer(ask, given, by) };
  const claim = { answers: [{ ...ask, answer }] } as unknown as TeamClaim;
  const used: string[] = [];
  const queue = {
    useAnswer: (_claim: TeamClaim, id: string) => Promise.resolve(used.push(id) === 1),
  };
  const words = new Map([[said, "Use npm ci."]]);
  return new TeamApprover(claim, queue, signer, (id, where) =>
    Promise.resolve(id === "ask-1" ? words.get(where) : undefined),
  );
}

describe("a plan that is sent", () => {
  it("is a team's only as it was signed", () => {
    const plan = signPlan(unsigned, signer);
    assert.ok(isPlanSigned(plan, signer));
    assert.ok(!isPlanSigned(signPlan(unsigned, stranger), signer));
    const changes = [
      { base: "2".repeat(40) },
      { repository: "garage" },
      { id: "ROO#PLAN_B" },
      { tasks: [{ id: taskId, labels: [] }] },
      { tasks: [...plan.tasks, { id: "ROO#SUB_A_S002", labels: [] }] },
    ];
    for (const change of changes) assert.ok(!isPlanSigned({ ...plan, ...change }, signer));
  });
});

describe("an approval from afar", () => {
  it("allows exactly what was shown, once", async () => {
    const approver = await approverFor(request("npm test"), signer);
    assert.deepEqual(await approver.request(request("npm test")), {
      type: "allowed",
      scope: "once",
    });
    assert.deepEqual(await approver.request(request("npm test")), { type: "unavailable" });
    assert.equal(approver.waiting?.subject, await approvalSubject(request("npm test")));
  });

  it("allows nothing else", async () => {
    const others = [
      request("npm test; rm -rf /"),
      request("npm test", { path: "sub" }),
      request("npm test", { outside: true }),
      { ...request("npm test"), taskId: "ROO#SUB_A_S002" },
    ];
    for (const other of others) {
      const approver = await approverFor(request("npm test"), signer);
      assert.deepEqual(await approver.request(other), { type: "unavailable" });
    }
  });

  it("counts only if the team's key has signed it", async () => {
    const approver = await approverFor(request("npm test"), stranger);
    assert.deepEqual(await approver.request(request("npm test")), { type: "unavailable" });
  });

  it("can deny", async () => {
    const approver = await approverFor(request("npm test"), signer, "deny");
    assert.deepEqual(await approver.request(request("npm test")), { type: "denied" });
  });

  it("can deny and say why", async () => {
    const approver = await approverFor(request("npm test"), signer, "deny", said);
    const decision = await approver.request(request("npm test"));
    assert.deepEqual(decision, { type: "denied", reason: "Use npm ci." });
    const lost = await approverFor(request("npm test"), signer, "deny", "4".repeat(40));
    assert.deepEqual(await lost.request(request("npm test")), { type: "denied" });
  });

  it("is for its own question, choice and words", () => {
    const ask = { id: "ask-1", kind: "approval", subject: "s" } as const;
    const signature = signAnswer(ask, { kind: "approval", choice: "deny" }, signer);
    const answer = { kind: "approval", choice: "deny", signature } as const;
    assert.ok(isAnswerSigned(ask, answer, signer));
    assert.ok(!isAnswerSigned(ask, { ...answer, choice: "allow" }, signer));
    assert.ok(!isAnswerSigned({ ...ask, id: "ask-2" }, answer, signer));
    assert.ok(!isAnswerSigned({ ...ask, subject: "t" }, answer, signer));
    assert.ok(!isAnswerSigned({ ...ask, kind: "question" }, answer, signer));
    const because = { ...answer, commit: said };
    assert.ok(!isAnswerSigned(ask, because, signer));
    const signed = { ...because, signature: signAnswer(ask, because, signer) };
    assert.ok(isAnswerSigned(ask, signed, signer));
    assert.ok(!isAnswerSigned(ask, { ...signed, commit: "4".repeat(40) }, signer));
    assert.ok(!isAnswerSigned(ask, { ...answer, signature: signed.signature }, signer));
  });
});

describe("what is asked and answered from afar", () => {
  it("is said in the reader's language, and as it was approved where its words say something else", () => {
    const german = translator("de", { "Remove {path}": "{path} entfernen" });
    const title = words("Remove {path}", { path: "a.ts" });
    const ask = { id: "ask-1", kind: "approval", subject: "s", preview: "rm a.ts" } as const;
    const said = (asked: Asked) => {
      const read = readAsked(formatAsked(asked, taskId, signer), taskId, signer);
      return read && spoken(saidIn(read, "title"), german);
    };
    assert.equal(said(inEnglish<Asked>({ ...ask, title })), "a.ts entfernen");
    assert.equal(said({ ...ask, title: "Remove a.ts" }), "Remove a.ts");
    assert.equal(said({ ...ask, title: "Remove b.ts", said: { title } }), "Remove b.ts");
  });

  it("is read as it was written, and only if it is the team's", () => {
    const asked = { id: "ask-1", kind: "question", subject: "q-1", title: "Which?" } as const;
    const text = formatAsked(asked, taskId, signer);
    assert.deepEqual(readAsked(text, taskId, signer), { schema: 1, ...asked });
    assert.equal(readAsked(text, "ROO#SUB_A_S002", signer), undefined);
    assert.equal(readAsked(text, taskId, stranger), undefined);
    assert.equal(readAnswer(formatAnswer('blue\n"x"')), 'blue\n"x"');
    for (const bad of [undefined, "", "{}", '{"schema":1,"words":""}', '{"schema":1,"words":3}']) {
      assert.equal(readAnswer(bad), undefined);
    }
  });
});
