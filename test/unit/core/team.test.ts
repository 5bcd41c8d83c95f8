import assert from "node:assert/strict";
import type { ApprovalRequest } from "../../../src/core/approvals/approver.js";
import { inEnglish } from "../../../src/core/conversation/events/draftedEvents.js";
import type { Signer } from "../../../src/core/ports/system.js";
import type { TeamAnswer, TeamClaim } from "../../../src/core/ports/teamQueue.js";
import { isPlanSigned, isTurnOf, signPlan } from "../../../src/core/team/signedPlan.js";
import { StandingAsk } from "../../../src/core/team/standingAsk.js";
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

type Choice = Pick<Extract<TeamAnswer, { kind: "approval" }>, "choice" | "commit">;

/** What a commit asks about an action. */
async function askedAbout(action: ApprovalRequest, id = "ask-1"): Promise<Asked> {
  return { id, kind: "approval", subject: await approvalSubject(action), title: "Run it" };
}

/** An answer as the queue brings it. */
function answered(asked: Asked, choice: Choice, by = signer): TeamClaim["answers"][number] {
  const { id, kind, subject } = asked;
  const given = { kind: "approval", ...choice } as const;
  const signature = signAnswer({ id, kind, subject }, given, by);
  return { id, kind, subject, answer: { ...given, signature } };
}

/** An approver for an attempt, and the asks that were closed, each with whether it was answered. */
function approverOf(
  asked: Asked | undefined,
  answers: TeamClaim["answers"],
  isFirst: (id: string) => boolean = () => true,
) {
  const closed: [string, boolean][] = [];
  const ask = new StandingAsk(asked, answers, signer, ({ id }, isAnswered) => {
    closed.push([id, isAnswered]);
    return Promise.resolve(isFirst(id));
  });
  const words = new Map([[said, "Use npm ci."]]);
  const approver = new TeamApprover(ask, (commit) => Promise.resolve(words.get(commit)));
  return { ask, approver, closed };
}

async function approverFor(action: ApprovalRequest, choice: Choice, by = signer) {
  const asked = await askedAbout(action);
  return approverOf(asked, [answered(asked, choice, by)]).approver;
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

describe("a task of a plan that is sent", () => {
  it("is worked on after all before it are done, and by a worker with its labels", async () => {
    const [one, two, three] = ["ROO#SUB_A_S001", "ROO#SUB_A_S002", "ROO#SUB_A_S003"];
    const plan = { tasks: [one, two, three].map((id) => ({ id, labels: ["gpu", "linux"] })) };
    const able = { labels: ["linux", "small", "gpu"] };
    const turn = (id: string, done: readonly string[], worker = able) =>
      isTurnOf(id, plan, worker, (other) => Promise.resolve(done.includes(other)));
    assert.ok(await turn(one, []));
    assert.ok(await turn(three, [one, two]));
    assert.ok(await turn(one, [one, two, three]), "which only repeats it");
    assert.ok(!(await turn(two, [])));
    assert.ok(!(await turn(three, [two])));
    assert.ok(!(await turn("ROO#SUB_B_S001", [one, two, three])));
    assert.ok(!(await turn(one, [], { labels: ["gpu"] })));
  });
});

describe("an approval from afar", () => {
  it("allows exactly what was shown, once", async () => {
    const approver = await approverFor(request("npm test"), { choice: "allow" });
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
      const approver = await approverFor(request("npm test"), { choice: "allow" });
      assert.deepEqual(await approver.request(other), { type: "unavailable" });
    }
  });

  it("counts only if the team's key has signed it", async () => {
    const approver = await approverFor(request("npm test"), { choice: "allow" }, stranger);
    assert.deepEqual(await approver.request(request("npm test")), { type: "unavailable" });
  });

  it("can deny", async () => {
    const approver = await approverFor(request("npm test"), { choice: "deny" });
    assert.deepEqual(await approver.request(request("npm test")), { type: "denied" });
  });

  it("can deny and say why", async () => {
    const approver = await approverFor(request("npm test"), { choice: "deny", commit: said });
    const decision = await approver.request(request("npm test"));
    assert.deepEqual(decision, { type: "denied", reason: "Use npm ci." });
    const lost = await approverFor(request("npm test"), { choice: "deny", commit: "4".repeat(40) });
    assert.deepEqual(await lost.request(request("npm test")), { type: "denied" });
  });

  it("counts only for the ask of the commit that the attempt goes on from", async () => {
    const action = request("npm test");
    const earlier = await askedAbout(action, "ask-1");
    const now = await askedAbout(action, "ask-2");
    const old = answered(earlier, { choice: "allow" });
    // As a stranger would have it in the database: the old answer again, also under the new ask's id.
    for (const row of [old, { ...old, id: "ask-2" }]) {
      const { approver, closed } = approverOf(now, [row]);
      assert.deepEqual(await approver.request(action), { type: "unavailable" });
      assert.deepEqual(closed, []);
    }
    const later = approverOf(now, [old, answered(now, { choice: "deny" })]);
    assert.deepEqual(await later.approver.request(action), { type: "denied" });
    const none = approverOf(undefined, [old]);
    assert.deepEqual(await none.approver.request(action), { type: "unavailable" });
  });

  it("counts with those that were allowed before for the same call, and for no other call", async () => {
    const [one, two] = [request("npm ci"), request("npm test")];
    const first = await askedAbout(one);
    const begun = approverOf(first, [answered(first, { choice: "allow" })]);
    assert.deepEqual(await begun.approver.request(one), { type: "allowed", scope: "once" });
    assert.deepEqual(await begun.approver.request(two), { type: "unavailable" });
    const { allowed = [] } = begun.approver.waiting ?? {};
    assert.deepEqual(allowed, [first.subject]);

    const second = { ...(await askedAbout(two, "ask-2")), allowed: [...allowed] };
    const read = readAsked(formatAsked(second, taskId, signer), taskId, signer);
    const rows = [answered(second, { choice: "allow" })];
    const next = approverOf(read, rows);
    for (const action of [one, two]) {
      assert.deepEqual(await next.approver.request(action), { type: "allowed", scope: "once" });
      assert.deepEqual(await next.approver.request(action), { type: "unavailable" });
    }
    assert.deepEqual(next.closed, [["ask-2", true]]);
    const other = approverOf(read, rows);
    assert.equal((await other.approver.request(two)).type, "allowed");
    const later = { ...one, callId: "another" };
    assert.deepEqual(await other.approver.request(later), { type: "unavailable" });
    const denied = approverOf(read, [answered(second, { choice: "deny" })]);
    assert.deepEqual(await denied.approver.request(one), { type: "denied" });
  });

  it("does not count once the ask was closed, by this attempt or another", async () => {
    const action = request("npm test");
    const asked = await askedAbout(action);
    const rows = [answered(asked, { choice: "allow" })];
    const used = approverOf(asked, rows, () => false);
    assert.deepEqual(await used.approver.request(action), { type: "unavailable" });
    assert.equal(used.approver.waiting?.subject, asked.subject);
    const own = approverOf(asked, rows);
    await own.ask.close();
    assert.deepEqual(await own.approver.request(action), { type: "unavailable" });
    assert.equal(await own.ask.close(), true);
    assert.deepEqual(own.closed, [["ask-1", true]], "it is closed once");
    const open = approverOf(asked, []);
    await open.ask.close();
    assert.deepEqual(open.closed, [["ask-1", false]]);
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
