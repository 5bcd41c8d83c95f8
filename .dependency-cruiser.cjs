// The direction of imports, as ARCHITECTURE.md draws it. TypeScript's project references hold the
// outer layers; these rules hold the inner ones, and forbid cycles.

/** Inside core, a folder may import only itself and those listed. */
const core = {
  agent: ["documents", "provenance"],
  commands: ["agent", "approvals"],
  approvals: ["agent"],
  spending: ["agent"],
  documents: [],
  provenance: [],
  charts: ["documents"],
  activity: ["documents"],
  conversation: ["agent", "documents", "provenance"],
  tools: ["agent", "approvals", "charts", "commands", "documents"],
  changes: ["agent", "approvals", "documents", "provenance", "tools"],
  envelope: ["agent", "documents", "tools"],
  models: ["agent", "documents"],
  experts: [
    "agent",
    "approvals",
    "changes",
    "commands",
    "envelope",
    "tools",
    "conversation",
    "documents",
    "activity",
    "spending",
  ],
  work: ["agent", "documents", "experts", "tools"],
  jobs: ["agent", "changes", "conversation", "documents", "experts", "provenance", "tools", "work"],
  runs: ["agent", "conversation", "documents", "experts", "tools", "work"],
  navigator: [
    "agent",
    "approvals",
    "changes",
    "experts",
    "conversation",
    "documents",
    "activity",
    "models",
    "provenance",
    "tools",
    "spending",
    "work",
  ],
};

const layers = {
  core: ["core"],
  protocol: ["protocol", "core"],
  webview: ["webview", "protocol", "core"],
  node: ["node", "core"],
  vscode: ["vscode", "protocol", "core"],
  runtime: ["runtime", "node", "core"],
  cli: ["cli", "runtime", "node", "core"],
};

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "core-is-pure",
      comment: "core may use pure libraries only; the world comes through ports",
      severity: "error",
      from: { path: "^src/core/" },
      to: {
        dependencyTypes: ["npm", "npm-dev", "core", "unknown", "undetermined", "npm-no-pkg"],
        pathNot:
          "node_modules/(zod|jsonl-parse-stringify|json5|yaml|markdown-it|minisearch|ignore|diff|d3-dsv)/",
      },
    },
    {
      name: "vscode-stays-in-vscode",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(vscode/|(extension|windowRuntime)\\.ts$)" },
      to: { path: "^vscode$" },
    },
    ...Object.entries(layers).map(([layer, allowed]) => ({
      name: `layer-${layer}`,
      severity: "error",
      from: { path: `^src/${layer}/` },
      to: { path: "^src/", pathNot: `^src/(${allowed.join("|")})/` },
    })),
    ...Object.entries(core).map(([folder, allowed]) => ({
      name: `core-${folder}`,
      severity: "error",
      from: { path: `^src/core/${folder}/` },
      to: { path: "^src/core/[^/]+/", pathNot: `^src/core/(${[folder, ...allowed].join("|")})/` },
    })),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types"] },
  },
};
