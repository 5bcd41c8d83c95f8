import type * as real from "vscode";
import { type Document, type Documents, nameOf } from "./documents.js";
import { TextEdit } from "./edits.js";
import { EndOfLine, ViewColumn } from "./enums.js";
import { EventEmitter } from "./events.js";
import { type Tab, TabInputText, TabInputTextDiff, type Tabs } from "./tabs.js";
import { Range, Selection } from "./text.js";

/** An editor of a text, in a tab. */
export class TextEditor implements real.TextEditor {
  selections: readonly Selection[] = [new Selection(0, 0, 0, 0)];
  options: real.TextEditorOptions = { insertSpaces: true, tabSize: 2 };
  /** The place that was scrolled to last. */
  revealed: real.Range | undefined;

  constructor(
    readonly document: Document,
    private readonly column: () => real.ViewColumn | undefined,
  ) {}

  get viewColumn(): real.ViewColumn | undefined {
    return this.column();
  }
  get selection(): Selection {
    return this.selections[0]!;
  }
  set selection(one: Selection) {
    this.selections = [one];
  }
  get visibleRanges(): readonly Range[] {
    return [new Range(0, 0, this.document.lineCount, 0)];
  }

  edit(change: (builder: real.TextEditorEdit) => void): Promise<boolean> {
    const edits: TextEdit[] = [];
    change({
      replace: (place, text) => {
        const range = "start" in place ? place : new Range(place, place);
        edits.push(new TextEdit(range, text));
      },
      insert: (position, text) => edits.push(TextEdit.insert(position, text)),
      delete: (range) => edits.push(TextEdit.delete(range)),
      setEndOfLine: (eol) => {
        if (eol !== EndOfLine.LF) throw new Error("The fake keeps a text's line ends.");
      },
    });
    this.document.edit(edits);
    return Promise.resolve(true);
  }

  insertSnippet(): Promise<boolean> {
    return Promise.reject(new Error("The fake has no snippets."));
  }
  setDecorations(): void {
    // Nobody looks at colors here.
  }
  revealRange(range: real.Range): void {
    this.revealed = range;
  }
  show(): void {
    throw new Error("Use window.showTextDocument.");
  }
  hide(): void {
    throw new Error("Use window.tabGroups.");
  }
}

/** The editors of texts that are open in tabs, beside one another or by themselves. */
export class Editors {
  private readonly editors = new Map<Tab, TextEditor>();
  private readonly changedActive = new EventEmitter<real.TextEditor | undefined>();
  private readonly changedVisible = new EventEmitter<readonly real.TextEditor[]>();
  private readonly selected = new EventEmitter<real.TextEditorSelectionChangeEvent>();
  readonly onDidChangeActive = this.changedActive.event;
  readonly onDidChangeVisible = this.changedVisible.event;
  readonly onDidChangeSelection = this.selected.event;
  private last: TextEditor | undefined;

  constructor(
    private readonly tabs: Tabs,
    private readonly documents: Documents,
  ) {
    documents.onDidChange(({ document: { uri, isDirty } }) => {
      tabs.keep(uri, isDirty);
    });
    tabs.onDidLook(() => {
      this.changedVisible.fire(this.visible);
      if (this.active === this.last) return;
      this.last = this.active;
      this.changedActive.fire(this.last);
    });
  }

  get active(): TextEditor | undefined {
    return this.tabs.active && this.editors.get(this.tabs.active);
  }

  get visible(): TextEditor[] {
    return this.tabs.visible.flatMap((tab) => this.editors.get(tab) ?? []);
  }

  async show(
    what: real.TextDocument | real.Uri,
    options: real.ViewColumn | real.TextDocumentShowOptions = {},
    preserveFocus = false,
  ): Promise<TextEditor> {
    const given = typeof options === "number" ? { viewColumn: options, preserveFocus } : options;
    const { uri } = "uri" in what ? what : { uri: what };
    const document = await this.documents.open(uri);
    const input = new TabInputText(uri);
    return this.put({ label: nameOf(uri), input, documents: [uri] }, document, given);
  }

  async diff(
    original: real.Uri,
    modified: real.Uri,
    title = nameOf(modified),
    options: real.TextDocumentShowOptions = {},
  ): Promise<TextEditor> {
    await this.documents.open(original);
    const document = await this.documents.open(modified);
    const input = new TabInputTextDiff(original, modified);
    return this.put({ label: title, input, documents: [original, modified] }, document, options);
  }

  /** Opens the differences of several files in one editor. */
  async changes(
    title: string,
    resources: readonly (readonly [real.Uri, real.Uri | undefined, real.Uri | undefined])[],
  ): Promise<void> {
    const documents = resources.flatMap(([, left, right]) =>
      [left, right].filter((uri) => uri !== undefined),
    );
    for (const uri of documents) await this.documents.open(uri);
    const label = `${title} (${resources.length} ${resources.length === 1 ? "file" : "files"})`;
    const onClose = this.letGo(documents);
    this.tabs.open({ label, input: undefined, documents, onClose }, { preview: true });
  }

  /** Selects what a person selects in the editor in front. */
  select(selection: Selection): void {
    const { active } = this;
    if (active === undefined) throw new Error("No editor is in front.");
    active.selection = selection;
    this.selected.fire({ textEditor: active, selections: [selection], kind: undefined });
  }

  private put(
    one: { label: string; input: unknown; documents: readonly real.Uri[] },
    document: Document,
    {
      viewColumn = ViewColumn.Active,
      preserveFocus = false,
      preview = true,
      selection,
    }: real.TextDocumentShowOptions,
  ): TextEditor {
    const close = this.letGo(one.documents);
    // The tab that is opened for it.
    const own: { tab?: Tab } = {};
    const made = new TextEditor(document, () => own.tab && this.tabs.columnOf(own.tab));
    if (selection !== undefined) made.selection = new Selection(selection.start, selection.end);
    const tab = this.tabs.open(
      {
        ...one,
        onClose: () => {
          if (own.tab !== undefined) this.editors.delete(own.tab);
          close();
        },
      },
      { column: viewColumn, preserveFocus, preview: preview && !document.isDirty },
    );
    const there = this.editors.get(tab);
    if (there !== undefined && !there.document.isClosed) {
      if (selection !== undefined) there.selection = made.selection;
      return there;
    }
    own.tab = tab;
    this.editors.set(tab, made);
    if (this.active === made && this.last !== made) {
      this.last = made;
      this.changedActive.fire(made);
    }
    return made;
  }

  /** VS Code lets go of documents that no editor shows any longer, unless there is something unsaved in them. */
  private letGo(documents: readonly real.Uri[]): () => void {
    return () => {
      const shown = new Set(this.tabs.all.flatMap((tab) => tab.documents.map(String)));
      for (const uri of documents) {
        const held = this.documents.all.find((one) => one.uri.toString() === uri.toString());
        if (held !== undefined && !held.isDirty && !shown.has(String(uri)))
          this.documents.close(uri);
      }
    };
  }
}
