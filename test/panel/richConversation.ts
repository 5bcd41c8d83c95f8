import type { AgentEvent } from "../../src/core/agent/events.js";
import type { ConversationEvent } from "../../src/core/conversation/events/events.js";

const at = "2026-01-05T10:00:00.000Z";
export const taskId = "ROO#20260105-100012#a1b2";
const agent = (event: AgentEvent): ConversationEvent => ({ type: "agent", at, taskId, event });
const tool = (
  callId: string,
  name: string,
  title: string,
  result: { ok?: boolean; output?: string; diff?: string; durationMs?: number },
): ConversationEvent[] => [
  agent({ type: "toolStarted", callId, tool: name, title }),
  agent({
    type: "toolEnded",
    callId,
    ok: true,
    output: "",
    durationMs: 180,
    ...result,
  }),
];

const diff = `--- a/src/cart.js
+++ b/src/cart.js
@@ -8,7 +8,8 @@ export function total(cart) {
   let sum = 0;
   for (const line of cart.lines) {
-    sum += line.price * line.count;
+    const discount = line.discount ?? 0;
+    sum += line.price * line.count * (1 - discount);
   }
   return sum;
 }
`;

/** A conversation with one of everything, as it is while an approval waits. */
export const richConversation: readonly ConversationEvent[] = [
  {
    type: "user",
    at,
    id: "u1",
    text: "The cart's total ignores discounts. Fix it, and add a test so that it stays fixed.",
  },
  {
    type: "sessionStarted",
    at,
    taskId,
    mode: "rooroo-developer",
    goal: "Make `total` in the cart respect each line's discount, and cover it with a test.",
  },
  agent({
    type: "text",
    messageId: "m1",
    text: "I'll look at how the total is computed, and at the tests that exist.",
  }),
  agent({
    type: "checklist",
    steps: [
      { text: "Read the cart and its tests", state: "done" },
      { text: "Respect the discount of each line in `total`", state: "doing" },
      { text: "Cover it with a test", state: "open" },
    ],
  }),
  ...tool("c1", "list_files", "src", { durationMs: 12, output: "src/cart.js\nsrc/index.js\n" }),
  ...tool("c2", "read_file", "src/cart.js", { durationMs: 8, output: "1 | export function …" }),
  ...tool("c3", "search_files", "discount in src", { durationMs: 41, output: "No matches." }),
  ...tool("c4", "execute_command", "npm test", {
    ok: false,
    durationMs: 4_230,
    output:
      "> cart@1.0.0 test\n> node --test\n\n✔ an empty cart costs nothing (0.9 ms)\n" +
      "✖ a discount lowers the total (2.1 ms)\n  AssertionError: 200 !== 180\n" +
      "      at test/cart.test.js:14:10\n\nℹ tests 2\nℹ pass 1\nℹ fail 1\n",
  }),
  agent({
    type: "text",
    messageId: "m2",
    text: `The cause is in \`src/cart.js:10\`: the loop multiplies price and count and never looks at \`discount\`.

### What I'll change

1. **Multiply by** \`1 - discount\`, where a missing discount counts as 0.
2. Cover three cases:

| case | discount | total |
| --- | --: | --: |
| none | – | 200 |
| a tenth | 0.1 | 180 |
| all of it | 1 | 0 |

\`\`\`js
// Discounts are fractions: 0.1 is a tenth off.
export function total(cart) {
  let sum = 0;
  for (const line of cart.lines) {
    sum += line.price * line.count * (1 - (line.discount ?? 0));
  }
  return sum;
}
\`\`\`

> Rounding is left as it is; see [the issue](https://example.com/cart/issues/42) about cents.
`,
  }),
  ...tool("c5", "apply_diff", "src/cart.js", { durationMs: 95, output: "Applied.", diff }),
  {
    type: "question",
    at,
    questionId: "q0",
    taskId,
    mode: "rooroo-developer",
    text: "Should a discount above 1 be **refused** or counted as 1?",
    suggestions: ["Refuse it", "Count it as 1"],
  },
  { type: "answered", at, questionId: "q0", text: "Refuse it" },
  {
    type: "notice",
    at,
    id: "n1",
    level: "warning",
    text: "The server asked to slow down. The next call waits **8 s**.",
    steps: [],
  },
  agent({ type: "toolStarted", callId: "c6", tool: "execute_command", title: "npm test" }),
  agent({
    type: "approvalRequested",
    why: "Commands are asked about.",
    approvalId: "p1",
    callId: "c6",
    decidedBy: "rooroo.approvals.preset",
    options: ["Exactly this command: npm test -- --test-reporter=spec", "Any npm test …"],
    editable: "command",
    action: {
      access: "command",
      title: "Run npm test",
      path: "",
      inside: true,
      command: "npm test -- --test-reporter=spec",
      facts: {
        commands: [
          { words: ["git", "status"], verdict: "reads", why: "It only reads." },
          { words: ["npm", "test"], verdict: "asks", why: "It runs what package.json says." },
        ],
        writes: ["out/report.txt"],
      },
      preview: { kind: "command", text: "npm test -- --test-reporter=spec" },
    },
  }),
];

