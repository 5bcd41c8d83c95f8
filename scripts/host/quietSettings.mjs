/**
 * Settings that keep VS Code from calling home, from asking, and from moving under a test.
 *
 * @param {{ trusted: boolean }} options `trusted`: open folders without Restricted Mode.
 * @returns {Record<string, unknown>}
 */
export function quietSettings({ trusted }) {
  return {
    "telemetry.telemetryLevel": "off",
    "extensions.autoCheckUpdates": false,
    "extensions.autoUpdate": false,
    "extensions.ignoreRecommendations": true,
    "update.mode": "none",
    "workbench.enableExperiments": false,
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "security.workspace.trust.enabled": !trusted,
    "security.workspace.trust.startupPrompt": "never",
    // As in a desktop editor; in a browser it is on, and would save what a test has only typed.
    "files.autoSave": "off",
    "git.openRepositoryInParentFolders": "never",
    "chat.agentHost.enabled": false,
    "chat.commandCenter.enabled": false,
    "npm.fetchOnlinePackageInfo": false,
    // It would run `npm install` for the types of every package that a project names.
    "typescript.disableAutomaticTypeAcquisition": true,
    // No extension of ours runs in a browser's worker; starting one costs a tenth of a window's start.
    "extensions.webWorker": false,
  };
}
