import { strict as assert } from "node:assert";
import type { Frame } from "playwright-core";
import { chartPage } from "../../src/core/charts/chartPage.js";
import { call, report } from "../modelServer/modelServer.js";
import { axeViolations, colorRules } from "../panel/axeViolations.js";
import { dark, highContrast, highContrastLight, light, type Theme } from "../panel/themes.js";
import { type Stage, until } from "./stage.js";
import { useStage } from "./useStage.js";

/** The default themes, by the labels with which VS Code offers them. */
const themes: Readonly<Record<string, Theme>> = {
  "Light 2026": light,
  "Dark 2026": dark,
  "Dark High Contrast": highContrast,
  "Light High Contrast": highContrastLight,
};

/** The variables that one of them sets. */
const variableNames = [
  ...new Set(Object.values(themes).flatMap(({ variables }) => Object.keys(variables))),
];

const files = {
  ".jixo/parcels.job.md": `Weigh and label all parcels.

---
### JIXO: CLARIFICATION REQUEST
**ID**: Q-1
**To User**: I went on with what seemed best.

**Question**:
- Which labels go on parcels without a name?

**Response**:
- <!-- Write here. -->
---
`,
  ".jixo/parcels.log.md": `---
title: "Parcels"
progress: "33%"
---

## Roadmap

- [ ] **Phase 1: Ground**
  - [x] 1.1. Weigh the parcels
    - status: Completed
    - runner: parcels-1111
  - [ ] 1.2. Label the parcels
    - status: Pending
  - [ ] 1.3. Print the list
    - status: Pending

## Work Log

### Log 3 @parcels (2026-03-01T11:00:00Z)

- **Role**: Runner
- **Objective**: Task 1.2. Label the parcels
- **Result**: Failed
- **Summary**: The printer has no labels.

### Log 2 @parcels (2026-03-01T10:00:00Z)

- **Role**: Runner
- **Objective**: Task 1.1. Weigh the parcels
- **Result**: Succeeded
- **Summary**: Weighed them; \`parcels.csv\` has the weights.

### Log 1 @parcels (2026-03-01T09:00:00Z)

- **Role**: Planner
- **Objective**: Make the plan.
- **Result**: Succeeded
- **Summary**: Three tasks in one phase.
`,
  "sales.html": chartPage({
    title: "Sales",
    description: "Sales by month",
    language: "en",
    svg: '<svg viewBox="0 0 100 20"><rect width="60" height="20" fill="var(--series-1)"/></svg>',
    columns: [
      { title: "month", isNumber: false },
      { title: "sales", isNumber: true },
    ],
    rows: [["May", "60"]],
    source: "data/sales.csv",
  }),
};

