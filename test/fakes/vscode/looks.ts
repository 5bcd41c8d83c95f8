import type * as real from "vscode";
import { TreeItemCollapsibleState } from "./enums.js";

export class ThemeColor implements real.ThemeColor {
  constructor(readonly id: string) {}
}

export class ThemeIcon implements real.ThemeIcon {
  static readonly File = new ThemeIcon("file");
  static readonly Folder = new ThemeIcon("folder");

  constructor(
    readonly id: string,
    readonly color?: real.ThemeColor,
  ) {}
}

export class MarkdownString {
  value: string;
  isTrusted?: boolean;
  supportHtml?: boolean;
  baseUri?: real.Uri;

  constructor(
    value = "",
    public supportThemeIcons = false,
  ) {
    this.value = value;
  }

  /** Adds text that stands there as it is written, as VS Code does. */
  appendText(text: string): this {
    this.value += text
      .replaceAll(/[\\`*_{}[\]()#+\-!~]/g, String.raw`\$&`)
      .replaceAll(/[ \t]+/g, (spaces) => "&nbsp;".repeat(spaces.length))
      .replaceAll(">", String.raw`\>`)
      .replaceAll("\n", "\n\n");
    return this;
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }

  appendCodeblock(code: string, language = ""): this {
    const longest = Math.max(2, ...[...code.matchAll(/^`{3,}/gm)].map(([run]) => run.length));
    const fence = "`".repeat(longest + 1);
    this.value += `\n${fence}${language}\n${code}\n${fence}\n`;
    return this;
  }
}

export class TreeItem {
  label?: string;
  resourceUri?: real.Uri;
  id?: string;
  description?: string | boolean;
  iconPath?: unknown;
  tooltip?: string | MarkdownString;
  contextValue?: string;
  command?: real.Command;
  accessibilityInformation?: real.AccessibilityInformation;

  constructor(
    what: string | real.Uri,
    public collapsibleState: real.TreeItemCollapsibleState = TreeItemCollapsibleState.None,
  ) {
    if (typeof what === "string") this.label = what;
    else this.resourceUri = what;
  }
}
