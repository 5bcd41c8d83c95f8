import { call, done } from "./script.mjs";

const MOST_FILES = 3;

/** @type {import("./script.mjs").Script} */
export const lookAround = [
  {
    say: "I look at what is here.",
    calls: [call("list_files", { path: ".", recursive: true })],
  },
  (request) => {
    const chosen = worthReading(request);
    if (chosen.length === 0) return report(request);
    return {
      say: `Worth a look: ${chosen.map((path) => `\`${path}\``).join(", ")}.`,
      calls: chosen.map((path) => call("read_file", { path })),
    };
  },
  (request) => report(request),
];

/**
 * Files whose names the goal mentions, then those that tell most.
 *
 * @param {import("./script.mjs").ExpertRequest} request
 */
function worthReading(request) {
  const words = request.goal.toLowerCase().match(/[a-z]{4,}/g) ?? [];
  const telling = [/^readme/i, /^package\.json$/, /(^|\/)(index|main)\.\w+$/];
  const rank = (/** @type {string} */ path) => {
    const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
    const stem = name.replace(/\..*$/, "");
    if (words.some((word) => word === stem || word === `${stem}s` || `${word}s` === stem)) return 0;
    const index = telling.findIndex((pattern) => pattern.test(path));
    return index < 0 ? Infinity : index + 1;
  };
  const known = listed(request).filter((path) => rank(path) < Infinity);
  return known.sort((a, b) => rank(a) - rank(b)).slice(0, MOST_FILES);
}

/** @param {import("./script.mjs").ExpertRequest} request */
function listed({ turns }) {
  const lines = turns[0].calls[0].result.split("\n");
  return lines.filter((line) => /\.\w+$/.test(line) && !line.startsWith("("));
}

/** @param {import("./script.mjs").ExpertRequest} request */
function report(request) {
  const read = request.turns.flatMap(({ calls }) =>
    calls.filter(({ name }) => name === "read_file"),
  );
  const lines = read.map(
    ({ args, result }) => `- \`${args.path}\`: ${result.split("\n").length} lines`,
  );
  const count = listed(request).length;
  return done(
    [
      `I am the scripted demo model: I can look, but I cannot understand "${short(request.goal)}".`,
      `${count === 1 ? "There is 1 file" : `There are ${count} files`} here.${lines.length > 0 ? " I read:" : ""}`,
      ...(lines.length > 0 ? ["", ...lines] : []),
      "",
      "For a real answer choose a model: **Rooroo: Select Model** in the command palette, or the " +
        "settings `rooroo.model.baseUrl` and `rooroo.model.name`.",
    ].join("\n"),
  );
}

/** @param {string} text */
function short(text) {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 80)}…` : line;
}
