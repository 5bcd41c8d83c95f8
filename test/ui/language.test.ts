import assert from "node:assert/strict";
import type { Frame } from "playwright-core";
import { call, report, triage } from "../modelServer/modelServer.js";
import type { Stage } from "./stage.js";
import { useStage } from "./useStage.js";

describe("the display language", () => {
  let stage: Stage;
  let panel: Frame;
  useStage({ language: "de" }, async (opened) => {
    stage = opened;
    panel = await stage.panel();
  });

  it("is that of the panel and of the lists", async () => {
    assert.equal(await panel.evaluate(() => document.documentElement.lang), "de");
    await panel.getByText("Woran sollen wir arbeiten?").waitFor();
    await stage.page.getByText(/^Es gibt noch keine Aufgaben/).waitFor();
    await stage.screenshot("language-start");
    stage.server.script(
      triage("direct", { expert: "rooroo-developer", goal: "Notiz anlegen" }),
      call("write_to_file", { path: "notiz.md", content: "# Notiz\n" }),
      report("Done", "Die Notiz ist angelegt."),
    );
    const input = panel.getByRole("textbox", { name: "Nachricht an den Navigator" });
    await input.fill("Leg eine Notiz an");
    await input.press("Enter");
    const allow = panel.getByRole("button", { name: "Zulassen", exact: true });
    await allow.waitFor();
    const dock = panel.locator("rooroo-dock");
    await dock.getByText("notiz.md erstellen").waitFor();
    await dock.getByText("Ändern von Dateien: Es wird gefragt.").waitFor();
    await stage.screenshot("language-approval");
    await allow.click();
    await panel.locator(".report").getByText("Die Notiz ist angelegt.").waitFor();
    await panel.getByText("1 Datei geändert").waitFor();
    await stage.row(/^Erledigt/).waitFor();
    await stage.screenshot("language-done");
  });
});