describe("the pages in VS Code's own themes", () => {
  let stage: Stage;
  let panel: Frame;
  /** The HTML of the pages besides the panel, by their names. */
  const contents = new Map<string, string>();
  useStage({ files }, async (opened) => {
    stage = opened;
    await stage.page.setViewportSize({ width: 1280, height: 1700 });
    panel = await stage.panel();
    await fillTree();
    for (const [name, open] of Object.entries(pages)) {
      const frame = await open();
      contents.set(name, await frame.content());
      await stage.screenshot(`page-${name}`);
      await stage.runCommand("workbench.action.closeAllEditors");
    }
  });

  /** Leaves something of each kind in the tree of tasks. */
  const fillTree = async () => {
    stage.server.script(
      report("Failed", "There is nothing to measure.", { error_details: "No file was found." }),
      report(
        "Done",
        `It **adds up** \`invoices\`:\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n    ${"node ".repeat(80)}\n`,
      ),
      call("execute_command", { command: "npm test" }),
    );
    await stage.say(panel, "/ask How long is it?");
    await stage.row(/^Failed, How long is it/).waitFor();
    await stage.say(panel, "/ask What does this project do?");
    await stage.report(panel, "adds up").waitFor();
    await stage.row(/^Done, 1/).click();
    await stage.say(panel, "/do Run the tests");
    await stage
      .row(/^Needs You, Run the tests/)
      .first()
      .waitFor();
  };

  const taskOf = async (goal: string): Promise<string> => {
    for (const id of await stage.list(".rooroo/tasks")) {
      if ((await stage.read(`.rooroo/tasks/${id}/context.md`)).includes(goal)) return id;
    }
    throw new Error(`There is no task ${goal}.`);
  };

  /** The pages besides the panel, each with what stands in it. */
  const pages: Readonly<Record<string, () => Promise<Frame>>> = {
    taskReport: async () => {
      await stage.runCommand("rooroo.openReport", await taskOf("What does this project do?"));
      return frameWith("adds up invoices");
    },
    jobReport: async () => {
      await stage.runCommand("rooroo.showJobReport", "parcels");
      return frameWith("The printer has no labels.");
    },
    chart: async () => {
      await stage.openFile("sales.html");
      await stage.runCommand("rooroo.openChart");
      return frameWith("Sales by month");
    },
  };

  /** Returns the page besides the panel that shows a text. */
  const frameWith = async (text: string): Promise<Frame> => {
    let found: Frame | undefined;
    await until(async () => {
      for (const frame of stage.page.frames()) {
        if (frame === panel || !frame.url().includes("/fake.html?")) continue;
        const shown = await frame.evaluate(() => document.body.innerText).catch(() => "");
        if (shown.includes(text)) found = frame;
      }
      return found !== undefined;
    }, `a page shows “${text}”`);
    return found!;
  };

  it("axe has nothing to object to in a conversation beside the files", async () => {
    await stage.runCommand("rooroo.openConversationInEditor");
    await stage.page.getByRole("tab", { name: /How long is it/ }).waitFor();
    const frame = await frameWith("There is nothing to measure.");
    await stage.screenshot("page-conversation");
    assert.deepEqual(await axeViolations(frame), []);
    await stage.runCommand("workbench.action.closeAllEditors");
  });

  for (const [theme, known] of Object.entries(themes)) {
    it(`axe has nothing to object to, and the panel's screens are tested with its colors: ${theme}`, async () => {
      await pickTheme(stage, panel, theme);
      assert.deepEqual(await themeOf(panel, known), withoutQuotes(known));
      // Only colors differ from theme to theme.
      const rules = known === light ? undefined : colorRules;
      const found: Record<string, string[]> = {};
      const name = (page: string) => `theme-${theme.replaceAll(" ", "-").toLowerCase()}-${page}`;
      const violations = await axeViolations(panel, rules);
      if (violations.length > 0) found["panel"] = violations;
      await stage.screenshot(name("panel"));
      // The pages may not run scripts, and axe needs timers: it looks at copies of them.
      const copy = await stage.editor.context.newPage();
      const given = await themeAttributes(panel);
      for (const [page, content] of contents) {
        await copy.setContent(content);
        await copy.evaluate(setThemeAttributes, given);
        await copy.screenshot({ path: stage.screenshotPath(name(page)) });
        const violations = await axeViolations(copy, rules);
        if (violations.length > 0) found[page] = violations;
      }
      await copy.close();
      assert.deepEqual(found, {});
    });
  }
});

/** Returns a theme in which fonts have no quotes: each version of VS Code sets other ones. */
function withoutQuotes({ bodyClass, variables }: Theme): Theme {
  const entries = Object.entries(variables);
  const bare = entries.map(([name, value]) => [name, value.replaceAll(/["']/g, "")] as const);
  return { bodyClass, variables: Object.fromEntries(bare) };
}

/** The attributes of a webview's `html` and `body` by which VS Code gives it a theme. */
interface ThemeAttributes {
  readonly style: string;
  readonly bodyClass: string;
}

function themeAttributes(page: Frame): Promise<ThemeAttributes> {
  return page.evaluate(() => ({
    style: document.documentElement.getAttribute("style") ?? "",
    bodyClass: document.body.className,
  }));
}

/** Runs in the page. */
function setThemeAttributes({ style, bodyClass }: ThemeAttributes): void {
  document.documentElement.setAttribute("style", style);
  document.body.className = bodyClass;
}

/** Returns what VS Code gives a page of a theme's classes and variables, without quotes. */
function themeOf(page: Frame, { bodyClass }: Theme): Promise<Theme> {
  return page.evaluate(
    ([classes, names]) => {
      const style = getComputedStyle(document.documentElement);
      const valueOf = (name: string) => style.getPropertyValue(name).trim().replaceAll(/["']/g, "");
      return {
        bodyClass: classes.filter((name) => document.body.classList.contains(name)).join(" "),
        variables: Object.fromEntries(
          names
            .map((name): [string, string] => [name, valueOf(name)])
            .filter(([, value]) => value !== ""),
        ),
      };
    },
    [bodyClass.split(" "), variableNames] as const,
  );
}

/** Picks a theme from VS Code's list, and waits until a webview has it. */
async function pickTheme(stage: Stage, panel: Frame, label: string): Promise<void> {
  const { page } = stage;
  await stage.runCommand("workbench.action.selectTheme");
  const input = page.locator(".quick-input-widget:visible input.input");
  await input.fill(label);
  await page
    .locator(".quick-input-list .monaco-list-row.focused")
    .and(page.getByLabel(RegExp(`^${label}(,|$)`)))
    .waitFor();
  await input.press("Enter");
  await until(
    () => panel.evaluate((name) => document.body.dataset["vscodeThemeName"] === name, label),
    `the page has the theme ${label}`,
  );
}
