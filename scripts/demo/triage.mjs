import { isScripted } from "./goals.mjs";

/**
 * @typedef {object} Rule
 * @property {RegExp} when
 * @property {(text: string) => Record<string, string>} decide The arguments of `triage`.
 */

/** The rules in order; the first that fits decides, as the Navigator's own rules ask. */
/** @type {Rule[]} */
const rules = [
  {
    when: /^(hi|hello|hey|good (morning|evening)|thanks?|thank you|cheers|great|nice|ok(ay)?)\b.{0,30}$/i,
    decide: (text) => ({
      route: "acknowledge",
      reply: /^(thank|cheers|great|nice|ok)/i.test(text)
        ? "You're welcome. What shall we do next?"
        : 'Hello! Tell me what you need, for example "Fix the failing test".',
      reason: "There is nothing to act on.",
    }),
  },
  {
    when: /^(go on|continue|run|start|work on)\b.*\b(queue|tasks?)\b/i,
    decide: () => ({ route: "proceed", reason: "The queue is to run." }),
  },
  {
    when: /\b(brainstorm|ideas?|what could we|what if)\b/i,
    decide: (goal) => ({ route: "brainstorm", goal, reason: "Ideas are wanted, not results." }),
  },
  {
    when: /^(please )?(fix|improve|change|do|update|make|handle|check)\s+(it|this|that|them|things?|something|stuff)\b/i,
    decide: () => ({
      route: "clarify",
      question:
        "What should be different afterwards: shall I fix the failing test, or something else?",
      reason: "It does not say what is meant.",
    }),
  },
  {
    when: /\b(over ?night|job|every module|all modules)\b/i,
    decide: (goal) => ({ route: "job", name: "module-pages", goal, reason: "It is long work." }),
  },
  {
    when: /\bguide\b/i,
    decide: (goal) => ({ route: "run", goal, reason: "A document is to be worked out." }),
  },
  {
    when: /\b(queue|backlog|later)\b/i,
    decide: (text) => {
      const goal = text.replace(/^(please )?(add to the )?(queue|backlog)( up)?\s*:?\s*/i, "");
      return { route: "queue", ...assign(goal), reason: "It can wait its turn." };
    },
  },
  {
    when: /\bplan\b|\bcsv\b/i,
    decide: (goal) => ({
      route: "plan",
      goal,
      reason: "It takes several steps that build on one another.",
    }),
  },
];

/**
 * @param {import("./readRequest.mjs").TriageRequest} request
 * @returns {Record<string, string>}
 */
export function triage({ text, afterQuestion }) {
  const rule = rules.find(({ when }) => when.test(text));
  if (rule !== undefined && !(afterQuestion && isScripted(text))) return rule.decide(text);
  if (text.split(/\s+/).length < 2 && !isScripted(text)) {
    return {
      route: "clarify",
      question: `What should I do with "${text}"?`,
      reason: "One word is not enough to go on.",
    };
  }
  return { route: "direct", ...assign(text), reason: "One clear task for one expert." };
}

/** Only what the developer has a script for goes to the developer. @param {string} goal */
function assign(goal) {
  return { expert: isScripted(goal) ? "rooroo-developer" : "rooroo-analyzer", goal };
}