/** What follows: an edit outside, a result, and an open question. */
export const richEnding: readonly ConversationEvent[] = [
  agent({ type: "approvalResolved", approvalId: "p1", allowed: true }),
  agent({
    type: "toolEnded",
    callId: "c6",
    ok: true,
    output: "ℹ pass 5\nℹ fail 0\n",
    durationMs: 3_920,
  }),
  agent({ type: "toolStarted", callId: "c7", tool: "write_to_file", title: "/etc/cart.conf" }),
  agent({
    type: "approvalRequested",
    why: "It is asked about.",
    approvalId: "p2",
    callId: "c7",
    action: {
      access: "write",
      title: "Write /etc/cart.conf",
      path: "/etc/cart.conf",
      inside: false,
      preview: { kind: "diff", text: diff.replaceAll("src/cart.js", "/etc/cart\u200b.conf") },
    },
  }),
  agent({
    type: "approvalResolved",
    approvalId: "p2",
    allowed: false,
    reason: "Keep to the workspace.",
  }),
  agent({ type: "toolEnded", callId: "c7", ok: false, output: "Denied.", durationMs: 20_100 }),
  agent({
    type: "usage",
    usage: { inputTokens: 18_240, outputTokens: 1_912, cachedTokens: 15_104 },
  }),
  agent({
    type: "context",
    tokens: 20_152,
    limit: 128_000,
    parts: { system: 2_310, tools: 2_604, request: 1_288, results: 11_400, conversation: 2_550 },
  }),
  {
    type: "sessionEnded",
    at,
    taskId,
    mode: "rooroo-developer",
    end: "Done",
    message:
      "`total` now respects discounts, and refuses those above 1. Five tests cover it, all pass.",
    artifacts: ["src/cart.js", "test/cart.test.js"],
    changedFiles: 2,
  },
  {
    type: "sessionStarted",
    at,
    taskId: "ROO#20260105-100312#c3d4",
    mode: "rooroo-planner",
    goal: "Plan the move of the shop's prices to cents.",
  },
  {
    type: "question",
    at,
    questionId: "q1",
    taskId: "ROO#20260105-100312#c3d4",
    mode: "rooroo-planner",
    text: "Which prices should move first?",
    suggestions: ["The cart's", "The catalogue's", "All of them at once, behind a setting"],
  },
];

/** What a run asks. */
export const richProposal = {
  type: "proposal",
  at,
  proposalId: "proposal:run-20260105-100012-001:1",
  runId: "run-20260105-100012-001",
  path: "multiverse/runs/x/feedback_for_user.md",
  request: "Write a report\non the market",
  intro: "Here is what it comes down to.",
  summary: "A report of **three pages**, with sources.",
  instructions: [
    {
      type: "scope",
      content: "Three pages at most",
      supersedes: [],
      justification: "You said so.",
    },
    { type: "style", content: "Plain words", supersedes: ["I3"], justification: "" },
  ],
  conflicts: ["I3 asks for technical words."],
  questions: ["Is it for the board?"],
  problem: "",
} as const satisfies ConversationEvent;

const planner = "ROO#TASK_20260105100400_AB12CD";
const planned = (
  goal: string,
  index: number,
): { taskId: string; mode: string; goal: string; is?: "held" } => ({
  taskId: `ROO#SUB_20260105100400_AB12CD_S00${index + 1}`,
  mode: index === 1 ? "rooroo-developer" : "rooroo-analyzer",
  goal,
  ...(index === 0 ? { is: "held" } : {}),
});

/** A plan that waits for Start. */
export const richPlan: readonly ConversationEvent[] = [
  { type: "user", id: "u9", at, text: "Plan a CSV export of the invoices" },
  {
    type: "plan",
    at,
    planId: "ROO#PLAN_20260105100400_AB12CD",
    taskId: planner,
    goal: "Plan a CSV export of the invoices",
    overview: "First **what** it is, then the code.",
    tasks: [
      "Describe the CSV export: columns, quoting, and what an empty invoice gives",
      "Write the export in src/export.js with tests",
      "Check the export against the sample invoices",
    ].map(planned),
  },
];

const worker = "ROO#SUB_20260105100400_AB12CD_S002";
const working = (event: AgentEvent): ConversationEvent => ({
  type: "agent",
  at,
  taskId: worker,
  event,
});

/** A task that is being worked on: the model has reasoned, speaks, and runs a command. */
export const richWork: {
  readonly taskId: string;
  readonly events: readonly ConversationEvent[];
} = {
  taskId: worker,
  events: [
    {
      type: "sessionStarted",
      at,
      taskId: worker,
      mode: "rooroo-developer",
      goal: "Write the export in src/export.js with tests",
    },
    working({
      type: "reasoning",
      messageId: "r9",
      text: "The invoices hold amounts in cents. A field needs quotes if it holds a comma.",
    }),
    working({
      type: "text",
      messageId: "m9",
      text: "The format is clear. I'll write the export first, and run its test after each step.",
    }),
    working({
      type: "toolStarted",
      callId: "c20",
      tool: "run_command",
      title: "node --test test/export.test.js",
    }),
    working({ type: "toolOutput", callId: "c20", text: "▶ the export\n  ✔ has a header\n" }),
  ],
};

const away = "ROO#SUB_20260105100500_CD34EF_S001";
const afar = (event: AgentEvent): ConversationEvent => ({ type: "agent", at, taskId: away, event });

/** A task of a plan on other machines, which asks for an approval. */
export const richAfar: readonly ConversationEvent[] = [
  {
    type: "sessionStarted",
    at,
    taskId: away,
    mode: "rooroo-developer",
    goal: "Respect discounts in the cart",
  },
  afar({ type: "toolStarted", callId: "c30", tool: "write_to_file", title: "src/cart.js" }),
  afar({
    type: "approvalRequested",
    why: "north asks, attempt 2: Changes of files are asked about.",
    approvalId: "p30",
    callId: "c30",
    machine: "north",
    action: {
      access: "write",
      title: "Change src/cart.js",
      path: "",
      inside: true,
      preview: { kind: "diff", text: diff },
    },
  }),
];
