import type { RpcClient } from "../protocol/rpcClient.js";

/**
 * Handles every click on a link, a file or a copy button below `root`: nothing in the page navigates by
 * itself; the host opens what may be opened.
 */
export function linkClicks(root: HTMLElement, request: RpcClient["request"]): void {
  const onClick = (event: MouseEvent): void => {
    const target = event.composedPath().find((node) => node instanceof HTMLElement);
    const link = target?.closest("a");
    if (link) {
      // The editor would open the link too if it saw the click.
      event.preventDefault();
      event.stopPropagation();
      void request("openLink", { url: link.href }).catch(() => undefined);
      return;
    }
    if (event.type !== "click") return;
    const file = target?.closest<HTMLElement>("[data-path]");
    if (file) {
      const line = Number(file.dataset["line"] ?? 0);
      const path = file.dataset["path"] ?? "";
      void request("openFile", { path, ...(line > 0 ? { line } : {}) }).catch(() => undefined);
      return;
    }
    const copy = target?.closest<HTMLElement>("[data-copy]");
    const code = copy?.closest(".code-block")?.querySelector("pre");
    if (copy && code) void copyText(copy, code.textContent, request);
  };
  root.addEventListener("click", onClick);
  root.addEventListener("auxclick", onClick);
}

async function copyText(
  button: HTMLElement,
  text: string,
  request: RpcClient["request"],
): Promise<void> {
  try {
    await request("copy", { text });
  } catch {
    return;
  }
  button.classList.replace("codicon-copy", "codicon-check");
  setTimeout(() => button.classList.replace("codicon-check", "codicon-copy"), 1_500);
}
