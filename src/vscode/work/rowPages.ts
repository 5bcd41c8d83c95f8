import * as vscode from "vscode";
import type { RowPaging } from "./row.js";

/** The rows of one parent that are shown at first; each further page has as many as are shown by then. */
const firstPage = 100;

/** How much is shown of lists that are long, until the window closes. The last row of each shows more. */
export class RowPages implements RowPaging, vscode.Disposable {
  private readonly pages = new Map<string, number>();
  private readonly asked = new vscode.EventEmitter<string>();
  /** Fires with the id of a row that is to show more, just before it does. */
  readonly onDidAsk = this.asked.event;

  shown(list: string): number {
    return this.pages.get(list) ?? firstPage;
  }

  /** @param id that of the row that shows more of a list; what is no such id is ignored */
  showMore(id: unknown): void {
    const [, list] = typeof id === "string" ? (/^more:(.*):\d+$/.exec(id) ?? []) : [];
    if (list === undefined) return;
    this.asked.fire(String(id));
    this.pages.set(list, 2 * this.shown(list));
  }

  dispose(): void {
    this.asked.dispose();
  }
}
