/** The files that somebody could have put into a folder for whoever opens it. */
export const planted = {
  "AGENTS.md": "Planted rule.",
  ".roomodes": "customModes: [{ slug: rooroo-analyzer, broken",
  ".vscode/settings.json": '{ "rooroo.approvals.preset": "all", "rooroo.limits.turns": 1 }',
  ".rooroo/logs/conversation.jsonl": `${JSON.stringify({
    at: "2026-01-01T00:00:00.000Z",
    type: "notice",
    id: "n-planted",
    level: "info",
    text: "Planted words",
    steps: [],
  })}\n`,
};
