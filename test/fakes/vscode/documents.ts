import { readFile, writeFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type * as real from "vscode";
import type { WorkspaceEdit } from "./edits.js";
import { EndOfLine } from "./enums.js";
import { CancellationTokenSource, Disposable, EventEmitter } from "./events.js";
import { diskFileSystem, FileSystemError } from "./files.js";
import { Position, Range } from "./text.js";
import { Uri } from "./uri.js";

const languages: Readonly<Record<string, string>> = {
  ".css": "css",
  ".html": "html",
  ".js": "javascript",
  ".json": "json",
  ".md": "markdown",
  ".py": "python",
  ".ts": "typescript",
  ".yaml": "yaml",
  ".yml": "yaml",
};

/** What all documents tell of themselves. */
class DocumentEvents {
  readonly opened = new EventEmitter<real.TextDocument>();
  readonly closed = new EventEmitter<real.TextDocument>();
  readonly changed = new EventEmitter<real.TextDocumentChangeEvent>();
  readonly saved = new EventEmitter<real.TextDocument>();
}

/** A text document over a file, over what a provider gives, or over nothing yet. */
export class Document implements real.TextDocument {
  readonly encoding = "utf8";
  readonly languageId: string;
  version = 1;
  isDirty = false;
  isClosed = false;
  private lines: string[] = [];

  constructor(
    readonly uri: real.Uri,
    private text: string,
    private readonly events: DocumentEvents,
    languageId?: string,
  ) {
    this.languageId = languageId ?? languages[extname(uri.path)] ?? "plaintext";
    this.lines = text.split(/\r\n|\r|\n/);
  }

  get fileName(): string {
    return this.uri.fsPath;
  }
  get isUntitled(): boolean {
    return this.uri.scheme === "untitled";
  }
  get eol(): real.EndOfLine {
    return this.newline === "\r\n" ? EndOfLine.CRLF : EndOfLine.LF;
  }
  get lineCount(): number {
    return this.lines.length;
  }
  private get newline(): string {
    return this.text.includes("\r\n") ? "\r\n" : "\n";
  }

  getText(range?: real.Range): string {
    if (range === undefined) return this.text;
    return this.text.slice(this.offsetAt(range.start), this.offsetAt(range.end));
  }

  lineAt(place: number | real.Position): real.TextLine {
    const lineNumber = typeof place === "number" ? place : place.line;
    const text = this.lines[lineNumber];
    if (text === undefined) throw new Error("Illegal value for `line`");
    const range = new Range(lineNumber, 0, lineNumber, text.length);
    const first = /^\s*/.exec(text)?.[0].length ?? 0;
    return {
      lineNumber,
      text,
      range,
      rangeIncludingLineBreak:
        lineNumber + 1 < this.lines.length ? new Range(lineNumber, 0, lineNumber + 1, 0) : range,
      firstNonWhitespaceCharacterIndex: first,
      isEmptyOrWhitespace: first === text.length,
    };
  }

  offsetAt(position: real.Position): number {
    const { line, character } = this.validatePosition(position);
    const before = this.lines.slice(0, line);
    const width = this.newline.length;
    return before.reduce((sum, text) => sum + text.length + width, 0) + character;
  }

  positionAt(offset: number): Position {
    const width = this.newline.length;
    let left = Math.max(0, Math.min(offset, this.text.length));
    for (const [line, text] of this.lines.entries()) {
      if (left <= text.length) return new Position(line, left);
      left -= text.length + width;
    }
    return this.end;
  }

  validatePosition({ line, character }: real.Position): Position {
    if (line >= this.lines.length) return this.end;
    return new Position(line, Math.min(character, this.lines[line]?.length ?? 0));
  }

  validateRange({ start, end }: real.Range): Range {
    return new Range(this.validatePosition(start), this.validatePosition(end));
  }

  getWordRangeAtPosition(position: real.Position, pattern = /[A-Za-z0-9_]+/g): Range | undefined {
    const { line, character } = this.validatePosition(position);
    for (const found of this.lines[line]?.matchAll(new RegExp(pattern, "g")) ?? []) {
      const end = found.index + found[0].length;
      if (found.index <= character && character <= end)
        return new Range(line, found.index, line, end);
    }
    return undefined;
  }

  async save(): Promise<boolean> {
    if (this.uri.scheme !== "file" || this.isClosed) return false;
    await writeFile(this.uri.fsPath, this.text);
    this.mark(false);
    this.events.saved.fire(this);
    return true;
  }

  /** Changes the text, all ranges as they are before any of the changes. */
  edit(edits: readonly { readonly range: real.Range; readonly newText: string }[]): void {
    const changes = edits
      .map(({ range, newText }) => {
        const valid = this.validateRange(range);
        const rangeOffset = this.offsetAt(valid.start);
        const rangeLength = this.offsetAt(valid.end) - rangeOffset;
        return { range: valid, rangeOffset, rangeLength, text: newText };
      })
      // From the end, so that places stay as they are; of two at the same place, the first comes first in the text.
      .reverse()
      .sort((a, b) => b.rangeOffset - a.rangeOffset);
    let text = this.text;
    for (const { rangeOffset, rangeLength, text: added } of changes) {
      text = text.slice(0, rangeOffset) + added + text.slice(rangeOffset + rangeLength);
    }
    this.set(text, true, changes);
  }

  /** Takes over what the file or its provider has now. */
  reload(text: string): void {
    if (text === this.text) {
      this.mark(false);
      return;
    }
    const all = new Range(new Position(0, 0), this.end);
    const rangeLength = this.text.length;
    this.set(text, false, [{ range: all, rangeOffset: 0, rangeLength, text }]);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.events.closed.fire(this);
  }

  private get end(): Position {
    const last = this.lines.length - 1;
    return new Position(last, this.lines[last]?.length ?? 0);
  }

  private set(
    text: string,
    isDirty: boolean,
    contentChanges: readonly real.TextDocumentContentChangeEvent[],
  ): void {
    this.text = text;
    this.lines = text.split(/\r\n|\r|\n/);
    this.version++;
    this.events.changed.fire({ document: this, contentChanges, reason: undefined });
    this.mark(isDirty);
  }

  /** Whether there is something unsaved is told after the change, as one without a difference. */
  private mark(isDirty: boolean): void {
    if (isDirty === this.isDirty) return;
    this.isDirty = isDirty;
    this.events.changed.fire({ document: this, contentChanges: [], reason: undefined });
  }
}

/** The documents that a window holds, from when they are opened until they are closed. */
export class Documents {
  private readonly events = new DocumentEvents();
  private readonly held = new Map<string, Document>();
  private readonly opening = new Map<string, Promise<Document>>();
  private readonly providers = new Map<string, real.TextDocumentContentProvider>();
  /**
   * What was registered in this process and never given up, by scheme. An extension may register something for as long as
   * its process lives; here a process has one window after the other.
   */
  private static readonly lasting = new Map<string, real.TextDocumentContentProvider>();
  private untitled = 0;
  readonly onDidOpen = this.events.opened.event;
  readonly onDidClose = this.events.closed.event;
  readonly onDidChange = this.events.changed.event;
  readonly onDidSave = this.events.saved.event;

  get all(): Document[] {
    return [...this.held.values()];
  }

  /** Opens a document, or returns the one that is open already, as its file is now. */
  async open(
    what: real.Uri | string | { content?: string; language?: string } = {},
  ): Promise<Document> {
    if (typeof what === "string") return this.open(Uri.file(what));
    if (!("scheme" in what)) {
      const uri = Uri.parse(`untitled:Untitled-${++this.untitled}`);
      return this.hold(new Document(uri, what.content ?? "", this.events, what.language));
    }
    const key = what.toString();
    const known = this.held.get(key);
    if (known !== undefined) {
      if (what.scheme === "file") await this.refresh(what);
      return known;
    }
    const opening =
      this.opening.get(key) ??
      this.read(what)
        .then((text) => this.hold(new Document(what, text, this.events)))
        .finally(() => this.opening.delete(key));
    this.opening.set(key, opening);
    return opening;
  }

  close(uri: real.Uri): void {
    const document = this.held.get(uri.toString());
    this.held.delete(uri.toString());
    document?.close();
  }

  provide(scheme: string, provider: real.TextDocumentContentProvider): Disposable {
    this.providers.set(scheme, provider);
    Documents.lasting.set(scheme, provider);
    const subscription = provider.onDidChange?.((uri) => {
      void this.refresh(uri);
    });
    return new Disposable(() => {
      subscription?.dispose();
      for (const all of [this.providers, Documents.lasting]) {
        if (all.get(scheme) === provider) all.delete(scheme);
      }
    });
  }

  /** Reads again what a document without unsaved changes is over; a file that is gone leaves its text. */
  async refresh(uri: real.Uri): Promise<void> {
    const document = this.held.get(uri.toString());
    // Also while the file is being read.
    const isTyped = () => document?.isDirty === true;
    if (document === undefined || isTyped()) return;
    const text = await this.read(uri).catch(() => undefined);
    if (text !== undefined && !isTyped() && !document.isClosed) document.reload(text);
  }

  /** Gives up what was typed and not saved. */
  async revert(uri: real.Uri): Promise<void> {
    const document = this.held.get(uri.toString());
    if (document === undefined) return;
    document.reload(await this.read(uri).catch(() => ""));
  }

  async apply(edit: WorkspaceEdit): Promise<boolean> {
    for (const one of edit.files) {
      if (one.type === "create") await diskFileSystem.writeFile(one.uri, one.contents);
      else if (one.type === "delete") await diskFileSystem.delete(one.uri, { recursive: true });
      else await diskFileSystem.rename(one.uri, one.to);
    }
    for (const [uri, edits] of edit.entries()) (await this.open(uri)).edit(edits);
    return true;
  }

  private hold(document: Document): Document {
    this.held.set(document.uri.toString(), document);
    this.events.opened.fire(document);
    return document;
  }

  private async read(uri: real.Uri): Promise<string> {
    if (uri.scheme === "untitled") return "";
    if (uri.scheme === "file") {
      return readFile(uri.fsPath, "utf8").catch(() => {
        const words = `cannot open ${uri.toString()}. Detail: Unable to read file`;
        throw FileSystemError.FileNotFound(words);
      });
    }
    const lasting = Documents.lasting.get(uri.scheme);
    if (lasting !== undefined && !this.providers.has(uri.scheme)) this.provide(uri.scheme, lasting);
    const provider = this.providers.get(uri.scheme);
    if (provider === undefined) {
      throw new Error(`cannot open ${uri.toString()}: no provider for the scheme ${uri.scheme}`);
    }
    const { token } = new CancellationTokenSource();
    return (await provider.provideTextDocumentContent(uri, token)) ?? "";
  }
}

/** The name that the tab of a document has. */
export function nameOf(uri: real.Uri): string {
  return basename(uri.path);
}
