import type { Command } from "./command.js";

/** A folder is open. */
const withFolder = "workspaceFolderCount != 0";
/** A folder is open, and trusted. */
const inFolder = `${withFolder} && isWorkspaceTrusted`;

/** The commands, by their ids. Their handlers are in `vscode/commands.ts` and in the rooms below it. */
export const commands = {
  "rooroo.addToRooroo": {
    title: "Add to Rooroo",
    palette: inFolder,
    menus: {
      "explorer/context": { when: withFolder, group: "z_rooroo@1" },
      "editor/title/context": { when: withFolder, group: "z_rooroo@1" },
      "scm/resourceState/context": { when: withFolder, group: "z_rooroo@1" },
      "scm/resourceGroup/context": { when: withFolder, group: "z_rooroo@1" },
      "editor/context": { when: withFolder, group: "z_rooroo@1" },
    },
  },
  "rooroo.addTerminalSelection": {
    title: "Add Terminal Selection to Rooroo",
    palette: inFolder,
    menus: {
      "terminal/context": { when: `${withFolder} && terminalTextSelected`, group: "z_rooroo@1" },
    },
  },
  "rooroo.fixWithRooroo": {
    title: "Fix with Rooroo",
    palette: inFolder,
    menus: { "editor/context": { when: withFolder, group: "z_rooroo@2" } },
  },
  "rooroo.explainWithRooroo": {
    title: "Explain with Rooroo",
    palette: inFolder,
    menus: { "editor/context": { when: withFolder, group: "z_rooroo@3" } },
  },
  "rooroo.writeCommitMessage": {
    title: "Write Commit Message",
    icon: "sparkle",
    palette: inFolder,
    menus: { "scm/title": { when: `scmProvider == git && ${inFolder}`, group: "navigation" } },
  },
  "rooroo.reviewMyChanges": {
    title: "Review My Changes…",
    palette: inFolder,
    menus: { "scm/title": { when: `scmProvider == git && ${inFolder}`, group: "z_rooroo@1" } },
  },
  "rooroo.clearFindings": { title: "Clear Review Findings", palette: inFolder },
  "rooroo.newConversation": {
    title: "New Conversation",
    icon: "add",
    keys: [
      {
        key: "ctrl+n",
        mac: "cmd+n",
        when: "rooroo.panelFocus && activeWebviewPanelId != rooroo.conversation",
      },
    ],
    titles: [{ view: "rooroo.chat", when: inFolder, group: "navigation@2" }],
  },
  "rooroo.showConversations": {
    title: "Show Conversations…",
    icon: "history",
    titles: [{ view: "rooroo.chat", when: inFolder, group: "navigation@3" }],
  },
  "rooroo.renameConversation": {
    title: "Rename Conversation…",
    titles: [{ view: "rooroo.chat", when: inFolder, group: "0_conversation@2" }],
  },
  "rooroo.deleteConversation": {
    title: "Delete Conversation…",
    titles: [{ view: "rooroo.chat", when: inFolder, group: "0_conversation@4" }],
  },
  "rooroo.exportConversation": {
    title: "Export Conversation as Markdown…",
    titles: [{ view: "rooroo.chat", when: inFolder, group: "0_conversation@3" }],
  },
  "rooroo.openConversationInEditor": {
    title: "Open Conversation in Editor",
    icon: "link-external",
    titles: [{ view: "rooroo.chat", when: inFolder, group: "0_conversation@1" }],
  },
  "rooroo.newConversationInEditor": {
    title: "New Conversation in Editor",
    keys: [{ key: "ctrl+n", mac: "cmd+n", when: "activeWebviewPanelId == rooroo.conversation" }],
  },
  "rooroo.moveView": {
    title: "Move to Secondary Side Bar or Elsewhere…",
    titles: [{ view: "rooroo.chat", group: "3_place@1" }],
  },
  "rooroo.showConversation": { title: "Show Conversation", palette: "false" },
  "rooroo.newRequest": {
    title: "New Request…",
    icon: "comment",
    keys: [{ key: "ctrl+alt+j", mac: "ctrl+cmd+j" }],
    titles: [{ view: "rooroo.tasks", when: inFolder, group: "navigation@2" }],
    rows: [{ on: /^list tasks\b/, inline: 1 }],
  },
  "rooroo.focusChat": { title: "Focus on Navigator View" },
  "rooroo.selectMode": { title: "Select Mode…" },
  "rooroo.selectApprovals": { title: "Select Approvals…" },
  "rooroo.showWaiting": { title: "Show What Needs You" },
  "rooroo.proceed": {
    title: "Proceed",
    icon: "run-all",
    enablement: "!rooroo.busy",
    titles: [
      {
        view: "rooroo.tasks",
        when: `rooroo.queued && !rooroo.busy && ${inFolder}`,
        group: "navigation@1",
      },
    ],
  },
  "rooroo.proceedOne": {
    title: "Run Next Task Only",
    icon: "debug-step-over",
    enablement: "!rooroo.busy",
    titles: [{ view: "rooroo.tasks", when: `rooroo.queued && ${inFolder}`, group: "1_run@1" }],
  },
  "rooroo.stop": {
    title: "Stop",
    icon: "debug-stop",
    enablement: "rooroo.busy",
    keys: [
      {
        key: "shift+escape",
        when: String.raw`rooroo.busy && (rooroo.panelFocus || focusedView =~ /^rooroo\./)`,
      },
    ],
    titles: [
      { view: "rooroo.chat", when: "rooroo.busy", group: "navigation@1" },
      { view: "rooroo.tasks", when: "rooroo.busy", group: "navigation@1" },
    ],
  },
  "rooroo.allow": {
    title: "Allow",
    icon: "check",
    palette: "rooroo.approvals > 0",
    keys: [{ key: "ctrl+enter", mac: "cmd+enter", when: "rooroo.panelFocus" }],
  },
  "rooroo.deny": {
    title: "Deny",
    icon: "circle-slash",
    palette: "rooroo.approvals > 0",
    keys: [{ key: "ctrl+alt+enter", mac: "cmd+alt+enter", when: "rooroo.panelFocus" }],
  },
  "rooroo.answer": {
    title: "Answer Question…",
    icon: "reply",
    rows: [{ on: /^task\b.*\banswerable\b/, inline: 1, group: "1_act@1" }],
  },
  "rooroo.showEarlierMessages": { title: "Show Earlier Messages" },
  "rooroo.adoptTask": {
    title: "Adopt External Task",
    icon: "check",
    rows: [{ on: /^task\b.*\badoptable\b/, inline: 1, group: "1_act@2" }],
  },
  "rooroo.resumeTask": {
    title: "Resume Task",
    icon: "debug-continue",
    enablement: "!rooroo.busy",
    rows: [{ on: /^task\b.*\bresumable\b/, inline: 1, group: "1_act@2" }],
  },
  "rooroo.runNext": {
    title: "Run Next",
    icon: "arrow-circle-up",
    rows: [{ on: /^task\b.*\bhasBefore\b/, inline: 1, group: "2_order@1" }],
  },
  "rooroo.moveUp": {
    title: "Move Up in Queue",
    icon: "arrow-up",
    keys: [{ key: "alt+up", args: "focus", when: "focusedView == rooroo.tasks && !inputFocus" }],
    rows: [{ on: /^task\b.*\bhasBefore\b/, group: "2_order@2" }],
  },
  "rooroo.moveDown": {
    title: "Move Down in Queue",
    icon: "arrow-down",
    keys: [{ key: "alt+down", args: "focus", when: "focusedView == rooroo.tasks && !inputFocus" }],
    rows: [{ on: /^task\b.*\bhasBehind\b/, group: "2_order@3" }],
  },
  "rooroo.removeFromQueue": {
    title: "Remove from Queue",
    icon: "trash",
    keys: [
      {
        key: "delete",
        mac: "cmd+backspace",
        args: "focus",
        when: "focusedView == rooroo.tasks && !inputFocus",
      },
    ],
    rows: [{ on: /^task\b.*\b(queued|request)\b/, inline: 2, group: "9_remove@1" }],
  },
  "rooroo.showTask": {
    title: "Show in Conversation",
    icon: "comment-discussion",
    rows: [{ on: /^task\b/, group: "3_open@0" }],
  },
  "rooroo.openPlan": {
    title: "Open Plan",
    icon: "list-tree",
    rows: [{ on: /^plan\b/, inline: 1, group: "3_open@1" }],
  },
  "rooroo.showPlanChanges": {
    title: "Show Changes of Plan",
    icon: "diff-multiple",
    palette: "rooroo.places > 0",
    rows: [{ on: /^(task|plan)\b.*\bworktree\b/, inline: 4, group: "4_changes@4" }],
  },
  "rooroo.landPlan": {
    title: "Land Plan",
    icon: "git-merge",
    palette: inFolder,
    rows: [
      { on: /^(task|plan)\b.*\bworktree\b/, inline: 5, group: "4_changes@5" },
      { on: /^awayPlan ended\b/, inline: 5, group: "4_team@1" },
    ],
  },
  "rooroo.updatePlan": {
    title: "Update Plan from Folder",
    icon: "sync",
    palette: "rooroo.places > 0",
    rows: [{ on: /^(task|plan)\b.*\bworktree\b/, group: "4_changes@6" }],
  },
  "rooroo.discardPlan": {
    title: "Discard Plan…",
    icon: "trash",
    palette: "rooroo.places > 0",
    rows: [{ on: /^(task|plan)\b.*\bisolated\b/, group: "4_changes@7" }],
  },
  "rooroo.openWorktree": {
    title: "Open Worktree in New Window",
    icon: "multiple-windows",
    palette: "rooroo.places > 0",
    rows: [{ on: /^(task|plan)\b.*\bworktree\b/, group: "4_changes@6" }],
  },
  "rooroo.sendPlan": {
    title: "Send Plan to Workers…",
    icon: "cloud-upload",
    palette: inFolder,
    rows: [{ on: /^plan\b.*\bqueued\b|^task queued\b/, group: "4_team@1" }],
  },
  "rooroo.pushPlan": {
    title: "Push Plan as Branch",
    icon: "repo-push",
    palette: inFolder,
    rows: [{ on: /^awayPlan ended\b/, group: "4_team@2" }],
  },
  "rooroo.cancelSentPlan": {
    title: "Cancel Sent Plan…",
    icon: "circle-slash",
    palette: inFolder,
    rows: [{ on: /^awayPlan\b/, group: "9_cancel@1" }],
  },
  "rooroo.refreshSentPlans": {
    title: "Refresh Sent Plans",
    icon: "refresh",
    palette: inFolder,
    rows: [{ on: /^away(Group|Plan)\b/, inline: 6, group: "5_refresh@1" }],
  },
  "rooroo.setTeamDatabase": { title: "Set Team Database…", icon: "database" },
  "rooroo.forgetTeamDatabase": { title: "Forget Team Database", icon: "trash" },
  "rooroo.openContext": {
    title: "Open Task Context",
    icon: "file",
    rows: [{ on: /^task\b.*\bcontext\b/, group: "3_open@2" }],
  },
  "rooroo.openReport": {
    title: "Open Task Report",
    icon: "output",
    rows: [{ on: /^task\b.*\breport\b/, group: "3_open@1" }],
  },
  "rooroo.openChart": {
    title: "Open Chart to the Side",
    icon: "open-preview",
    menus: {
      "editor/title": {
        when: String.raw`resourceExtname =~ /^\.html?$/ && resourcePath =~ /[\\\/](runs|outputs|\.rooroo)[\\\/]/`,
        group: "navigation@20",
      },
    },
  },
  "rooroo.openPageSource": {
    title: "Open Page Source",
    icon: "go-to-file",
    palette: "activeWebviewPanelId == rooroo.page",
    menus: {
      "editor/title": { when: "activeWebviewPanelId == rooroo.page", group: "navigation@20" },
    },
  },
  "rooroo.reviewChanges": {
    title: "Review Changes",
    icon: "diff-multiple",
    rows: [{ on: /^(task|plan)\b.*\bchanges\b/, inline: 4, group: "4_changes@1" }],
  },
  "rooroo.keepOrRevertChanges": {
    title: "Keep or Revert Changes…",
    icon: "checklist",
    rows: [{ on: /^(task|plan)\b.*\bchanges\b/, group: "4_changes@2" }],
    menus: { "editor/title": { when: "rooroo.reviewing", group: "navigation@20" } },
  },
  "rooroo.keepChangeHere": {
    title: "Keep This Change",
    icon: "check",
    enablement: "rooroo.reviewing",
    menus: { "editor/context": { when: "rooroo.reviewing", group: "1_rooroo@1" } },
  },
  "rooroo.revertChangeHere": {
    title: "Revert This Change",
    icon: "discard",
    enablement: "rooroo.reviewing",
    menus: { "editor/context": { when: "rooroo.reviewing", group: "1_rooroo@2" } },
  },
  "rooroo.restore": {
    title: "Restore Files or Conversation…",
    icon: "discard",
    enablement: "!rooroo.busy",
    palette: inFolder,
  },
  "rooroo.undoRestore": { title: "Undo Restore", enablement: "!rooroo.busy", palette: inFolder },
  "rooroo.finishRestore": {
    title: "Finish Restore",
    enablement: "!rooroo.busy",
    palette: inFolder,
  },
  "rooroo.undoTask": {
    title: "Undo Task…",
    icon: "discard",
    enablement: "!rooroo.busy",
    rows: [{ on: /^(task|plan)\b.*\bchanges\b/, inline: 5, group: "4_changes@3" }],
    menus: { "editor/title": { when: "rooroo.reviewing", group: "navigation@21" } },
  },
  "rooroo.newJob": {
    title: "New Job…",
    icon: "add",
    palette: inFolder,
    titles: [{ view: "rooroo.tasks", when: inFolder, group: "3_jobs@1" }],
    rows: [{ on: /^list jobs\b/, inline: 1 }],
  },
  "rooroo.runJob": {
    title: "Run Job…",
    icon: "run-all",
    palette: inFolder,
    rows: [{ on: /^job\b.*\bidle\b/, inline: 1, group: "1_act@1" }],
  },
  "rooroo.stopJob": {
    title: "Stop Job",
    icon: "debug-stop",
    palette: inFolder,
    rows: [{ on: /^job\b.*\brunning\b/, inline: 1, group: "1_act@1" }],
  },
  "rooroo.answerJob": {
    title: "Answer Job Question…",
    icon: "reply",
    palette: inFolder,
    rows: [
      { on: /^job.*\banswerable\b/, group: "1_act@2" },
      { on: /^jobQuestion\b.*\banswerable\b/, inline: 1 },
    ],
  },
  "rooroo.showJob": {
    title: "Show in Conversation",
    icon: "comment-discussion",
    palette: inFolder,
    rows: [{ on: /^(job|jobTask|jobPlanner)\b/, group: "3_open@0" }],
  },
  "rooroo.openJobFile": {
    title: "Open Job File",
    icon: "go-to-file",
    palette: inFolder,
    rows: [
      { on: /^job\b/, inline: 2, group: "3_open@1" },
      { on: /^jobQuestion\b/, group: "3_open@1" },
    ],
  },
  "rooroo.openJobLog": {
    title: "Open Job Log",
    icon: "history",
    palette: inFolder,
    rows: [
      { on: /^job\b.*\bhasLog\b/, inline: 3, group: "3_open@2" },
      { on: /^jobLog\b/, inline: 1, group: "3_open@2" },
      { on: /^jobTask\b/, group: "3_open@2" },
    ],
  },
  "rooroo.showJobReport": {
    title: "Show Job Report",
    icon: "graph",
    palette: inFolder,
    rows: [{ on: /^job\b.*\bhasLog\b/, inline: 4, group: "3_open@3" }],
  },
  "rooroo.reviewJobChanges": {
    title: "Review Job Changes",
    icon: "diff-multiple",
    palette: inFolder,
    rows: [{ on: /^job.*\bhasChanges\b/, inline: 5, group: "4_changes@1" }],
  },
  "rooroo.reviewRunChanges": {
    title: "Review Run Changes",
    icon: "diff-multiple",
    palette: inFolder,
    rows: [{ on: /^run.*\bhasChanges\b/, inline: 5, group: "4_changes@1" }],
  },
  "rooroo.undoRunPart": {
    title: "Undo Run Part…",
    icon: "discard",
    palette: inFolder,
    rows: [{ on: /^run(task|tool)\b.*\bhasChanges\b/, inline: 6, group: "4_changes@3" }],
  },
  "rooroo.undoJobTask": {
    title: "Undo Job Task…",
    icon: "discard",
    palette: inFolder,
    rows: [{ on: /^jobTask\b.*\bhasChanges\b/, inline: 6, group: "4_changes@3" }],
  },
  "rooroo.startRun": {
    title: "Start Run…",
    icon: "add",
    palette: inFolder,
    titles: [{ view: "rooroo.tasks", when: inFolder, group: "3_jobs@2" }],
    rows: [{ on: /^list runs\b/, inline: 1 }],
  },
  "rooroo.confirmRun": {
    title: "Confirm Run",
    icon: "check",
    palette: inFolder,
    rows: [
      { on: /^run\b.*\bneedsYou\b/, inline: 1, group: "1_act@1" },
      { on: /^runProposal\b/, inline: 1, group: "1_act@1" },
    ],
  },
  "rooroo.changeProposal": {
    title: "Change Proposal…",
    icon: "edit",
    palette: inFolder,
    rows: [
      { on: /^run\b.*\bneedsYou\b/, inline: 2, group: "1_act@2" },
      { on: /^runProposal\b/, inline: 2, group: "1_act@2" },
    ],
  },
  "rooroo.cancelRun": {
    title: "Cancel Run…",
    icon: "circle-slash",
    palette: inFolder,
    rows: [
      { on: /^run\b.*\bopen\b/, group: "9_cancel@1" },
      { on: /^runProposal\b/, group: "9_cancel@1" },
    ],
  },
  "rooroo.resumeRun": {
    title: "Resume Run",
    icon: "debug-continue",
    palette: inFolder,
    rows: [
      { on: /^run\b.*\bleft\b/, inline: 1, group: "1_act@1" },
      { on: /^run\b.*\bbroken\b/, inline: 1, group: "1_act@1" },
    ],
  },
  "rooroo.retryRun": {
    title: "Try Run Again",
    icon: "debug-restart",
    palette: inFolder,
    rows: [{ on: /^run\b.*\bfailed\b/, inline: 1, group: "1_act@1" }],
  },
  "rooroo.skipRun": {
    title: "Continue Run Without What Failed",
    icon: "debug-step-over",
    palette: inFolder,
    rows: [{ on: /^run\b.*\bcanSkip\b/, inline: 2, group: "1_act@2" }],
  },
  "rooroo.stopRun": {
    title: "Stop Run",
    icon: "debug-stop",
    palette: inFolder,
    rows: [{ on: /^run\b.*\b(here|elsewhere)\b/, inline: 1, group: "1_act@1" }],
  },
  "rooroo.showRun": {
    title: "Show in Conversation",
    icon: "comment-discussion",
    palette: inFolder,
    rows: [
      { on: /^run(task|tool)\b/, group: "3_open@0" },
      { on: /^run\b/, inline: 9, group: "3_open@0" },
    ],
  },
  "rooroo.openRunOutputs": {
    title: "Open Outputs",
    icon: "package",
    palette: inFolder,
    rows: [
      { on: /^run(task|tool)\b.*\bhasOutput\b/, inline: 3, group: "3_open@1" },
      { on: /^run\b.*\bhasOutputs\b/, inline: 3, group: "3_open@1" },
    ],
  },
  "rooroo.openProposal": {
    title: "Open Proposal",
    icon: "tasklist",
    palette: inFolder,
    rows: [
      { on: /^run\b.*\bhasProposal\b/, group: "3_open@2" },
      { on: /^runProposal\b/, group: "3_open@2" },
    ],
  },
  "rooroo.openRunReport": {
    title: "Open Run Report",
    icon: "output",
    palette: inFolder,
    rows: [{ on: /^run\b.*\bhasReport\b/, group: "3_open@3" }],
  },
  "rooroo.openRunTable": {
    title: "Open Runs Table",
    icon: "table",
    palette: inFolder,
    rows: [{ on: /^run\b/, group: "3_open@4" }],
  },
  "rooroo.showMoreRows": { title: "Show More Rows", palette: "false" },
  "rooroo.openEarlierFile": { title: "Open File of Earlier Work", palette: "false" },
  "rooroo.openQueue": {
    title: "Open Queue",
    icon: "list-ordered",
    titles: [{ view: "rooroo.tasks", when: inFolder, group: "2_files@1" }],
  },
  "rooroo.openActivityLog": {
    title: "Open Activity Log",
    icon: "history",
    titles: [
      { view: "rooroo.chat", when: inFolder, group: "2_files@1" },
      { view: "rooroo.tasks", when: inFolder, group: "2_files@2" },
    ],
  },
  "rooroo.manageApprovals": {
    title: "Manage Approvals…",
    icon: "shield",
    titles: [{ view: "rooroo.chat", when: inFolder, group: "1_model@3" }],
  },
  "rooroo.useSandbox": { title: "Run Commands in a Sandbox" },
  "rooroo.checkMachine": { title: "Check This Machine" },
  "rooroo.openAccessibleView": {
    title: "Open Accessible View",
    keys: [{ key: "alt+f2", mac: "alt+f2", when: "rooroo.panelFocus" }],
  },
  "rooroo.openWalkthrough": { title: "Open Walkthrough" },
  "rooroo.openSettings": {
    title: "Open Settings",
    icon: "settings-gear",
    titles: [{ view: "rooroo.chat", group: "1_model@4" }],
  },
  "rooroo.selectModel": {
    title: "Select Model…",
    icon: "server",
    titles: [{ view: "rooroo.chat", group: "1_model@1" }],
  },
  "rooroo.switchProfile": {
    title: "Switch Model Profile…",
    icon: "bookmark",
    titles: [{ view: "rooroo.chat", group: "1_model@1" }],
  },
  "rooroo.saveProfile": { title: "Save Current Model as Profile…", icon: "save" },
  "rooroo.tryToolCalling": {
    title: "Try Tool Calling Again",
    palette: "rooroo.toolless",
    titles: [{ view: "rooroo.chat", when: "rooroo.toolless", group: "1_model@5" }],
  },
  "rooroo.testConnection": {
    title: "Test Model Connection",
    icon: "plug",
    titles: [{ view: "rooroo.chat", group: "1_model@4" }],
  },
  "rooroo.setApiKey": {
    title: "Set API Key…",
    icon: "key",
    titles: [{ view: "rooroo.chat", group: "1_model@2" }],
  },
  "rooroo.setWebSearchKey": { title: "Set Web Search Key…", icon: "key" },
  "rooroo.selectTools": { title: "Select VS Code Tools…", icon: "tools" },
  "rooroo.importSettings": { title: "Import Settings from Another Tool…", icon: "cloud-download" },
  "rooroo.openMcpServers": { title: "Open MCP Servers (JSON)", icon: "mcp" },
  "rooroo.reviewMcpServers": { title: "Review MCP Servers of Workspace…", icon: "mcp" },
  "rooroo.reviewGitConfiguration": { title: "Review Git Configuration…", icon: "git-commit" },
} as const satisfies Readonly<Record<`rooroo.${string}`, Command>>;

export type CommandId = keyof typeof commands;
