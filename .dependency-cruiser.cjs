// The direction of imports, as ARCHITECTURE.md draws it. TypeScript's project references hold the
// outer layers; these rules hold the inner ones, and forbid cycles.

/** Inside core, a folder may import only itself, the ports, and those listed. */
const core = {
  ports: ["charts"],
  text: ["documents"],
  access: ["documents", "text"],
  agent: ["access", "documents", "provenance", "text"],
  commands: ["access", "agent", "approvals", "text"],
  approvals: ["access", "agent"],
  spending: ["agent", "text"],
  documents: [],
  provenance: [],
  charts: ["documents", "text"],
  activity: ["documents", "text"],
  conversation: ["agent", "documents", "provenance", "text"],
  tools: ["access", "agent", "approvals", "charts", "commands", "documents", "text"],
  changes: ["access", "agent", "approvals", "documents", "provenance", "text"],
  envelope: ["access", "agent", "documents", "text", "tools"],
  models: ["agent", "documents", "text"],
  experts: [
    "access",
    "activity",
    "agent",
    "approvals",
    "changes",
    "commands",
    "conversation",
    "documents",
    "envelope",
    "spending",
    "text",
    "tools",
  ],
  work: ["access", "agent", "documents", "experts", "text", "tools"],
  jobs: [
    "access",
    "agent",
    "changes",
    "conversation",
    "documents",
    "experts",
    "provenance",
    "spending",
    "text",
    "tools",
    "work",
  ],
  runs: ["access", "agent", "conversation", "documents", "experts", "text", "tools", "work"],
  navigator: [
    "access",
    "activity",
    "agent",
    "approvals",
    "changes",
    "conversation",
    "documents",
    "experts",
    "models",
    "provenance",
    "spending",
    "text",
    "tools",
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
    ...["core", "webview", "node", "vscode", "cli"].map((layer) => ({
      name: `late-${layer}`,
      comment: "what of another layer loads late is decided in runtime and by the editor's root",
      severity: "error",
      from: { path: `^src/${layer}/` },
      to: { dynamic: true, path: "^src/", pathNot: `^src/${layer}/` },
    })),
    {
      name: "late-window-runtime",
      severity: "error",
      from: { path: "^src/windowRuntime\\.ts$" },
      to: { dynamic: true },
    },
    ...Object.entries(core).map(([folder, allowed]) => ({
      name: `core-${folder}`,
      severity: "error",
      from: { path: `^src/core/${folder}/` },
      to: {
        path: "^src/core/[^/]+/",
        pathNot: `^src/core/(${[folder, "ports", ...allowed].join("|")})/`,
      },
    })),
    ...["jobs", "runs"].flatMap((room) => [
      {
        name: `core-${room}-documents`,
        comment: "reading and editing documents knows nothing of the work on them",
        severity: "error",
        from: { path: `^src/core/${room}/documents/` },
        to: { path: `^src/core/${room}/`, pathNot: `^src/core/${room}/documents/` },
      },
      {
        name: `core-${room}-work`,
        severity: "error",
        from: { path: `^src/core/${room}/work/` },
        to: { path: `^src/core/${room}/`, pathNot: `^src/core/${room}/(documents|work)/` },
      },
    ]),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.base.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types"] },
  },
};
