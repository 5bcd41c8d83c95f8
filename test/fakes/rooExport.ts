/** A key as it stands in exports; it must be nowhere in what an import shows or writes. */
export const secret = "sk-ant-REALLYSECRET0123456789abcdef";

/** An export of Roo Code's settings as somebody has it who has used it for a year, in the form of its own schema. */
export const rooExport = {
  providerProfiles: {
    currentApiConfigName: "claude",
    apiConfigs: {
      claude: {
        id: "a1b2",
        apiProvider: "anthropic",
        apiKey: secret,
        apiModelId: "claude-sonnet-4-5",
        modelTemperature: 0.2,
        modelMaxTokens: 16000,
        modelMaxThinkingTokens: 8000,
        rateLimitSeconds: 0,
      },
      router: {
        id: "c3d4",
        apiProvider: "openrouter",
        openRouterApiKey: secret,
        openRouterModelId: "vendor/model",
        reasoningEffort: "high",
      },
      company: {
        id: "e5f6",
        apiProvider: "openai",
        openAiApiKey: secret,
        openAiBaseUrl: "https://llm.example.test/v1",
        openAiModelId: "big-model",
        openAiHeaders: { "X-Team": secret },
        openAiCustomModelInfo: { contextWindow: 200000, maxTokens: -1, supportsImages: true },
      },
      local: {
        id: "g7h8",
        apiProvider: "ollama",
        ollamaModelId: "qwen3:8b",
        ollamaBaseUrl: "http://localhost:11434",
        ollamaNumCtx: 32768,
      },
      editor: {
        id: "i9",
        apiProvider: "vscode-lm",
        vsCodeLmModelSelector: { vendor: "copilot", family: "gpt-4o" },
      },
      cloud: { id: "j0", apiProvider: "roo", apiModelId: "roo/code" },
    },
    modeApiConfigs: { code: "a1b2", architect: "c3d4" },
    migrations: { rateLimitSecondsMigrated: true },
  },
  globalSettings: {
    autoApprovalEnabled: true,
    alwaysAllowExecute: true,
    alwaysAllowWrite: true,
    allowedCommands: ["npm test", "git log", "node", "*", "cargo build"],
    deniedCommands: ["rm -rf", "git push", "npm publish && rm", ""],
    customInstructions: "Answer briefly.",
    customModePrompts: {
      code: { customInstructions: "Write tests first." },
      debug: { customInstructions: "Log a lot." },
    },
    customModes: [
      {
        slug: "docs-writer",
        name: "📝 Docs Writer",
        roleDefinition: "You write documentation.",
        whenToUse: "For READMEs.",
        groups: ["read", ["edit", { fileRegex: "\\.md$", description: "Markdown" }], "browser"],
        source: "global",
      },
      { slug: "rooroo-planner", name: "Planner", roleDefinition: "You plan.", groups: ["read"] },
      { slug: "broken", name: "Broken", groups: ["everything"] },
    ],
    mode: "code",
    ttsEnabled: false,
    fuzzyMatchThreshold: 1,
    language: "en",
  },
};
