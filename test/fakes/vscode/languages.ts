import type * as real from "vscode";
import type { Document, Documents } from "./documents.js";
import { CodeActionTriggerKind, DiagnosticSeverity } from "./enums.js";
import { CancellationTokenSource, Disposable, EventEmitter } from "./events.js";
import { fitsPattern } from "./files.js";
import { Uri } from "./uri.js";

export class Diagnostic implements real.Diagnostic {
  source?: string;
  code?: real.Diagnostic["code"];
  relatedInformation?: real.DiagnosticRelatedInformation[];
  tags?: real.DiagnosticTag[];

  constructor(
    public range: real.Range,
    public message: string,
    public severity: real.DiagnosticSeverity = DiagnosticSeverity.Error,
  ) {}
}

export class CodeLens implements real.CodeLens {
  constructor(
    public range: real.Range,
    public command?: real.Command,
  ) {}

  get isResolved(): boolean {
    return this.command !== undefined;
  }
}

export class CodeActionKind {
  static readonly Empty = new CodeActionKind("");
  static readonly QuickFix = new CodeActionKind("quickfix");
  static readonly Refactor = new CodeActionKind("refactor");
  static readonly Source = new CodeActionKind("source");

  private constructor(readonly value: string) {}

  append(parts: string): CodeActionKind {
    return new CodeActionKind(this.value === "" ? parts : `${this.value}.${parts}`);
  }
  contains(other: { readonly value: string }): boolean {
    return this.value === "" || `${other.value}.`.startsWith(`${this.value}.`);
  }
  intersects(other: CodeActionKind): boolean {
    return this.contains(other) || other.contains(this);
  }
}

export class CodeAction {
  command?: real.Command;
  edit?: unknown;
  diagnostics?: real.Diagnostic[];
  isPreferred?: boolean;

  constructor(
    public title: string,
    public kind?: { readonly value: string },
  ) {}
}

type Provided<P> = { readonly selector: real.DocumentSelector; readonly provider: P }[];

/** The problems of files, and what extensions offer at the lines of documents. */
export class Languages {
  private readonly collections = new Map<string, Map<string, readonly real.Diagnostic[]>>();
  private readonly changed = new EventEmitter<real.DiagnosticChangeEvent>();
  private readonly lenses: Provided<real.CodeLensProvider> = [];
  private readonly actions: Provided<real.CodeActionProvider> = [];

  constructor(private readonly documents: Documents) {}

  diagnosticsOf(uri: real.Uri): real.Diagnostic[] {
    return [...this.collections.values()].flatMap((own) => [...(own.get(uri.toString()) ?? [])]);
  }

  /** What `vscode.executeCodeLensProvider` gives. */
  async codeLenses(uri: real.Uri): Promise<real.CodeLens[]> {
    const document = await this.documents.open(uri);
    const { token } = new CancellationTokenSource();
    const all = await Promise.all(
      fitting(this.lenses, document).map(async (one) => one.provideCodeLenses(document, token)),
    );
    return all.flatMap((found) => found ?? []);
  }

  /** What `vscode.executeCodeActionProvider` gives. */
  async codeActions(uri: real.Uri, range: real.Range): Promise<unknown[]> {
    const document = await this.documents.open(uri);
    const { token } = new CancellationTokenSource();
    const diagnostics = this.diagnosticsOf(uri).filter((one) => one.range.intersection(range));
    const context = { diagnostics, only: undefined, triggerKind: CodeActionTriggerKind.Invoke };
    const all = await Promise.all(
      fitting(this.actions, document).map(async (one) =>
        one.provideCodeActions(document, range, context, token),
      ),
    );
    return all.flatMap((found) => found ?? []);
  }

  createDiagnosticCollection(name: string): real.DiagnosticCollection {
    const own = new Map<string, readonly real.Diagnostic[]>();
    const key = `${name}:${this.collections.size}`;
    this.collections.set(key, own);
    const tell = (uris: readonly string[]) => {
      if (uris.length > 0) this.changed.fire({ uris: uris.map((uri) => Uri.parse(uri)) });
    };
    const set = (uri: real.Uri, found: readonly real.Diagnostic[] | undefined) => {
      if (found === undefined || found.length === 0) own.delete(uri.toString());
      else own.set(uri.toString(), [...found]);
    };
    const entries = () =>
      [...own].map(([uri, found]): [real.Uri, readonly real.Diagnostic[]] => [
        Uri.parse(uri),
        found,
      ]);
    return {
      name,
      set: (
        what: real.Uri | readonly (readonly [real.Uri, readonly real.Diagnostic[] | undefined])[],
        found?: readonly real.Diagnostic[],
      ) => {
        const all = "scheme" in what ? [[what, found] as const] : what;
        for (const [uri, diagnostics] of all) set(uri, diagnostics);
        tell(all.map(([uri]) => uri.toString()));
      },
      delete: (uri) => {
        if (own.delete(uri.toString())) tell([uri.toString()]);
      },
      clear: () => {
        const before = [...own.keys()];
        own.clear();
        tell(before);
      },
      forEach: (callback) => {
        for (const [uri, found] of entries()) callback(uri, found, undefined as never);
      },
      get: (uri) => own.get(uri.toString()),
      has: (uri) => own.has(uri.toString()),
      dispose: () => {
        const before = [...own.keys()];
        this.collections.delete(key);
        tell(before);
      },
      [Symbol.iterator]: () => entries()[Symbol.iterator](),
    };
  }

  get api() {
    const getDiagnostics = (uri?: real.Uri) => {
      if (uri !== undefined) return this.diagnosticsOf(uri);
      const uris = new Set([...this.collections.values()].flatMap((own) => [...own.keys()]));
      return [...uris].map((one) => [Uri.parse(one), this.diagnosticsOf(Uri.parse(one))]);
    };
    const register = <P>(list: Provided<P>, selector: real.DocumentSelector, provider: P) => {
      const entry = { selector, provider };
      list.push(entry);
      return new Disposable(() => list.splice(list.indexOf(entry), 1));
    };
    return {
      createDiagnosticCollection: (name = "") => this.createDiagnosticCollection(name),
      onDidChangeDiagnostics: this.changed.event,
      getDiagnostics: getDiagnostics as typeof real.languages.getDiagnostics,
      match: (selector: real.DocumentSelector, document: real.TextDocument) =>
        matches(selector, document) ? 10 : 0,
      registerCodeLensProvider: (selector: real.DocumentSelector, one: real.CodeLensProvider) =>
        register(this.lenses, selector, one),
      registerCodeActionsProvider: (
        selector: real.DocumentSelector,
        one: real.CodeActionProvider,
      ) => register(this.actions, selector, one),
    } satisfies Partial<typeof real.languages>;
  }
}

function fitting<P>(list: Provided<P>, document: Document): P[] {
  return list.flatMap(({ selector, provider }) => (matches(selector, document) ? [provider] : []));
}

function matches(
  selector: real.DocumentSelector,
  document: Pick<real.TextDocument, "uri" | "languageId">,
): boolean {
  if (typeof selector === "string") return selector === "*" || selector === document.languageId;
  if ("length" in selector) return selector.some((one) => matches(one, document));
  const { language, scheme, pattern } = selector;
  return (
    (language === undefined || language === "*" || language === document.languageId) &&
    (scheme === undefined || scheme === "*" || scheme === document.uri.scheme) &&
    (pattern === undefined || fitsPattern(document.uri.fsPath, pattern))
  );
}
