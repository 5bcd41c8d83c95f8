import type { RpcClient } from "../../protocol/rpcClient.js";
import { copiedText } from "../items/messageTools.js";
import { t } from "../text/words.js";
import { ItemElement } from "./itemElement.js";

/**
 * Handles every click on a link, a file or a button for copying or inserting below `root`: nothing in the page
 * navigates by itself; the host opens what may be opened.
 *
 * @param say announces to screen readers what was done
 */
export function linkClicks(
  root: HTMLElement,
  request: RpcClient["request"],
  say: (words: string) => void,
): void {
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
    if (copy) void copyText(copy, request, say);
    const insert = target?.closest<HTMLElement>("[data-insert]");
    if (insert) void insertText(codeOf(insert).replace(/\n$/, ""), request, say);
  };
  root.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (!(target instanceof HTMLElement) || !target.matches("span[role=button]")) return;
    if (key !== "Enter" && key !== " ") return;
    event.preventDefault();
    target.click();
  });
  root.addEventListener("click", onClick);
  root.addEventListener("auxclick", onClick);
}

async function copyText(
  button: HTMLElement,
  request: RpcClient["request"],
  say: (words: string) => void,
): Promise<void> {
  const element = button.closest("rooroo-item");
  const isMessage = button.dataset["copy"] === "message" && element instanceof ItemElement;
  try {
    await request("copy", { text: isMessage ? copiedText(element.item) : codeOf(button) });
  } catch {
    return;
  }
  say(t("Copied"));
  button.classList.replace("codicon-copy", "codicon-check");
  setTimeout(() => button.classList.replace("codicon-check", "codicon-copy"), 1_500);
}

/** Inserts text into the editor, and says into which file. */
async function insertText(
  text: string,
  request: RpcClient["request"],
  say: (words: string) => void,
): Promise<void> {
  try {
    say(t("Inserted into {0}", await request("insert", { text })));
  } catch {
    // `request` has shown why.
  }
}

/** Returns the code to which a button belongs. */
function codeOf(button: HTMLElement): string {
  return button.closest(".code-block")?.querySelector("pre")?.textContent ?? "";
}
