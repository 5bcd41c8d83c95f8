import { developerScript } from "./goals.mjs";
import { readRequest } from "./readRequest.mjs";
import { describeModules } from "./scripts/describeModules.mjs";
import { lookAround } from "./scripts/lookAround.mjs";
import { makePlan } from "./scripts/makePlan.mjs";
import { call, done, failed, refusal, wasRefused } from "./scripts/script.mjs";
import { sparkIdeas } from "./scripts/sparkIdeas.mjs";
import { studyInvoices } from "./scripts/studyInvoices.mjs";
import { writeGuide } from "./scripts/writeGuide.mjs";
import { triage } from "./triage.mjs";

/** @typedef {import("./scripts/script.mjs").Reply} Reply */

/**
 * The demo model's whole mind: a pure function of the request.
 *
 * @param {import("@copilotkit/aimock").ChatCompletionRequest} request
 * @returns {Reply}
 */
export function answer(request) {
  const read = readRequest(request);
  switch (read.kind) {
    case "triage":
      return { calls: [call("triage", triage(read))] };
    case "expert": {
      const refused = refusal(read);
      if (refused !== undefined)
        return failed("I stopped, because a step was not allowed.", refused);
      // What was refused, and the report about it, is no part of the play when it is tried again.
      const played = { ...read, turns: read.turns.filter((turn) => !wasRefused(turn)) };
      const step = scriptFor(read)[played.turns.length];
      if (step === undefined) return done("My script for this task ends here.");
      return typeof step === "function" ? step(played) : step;
    }
    case "judge":
      return { calls: [call("judge_plan", { fits: true, reason: "The demo model is content." })] };
    case "connectionTest":
      return { calls: [call("say", { word: "hello" })] };
    case "judgeRequest":
      return { calls: [call("judge_request", { is_single_command: false })] };
    case "run":
      return writeGuide(read);
    case "job":
      return describeModules(read);
    case "other":
      return { say: "I am Rooroo's scripted demo model. I only know how to play its experts." };
  }
}

/** @param {import("./readRequest.mjs").ExpertRequest} request */
function scriptFor({ mode, goal }) {
  switch (mode) {
    case "rooroo-planner":
      return makePlan;
    case "rooroo-idea-sparker":
      return sparkIdeas;
    case "rooroo-developer":
      return developerScript(goal);
    default:
      return /\binvoice holds\b/.test(goal) ? studyInvoices : lookAround;
  }
}
