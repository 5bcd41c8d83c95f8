/**
 * A reply of the demo model: words, then tool calls.
 *
 * @typedef {object} Reply
 * @property {string} [say] Markdown.
 * @property {{ name: string, args: Record<string, unknown> }[]} [calls]
 *
 * @typedef {import("../readRequest.mjs").ExpertRequest} ExpertRequest
 *
 * A script is a list of steps, one a reply. A step that needs to know what happened is a function of
 * the whole request. Only the words are scripted: what the calls do, and what comes back, is real.
 *
 * @typedef {Reply | ((request: ExpertRequest) => Reply)} Step
 * @typedef {readonly Step[]} Script
 */

/** @param {string} name @param {Record<string, unknown>} args */
export function call(name, args) {
  return { name, args };
}

/**
 * @param {string} message
 * @param {Record<string, unknown>} [more]
 * @returns {Reply}
 */
export function done(message, more = {}) {
  const report = { status: "Done", message, output_artifact_paths: [], ...more };
  return { calls: [call("attempt_completion", report)] };
}

/** @param {string} message @param {string} details @returns {Reply} */
export function failed(message, details) {
  const report = { status: "Failed", message, output_artifact_paths: [], error_details: details };
  return { calls: [call("attempt_completion", report)] };
}

const refused = /did not allow|may write only/;

/** Returns what the person, or the policy, refused in the last turn. @param {ExpertRequest} request */
export function refusal({ turns }) {
  return turns.at(-1)?.calls.find(({ result }) => refused.test(result))?.result;
}

/** Returns whether a call of the turn was refused, or the turn reported that. @param {import("../readRequest.mjs").Turn} turn */
export function wasRefused({ calls }) {
  return calls.some(({ name, result }) => name === "attempt_completion" || refused.test(result));
}

/**
 * The outcome of `node --test`, from the last command that ran; undefined when it cannot be told.
 *
 * @param {ExpertRequest} request
 */
export function testOutcome({ turns }) {
  const calls = turns.flatMap((turn) => turn.calls);
  const output = calls.findLast(({ name }) => name === "execute_command")?.result ?? "";
  const count = (/** @type {string} */ what) =>
    new RegExp(`^\\W* ${what} (\\d+)$`, "m").exec(output)?.[1];
  const [passed, failures] = [count("pass"), count("fail")];
  if (passed === undefined || failures === undefined) return undefined;
  return { passed: Number(passed), failed: Number(failures) };
}

/** Returns what came back for a file that was read, in any turn. @param {Pick<ExpertRequest, "turns">} request @param {string} path */
export function contentOf({ turns }, path) {
  const calls = turns.flatMap((turn) => turn.calls);
  const read = calls.findLast(({ name, args }) => name === "read_file" && args.path === path);
  return read?.result.startsWith("There is no file") ? undefined : read?.result;
}

export const notHere =
  "I am the scripted demo model. My script fits only the sample project, and this is another one. " +
  "For real work choose a model: run **Rooroo: Select Model** from the command palette, or set " +
  "`rooroo.model.baseUrl` and `rooroo.model.name`.";
