import assert from "node:assert/strict";
import type * as SourceMessages from "../../scripts/l10n/messages.mjs";
import { changedParts } from "../../src/core/text/allSpoken.js";
import { markedMessages, unmarked } from "../fakes/markedMessages.js";
import { panelBrowser } from "./panelBrowser.js";
import { PanelHost } from "./panelHost.js";
import { panelScreens } from "./panelScreens.js";

const { sourceMessages } = (await import(
  new URL("../../../scripts/l10n/messages.mjs", import.meta.url).href
)) as typeof SourceMessages;

/** Fields with what a person, a model or a command wrote, or what the host says in the person's language. */
const written = new Set(
  (
    "answer artifacts conflicts content description diff editable goal intro justification message name options output " +
    "overview path problem questions reason report request suggestions summary text title why words writes"
  ).split(" "),
);

/** The texts that are the same in all languages: names, keys, ids, commands, and what a run's agents call their instructions. */
const names = [
  ...["Rooroo Navigator", "Ctrl", "Alt", "Enter", "gpt-5", "run_command", "scope", "style"],
  ...[/ROO#\w+/, /run-[\d-]+/, /\d [AP]M\b/, /\/[a-z-]+/],
];

describe("the panel's page in another language", () => {
  it("has no English on its screens but what a person, a model or the host wrote", async () => {
    const messages = markedMessages(sourceMessages().keys());
    const host = await PanelHost.open(await panelBrowser(), {
      still: true,
      language: ["ja", messages],
    });
    try {
      const post = host.post.bind(host);
      host.post = (given) => post(inGreek(given));
      await host.load();
      const found = new Set<string>();
      for (const [name, show] of Object.entries(panelScreens)) {
        await show(host);
        await host.drawn();
        const shown = await host.page.evaluate(shownTexts);
        for (const words of unmarked(shown.join("\n"), names)) found.add(words);
        assert.deepEqual([...found], [], name);
      }
    } finally {
      await host.close();
    }
  });
});

/** Returns data with the letters of all that is written in it as Greek ones. */
function inGreek<T>(data: T): T {
  const changed = (value: unknown, isWritten: boolean): unknown =>
    typeof value === "string" && isWritten
      ? value.replaceAll(/[A-Za-z]/g, (letter) =>
          String.fromCharCode(0x3b1 + (letter.toLowerCase().charCodeAt(0) - 0x61)),
        )
      : changedParts(value, (part, name) =>
          changed(part, written.has(name) || (isWritten && /^\d+$/.test(name))),
        );
  return changed(data, false) as T;
}

/** Runs in the page: returns all that it shows and says. */
function shownTexts(): string[] {
  const texts: (string | null)[] = [];
  const visit = (node: Node): void => {
    if (node instanceof HTMLStyleElement) return;
    if (node instanceof Text) texts.push(node.data);
    if (node instanceof Element) {
      for (const name of ["aria-label", "aria-description", "title", "placeholder", "alt"]) {
        texts.push(node.getAttribute(name));
      }
      node.shadowRoot?.childNodes.forEach(visit);
    }
    node.childNodes.forEach(visit);
  };
  visit(document.body);
  return [...new Set(texts.map((text) => text?.trim() ?? ""))];
}
