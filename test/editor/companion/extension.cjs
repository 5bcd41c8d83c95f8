// What Rooroo's tests need of another extension: a language model whose replies they script, and a
// tool. Both are registered as any extension registers them.
const vscode = require("vscode");

const model = {
  id: "scripted/one",
  name: "Scripted One",
  family: "scripted",
  version: "1",
  maxInputTokens: 50_000,
  maxOutputTokens: 5_000,
  capabilities: { toolCalling: true },
};
const plain = { ...model, id: "scripted/plain", name: "Scripted Plain", capabilities: {} };

exports.activate = (context) => {
  /** Replies yet to give: a list of parts, or a function that is given the request and throws or answers. */
  const replies = [];
  /** `{ messages, options }` of every request, as VS Code hands them on. */
  const requests = [];
  const provider = {
    provideLanguageModelChatInformation: () => [model, plain],
    provideTokenCount: async (_model, text) => Math.ceil(JSON.stringify(text).length / 4),
    async provideLanguageModelChatResponse(_model, messages, options, progress, token) {
      const request = { messages, options, token };
      requests.push(request);
      const next = replies.shift();
      if (next === undefined) throw new Error("The test's script ends here.");
      const parts = typeof next === "function" ? await next(request) : next;
      for (const part of parts) {
        progress.report(
          typeof part === "string"
            ? new vscode.LanguageModelTextPart(part)
            : new vscode.LanguageModelToolCallPart(part.callId, part.name, part.input),
        );
      }
    },
  };
  const echo = {
    invoke: ({ input }) =>
      new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(`Echo: ${input.text}`)]),
  };
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider("rooroo-test", provider),
    vscode.lm.registerTool("rooroo_test_echo", echo),
  );
  return { replies, requests, context };
};
