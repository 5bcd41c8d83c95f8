import type { Theme } from "./themes.js";

/** Runs in a page of the panel before its own script: what VS Code puts into every webview. */
export function editorSide(theme: Theme): void {
  const scope = globalThis as unknown as {
    acquireVsCodeApi: () => unknown;
    toHost: (message: unknown) => void;
    violations: string[];
  };
  scope.violations = [];
  document.addEventListener("securitypolicyviolation", (event) => {
    scope.violations.push(`${event.violatedDirective}: ${event.blockedURI}`);
  });
  scope.acquireVsCodeApi = () => ({
    postMessage: (message: unknown) => {
      scope.toHost(message);
    },
    getState: () => JSON.parse(sessionStorage.getItem("state") ?? "null") as unknown,
    setState: (state: unknown) => {
      sessionStorage.setItem("state", JSON.stringify(state));
    },
  });
  document.addEventListener("DOMContentLoaded", () => {
    document.body.className = theme.bodyClass;
    for (const [name, value] of Object.entries(theme.variables)) {
      document.documentElement.style.setProperty(name, value);
    }
  });
}
