import type * as real from "vscode";
import { Range } from "./text.js";

export class TextEdit implements real.TextEdit {
  newEol?: real.EndOfLine;

  static replace(range: real.Range, newText: string): TextEdit {
    return new TextEdit(range, newText);
  }
  static insert(position: real.Position, newText: string): TextEdit {
    return new TextEdit(new Range(position, position), newText);
  }
  static delete(range: real.Range): TextEdit {
    return new TextEdit(range, "");
  }

  constructor(
    public range: real.Range,
    public newText: string,
  ) {}
}

type FileEdit =
  | { readonly type: "create"; readonly uri: real.Uri; readonly contents: Uint8Array }
  | { readonly type: "delete"; readonly uri: real.Uri }
  | { readonly type: "rename"; readonly uri: real.Uri; readonly to: real.Uri };

/** Edits of texts; and of files, in their order. */
export class WorkspaceEdit {
  private readonly texts = new Map<string, { uri: real.Uri; edits: TextEdit[] }>();
  readonly files: FileEdit[] = [];

  replace(uri: real.Uri, range: real.Range, newText: string): void {
    this.of(uri).push(new TextEdit(range, newText));
  }
  insert(uri: real.Uri, position: real.Position, newText: string): void {
    this.of(uri).push(TextEdit.insert(position, newText));
  }
  delete(uri: real.Uri, range: real.Range): void {
    this.of(uri).push(TextEdit.delete(range));
  }

  createFile(uri: real.Uri, options: { readonly contents?: Uint8Array } = {}): void {
    this.files.push({ type: "create", uri, contents: options.contents ?? new Uint8Array() });
  }
  deleteFile(uri: real.Uri): void {
    this.files.push({ type: "delete", uri });
  }
  renameFile(uri: real.Uri, to: real.Uri): void {
    this.files.push({ type: "rename", uri, to });
  }

  has(uri: real.Uri): boolean {
    return this.texts.has(uri.toString());
  }
  get(uri: real.Uri): TextEdit[] {
    return [...(this.texts.get(uri.toString())?.edits ?? [])];
  }
  set(uri: real.Uri, edits: readonly TextEdit[]): void {
    this.texts.set(uri.toString(), { uri, edits: [...edits] });
  }
  entries(): [real.Uri, TextEdit[]][] {
    return [...this.texts.values()].map(({ uri, edits }) => [uri, [...edits]]);
  }
  get size(): number {
    return this.texts.size + this.files.length;
  }

  private of(uri: real.Uri): TextEdit[] {
    const known = this.texts.get(uri.toString()) ?? { uri, edits: [] };
    this.texts.set(uri.toString(), known);
    return known.edits;
  }
}
