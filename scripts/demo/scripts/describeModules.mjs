import { call, contentOf } from "./script.mjs";

/** @typedef {import("./script.mjs").Reply} Reply */
/** @typedef {import("../readRequest.mjs").JobRequest} JobRequest */

/** The last task of the plan; the log has it as soon as there is a plan. */
const lastTask = "List the pages in docs/modules/README.md";

/** The job that the demo model knows: a page for each module, then a list of the pages. */
/** @param {JobRequest} request @returns {Reply} */
export function describeModules(request) {
  return request.role === "Planner" ? plan(request) : work(request);
}

/** @param {JobRequest} request @returns {Reply} */
function plan({ told, turns }) {
  if (told.includes(lastTask)) {
    return handIn({ summary: "The roadmap serves the goal as it is.", changes: [] });
  }
  if (turns.length === 0) {
    return {
      say: "I look at which modules there are.",
      calls: [call("list_files", { path: "src", recursive: true })],
    };
  }
  const listed = turns[0].calls[0].result.match(/\S+\.(?:[cm]?[jt]s)\b/g) ?? [];
  const modules = listed.map((path) => (path.startsWith("src/") ? path : `src/${path}`));
  const pages = modules.map((path, index) => `1.${index + 1}. Describe ${path}`);
  const phases = [
    { text: "1. A page for each module", tasks: pages },
    {
      text: "2. Put them together (after 1)",
      tasks: [`2.1. ${lastTask}`],
    },
  ];
  return handIn({
    title: "A page for each module",
    summary: `${modules.length} modules, a task each, then a list of the pages.`,
    changes: [{ action: "add", items: pages.length > 0 ? phases : phases.slice(1) }],
    clarification: {
      question: "Who will read the pages: people who use the modules, or who change them?",
      to_user: "I write for people who use them, until you say something else.",
      placeholder: "Write your answer here.",
    },
  });
}

/** @param {JobRequest} request @returns {Reply} */
function work(request) {
  const { objective, turns } = request;
  const [, path] = /Describe (src\/\S+)$/m.exec(objective) ?? [];
  if (path !== undefined) return describe(request, path);
  if (turns.length === 0) {
    return { calls: [call("list_files", { path: "docs/modules", recursive: false })] };
  }
  if (turns.length === 1) {
    const pages = turns[0].calls[0].result.match(/[\w-]+\.md/g) ?? [];
    const names = [...new Set(pages)].filter((name) => name !== "README.md");
    const links = names.map((name) => `- [${name.replace(/\.md$/, "")}](${name})\n`);
    const content = `# Modules\n\n${links.join("")}`;
    return { calls: [call("write_to_file", { path: "docs/modules/README.md", content })] };
  }
  return handIn({
    result: "Succeeded",
    summary: "The pages are listed in docs/modules/README.md.",
  });
}

/** @param {JobRequest} request @param {string} path @returns {Reply} */
function describe(request, path) {
  const { turns } = request;
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
  const page = `docs/modules/${name}.md`;
  if (turns.length === 0)
    return { say: `I read \`${path}\`.`, calls: [call("read_file", { path })] };
  const source = contentOf(request, path);
  if (source === undefined) return handIn({ result: "Failed", summary: `There is no ${path}.` });
  const exported = [...source.matchAll(/export (?:async )?(?:function|const|class) (\w+)/g)];
  const names = exported.map(([, one]) => one);
  if (turns.length === 1) {
    const list = names.map((one) => `- \`${one}\`\n`).join("");
    const content = `# ${name}\n\n\`${path}\` exports:\n\n${list || "- what other modules export\n"}`;
    return { calls: [call("write_to_file", { path: page, content })] };
  }
  const summary = `${page} tells of ${names.length === 1 ? "1 export" : `${names.length} exports`}.`;
  return handIn({ result: "Succeeded", summary });
}

/** @param {Record<string, unknown>} report @returns {Reply} */
function handIn(report) {
  return { calls: [call("attempt_completion", report)] };
}
