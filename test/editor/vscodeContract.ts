import { strict as assert } from "node:assert";
import { mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";

/** What VS Code's API is asked with, and how a context of an extension is had. */
interface World {
  /** A folder for files that nobody else touches; default: one outside the workspace. */
  readonly name: string;
  readonly context: () => Promise<vscode.ExtensionContext>;
}

/** How long something may take that another process has to do; no longer than a test. */
const patienceMs = 60_000;

/**
 * What our code and our tests rely on of VS Code's API. The fake passes it in plain Node, and VS Code in itself, so that
 * what is proven over the fake holds in VS Code.
 */
export function vscodeContract({ name, context }: World): void {
  describe(`VS Code's API: ${name}`, () => {
    let folder: string;
    before(async () => {
      folder = await realpath(await mkdtemp(join(tmpdir(), "rooroo-contract-")));
    });
    after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
    afterEach(async () => {
      await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    });

    const file = async (path: string, text: string): Promise<vscode.Uri> => {
      await mkdir(join(folder, path, ".."), { recursive: true });
      await writeFile(join(folder, path), text);
      return vscode.Uri.file(join(folder, path));
    };

    describe("addresses", () => {
      it("are parsed, changed in one part, and written", () => {
        const uri = vscode.Uri.parse("https://user@a.test:8080/some%20path?q=1#part");
        assert.deepEqual(
          [uri.scheme, uri.authority, uri.path, uri.query, uri.fragment],
          ["https", "user@a.test:8080", "/some path", "q=1", "part"],
        );
        assert.equal(
          uri.with({ query: "", fragment: "" }).toString(),
          "https://user@a.test:8080/some%20path",
        );
        assert.equal(vscode.Uri.parse("x:a").toString(), "x:a");
        assert.throws(() => vscode.Uri.parse("no scheme", true));
      });

      it("of files have their path, also one with signs that addresses escape", () => {
        const uri = vscode.Uri.file("/a b/ü#?%.txt");
        assert.equal(uri.fsPath, "/a b/ü#?%.txt");
        assert.equal(uri.toString(), "file:///a%20b/%C3%BC%23%3F%25.txt");
        assert.equal(vscode.Uri.parse(uri.toString()).fsPath, uri.fsPath);
        assert.ok(uri instanceof vscode.Uri);
        assert.ok(uri.with({ scheme: "other" }) instanceof vscode.Uri);
      });

      it("are joined with paths, upwards, too", () => {
        const uri = vscode.Uri.joinPath(vscode.Uri.file("/a/b"), "..", "c/d.txt");
        assert.equal(uri.path, "/a/c/d.txt");
        assert.equal(vscode.Uri.from({ scheme: "s", path: "/p" }).toString(), "s:/p");
      });
    });

    describe("the window's functions", () => {
      it("give way to those that an extension puts in their place", () => {
        const { showQuickPick } = vscode.window;
        const own = () => Promise.resolve(undefined);
        Object.assign(vscode.window, { showQuickPick: own });
        assert.equal(vscode.window.showQuickPick, own);
        Object.assign(vscode.window, { showQuickPick });
      });
    });

    describe("events", () => {
      it("reach listeners in their order, until those are disposed of", () => {
        const emitter = new vscode.EventEmitter<number>();
        const told: string[] = [];
        const first = emitter.event((value) => told.push(`first ${value}`));
        const kept: vscode.Disposable[] = [];
        emitter.event(
          function (this: { name: string }, value) {
            told.push(`${this.name} ${value}`);
          },
          { name: "second" },
          kept,
        );
        emitter.fire(1);
        first.dispose();
        emitter.fire(2);
        vscode.Disposable.from(...kept).dispose();
        emitter.fire(3);
        assert.deepEqual(told, ["first 1", "second 1", "second 2"]);
      });

      it("reach nobody who listens only because of one, and nobody once the emitter is disposed of", () => {
        const emitter = new vscode.EventEmitter<number>();
        const late: number[] = [];
        emitter.event(() => emitter.event((value) => late.push(value)));
        emitter.fire(1);
        assert.deepEqual(late, []);
        emitter.dispose();
        emitter.fire(2);
        assert.deepEqual(late, []);
      });

      it("of a disposable happen once", () => {
        let calls = 0;
        const one = new vscode.Disposable(() => calls++);
        one.dispose();
        one.dispose();
        assert.equal(calls, 1);
      });

      it("of a cancellation reach those who come too late, too", async () => {
        const source = new vscode.CancellationTokenSource();
        assert.equal(source.token.isCancellationRequested, false);
        const told = new Promise<void>((resolve) => {
          source.token.onCancellationRequested(() => {
            resolve();
          });
        });
        source.cancel();
        await told;
        assert.equal(source.token.isCancellationRequested, true);
        await new Promise<void>((resolve) => {
          source.token.onCancellationRequested(() => {
            resolve();
          });
        });
      });
    });

    describe("places in texts", () => {
      it("are compared, moved and put in order", () => {
        const place = new vscode.Position(2, 3);
        assert.ok(place.isBefore(new vscode.Position(2, 4)));
        assert.deepEqual([place.translate(1, -1).line, place.translate(1, -1).character], [3, 2]);
        assert.equal(place.with({ character: 0 }).character, 0);
        assert.equal(place.with(7).line, 7);
        assert.throws(() => new vscode.Position(-1, 0));
        const range = new vscode.Range(4, 0, 1, 2);
        assert.deepEqual([range.start.line, range.end.line], [1, 4]);
        assert.ok(range.contains(place));
        assert.ok(range.contains(range.end));
        assert.ok(range.isEqual(new vscode.Range(1, 2, 4, 0)));
        assert.equal(range.intersection(new vscode.Range(5, 0, 6, 0)), undefined);
        assert.equal(range.union(new vscode.Range(0, 0, 2, 0)).start.line, 0);
      });

      it("of a selection know where it began", () => {
        const selection = new vscode.Selection(3, 1, 1, 0);
        assert.equal(selection.isReversed, true);
        assert.deepEqual(
          [selection.active.line, selection.anchor.line, selection.start.line],
          [1, 3, 1],
        );
        assert.equal(selection.isEmpty, false);
      });
    });

    describe("commands", () => {
      it("are given their arguments, and give back what they came to", async () => {
        const command = vscode.commands.registerCommand(
          "rooroo.contract.sum",
          function (this: { add: number }, a: number, b: number) {
            return a + b + this.add;
          },
          { add: 100 },
        );
        try {
          assert.equal(await vscode.commands.executeCommand("rooroo.contract.sum", 1, 2), 103);
          assert.ok((await vscode.commands.getCommands(true)).includes("rooroo.contract.sum"));
        } finally {
          command.dispose();
        }
        await assert.rejects(
          Promise.resolve(vscode.commands.executeCommand("rooroo.contract.sum")),
          /command 'rooroo\.contract\.sum' not found/,
        );
      });

      it("that throw reject, and no name is taken twice", async () => {
        const command = vscode.commands.registerCommand("rooroo.contract.fails", () => {
          throw new Error("It fails.");
        });
        try {
          await assert.rejects(
            Promise.resolve(vscode.commands.executeCommand("rooroo.contract.fails")),
            /It fails\./,
          );
          assert.throws(
            () => vscode.commands.registerCommand("rooroo.contract.fails", () => undefined),
            /already exists/,
          );
        } finally {
          command.dispose();
        }
      });
    });

    describe("settings", () => {
      const key = "queue.concurrency";
      const configuration = () => vscode.workspace.getConfiguration("rooroo");
      const set = async (value: unknown) => {
        await configuration().update(key, value, vscode.ConfigurationTarget.Global);
      };
      afterEach(async () => {
        await set(undefined);
        await configuration().update("modes", undefined, vscode.ConfigurationTarget.Global);
      });

      it("have the manifest's default until somebody sets them", async () => {
        const fallback = configuration().get<number>(key);
        assert.equal(configuration().inspect<number>(key)?.defaultValue, fallback);
        assert.equal(configuration().inspect<number>(key)?.globalValue, undefined);
        await set(3);
        assert.equal(configuration().get(key), 3);
        assert.equal(configuration().inspect<number>(key)?.globalValue, 3);
        assert.equal(vscode.workspace.getConfiguration().get(`rooroo.${key}`), 3);
        await set(undefined);
        assert.equal(configuration().get(key), fallback);
        assert.equal(configuration().get("no.such", "otherwise"), "otherwise");
        assert.equal(configuration().has("no.such"), false);
      });

      it("tell that they have changed, by their names and the beginnings of those", async () => {
        const told: boolean[][] = [];
        const listening = vscode.workspace.onDidChangeConfiguration((event) => {
          if (!event.affectsConfiguration("rooroo")) return;
          told.push(
            [`rooroo.${key}`, "rooroo.queue", "rooroo.model"].map((one) =>
              event.affectsConfiguration(one),
            ),
          );
        });
        try {
          await set(4);
          await eventually(() => told.length > 0, "the event");
          assert.deepEqual(told, [[true, true, false]]);
        } finally {
          listening.dispose();
        }
      });

      it("that nobody has declared cannot be set", async () => {
        await assert.rejects(
          Promise.resolve(configuration().update("no.such", 1, vscode.ConfigurationTarget.Global)),
          /not a registered configuration/,
        );
      });

      it("are objects of which nobody else sees a change", async () => {
        const value = { "rooroo-analyzer": { model: "m" } };
        await configuration().update("modes", value, vscode.ConfigurationTarget.Global);
        const before = JSON.stringify(configuration().get("modes"));
        assert.equal(before, JSON.stringify(value));
        value["rooroo-analyzer"].model = "another";
        assert.equal(JSON.stringify(configuration().get("modes")), before);
      });
    });

    describe("documents", () => {
      it("have the text of their file, and answer for places in it", async () => {
        const uri = await file("a.txt", "one\n  two three\n");
        const document = await vscode.workspace.openTextDocument(uri);
        assert.equal(document.getText(), "one\n  two three\n");
        assert.deepEqual(
          [document.lineCount, document.isDirty, document.isUntitled],
          [3, false, false],
        );
        assert.equal(document.fileName, uri.fsPath);
        const line = document.lineAt(1);
        assert.deepEqual([line.text, line.firstNonWhitespaceCharacterIndex], ["  two three", 2]);
        assert.equal(document.offsetAt(new vscode.Position(1, 2)), 6);
        assert.deepEqual([document.positionAt(6).line, document.positionAt(6).character], [1, 2]);
        assert.equal(document.getText(new vscode.Range(0, 1, 1, 5)), "ne\n  two");
        const beyond = document.validatePosition(new vscode.Position(9, 9));
        assert.deepEqual([beyond.line, beyond.character], [2, 0]);
        const word = document.getWordRangeAtPosition(new vscode.Position(1, 7));
        assert.equal(word && document.getText(word), "three");
        assert.throws(() => document.lineAt(3));
        assert.equal(await vscode.workspace.openTextDocument(uri), document);
        assert.ok(vscode.workspace.textDocuments.includes(document));
      });

      it("cannot be had of a file that is not there", async () => {
        const uri = vscode.Uri.file(join(folder, "missing.txt"));
        await assert.rejects(Promise.resolve(vscode.workspace.openTextDocument(uri)));
      });

      it("tell of their opening, of each change with its version, and of their saving", async () => {
        const uri = await file("told.txt", "one\ntwo\n");
        const told: string[] = [];
        const own = (what: string, { uri: of }: vscode.TextDocument) => {
          // VS Code may say twice that it is clean.
          if (of.toString() === uri.toString() && told.at(-1) !== what) told.push(what);
        };
        const listening = vscode.Disposable.from(
          vscode.workspace.onDidOpenTextDocument((one) => {
            own("opened", one);
          }),
          vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
            const changes = contentChanges.map(({ rangeOffset, rangeLength, text }) =>
              [rangeOffset, rangeLength, text].join(),
            );
            own([...changes, document.isDirty ? "dirty" : "clean"].join("; "), document);
          }),
          vscode.workspace.onDidSaveTextDocument((one) => {
            own("saved", one);
          }),
        );
        try {
          const document = await vscode.workspace.openTextDocument(uri);
          const { version } = document;
          const edit = new vscode.WorkspaceEdit();
          edit.replace(uri, new vscode.Range(0, 0, 0, 3), "ONE");
          edit.insert(uri, new vscode.Position(2, 0), "three\n");
          assert.equal(await vscode.workspace.applyEdit(edit), true);
          assert.equal(document.getText(), "ONE\ntwo\nthree\n");
          assert.ok(document.isDirty);
          assert.ok(document.version > version);
          assert.equal(await readFile(uri.fsPath, "utf8"), "one\ntwo\n");
          assert.equal(await document.save(), true);
          assert.ok(!document.isDirty);
          assert.equal(await readFile(uri.fsPath, "utf8"), "ONE\ntwo\nthree\n");
          // That it is dirty, or no longer so, is a change without a difference.
          const changed = "8,0,three\n; 0,3,ONE; clean";
          assert.deepEqual(told, ["opened", changed, "dirty", "clean", "saved"]);
        } finally {
          listening.dispose();
        }
      });

      it("follow their file where nobody has typed into them", async () => {
        const uri = await file("follows.txt", "before\n");
        const document = await vscode.workspace.openTextDocument(uri);
        await vscode.window.showTextDocument(document);
        let text = "after";
        await eventually(async () => {
          // The watcher begins when it can.
          text += ", and longer";
          await writeFile(uri.fsPath, text);
          await pause(200);
          await vscode.workspace.openTextDocument(uri);
          return document.getText().startsWith("after");
        }, "the new text");
        assert.equal(document.isDirty, false);
      });

      it("are given by who registers their scheme, and again when that one says so", async () => {
        let text = "first";
        const changed = new vscode.EventEmitter<vscode.Uri>();
        const scheme = "rooroo-contract";
        const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
          onDidChange: changed.event,
          provideTextDocumentContent: (uri) => `${text} ${uri.query}`,
        });
        try {
          const uri = vscode.Uri.from({ scheme, path: "/given.txt", query: "q" });
          const document = await vscode.workspace.openTextDocument(uri);
          assert.equal(document.getText(), "first q");
          await vscode.window.showTextDocument(document);
          text = "second";
          changed.fire(uri);
          await eventually(() => document.getText() === "second q", "the second text");
          assert.equal(document.isDirty, false);
        } finally {
          registration.dispose();
        }
        const other = vscode.Uri.from({ scheme: "rooroo-nobody", path: "/x" });
        await assert.rejects(Promise.resolve(vscode.workspace.openTextDocument(other)));
      });

      it("may have no file yet", async () => {
        const document = await vscode.workspace.openTextDocument({
          content: "new",
          language: "markdown",
        });
        assert.deepEqual(
          [document.isUntitled, document.languageId, document.getText()],
          [true, "markdown", "new"],
        );
      });
    });

    describe("files", () => {
      it("are read, written, listed, told apart from folders, and deleted", async () => {
        const { fs } = vscode.workspace;
        const uri = vscode.Uri.file(join(folder, "new", "deep", "b.txt"));
        await fs.writeFile(uri, new TextEncoder().encode("text"));
        assert.equal(new TextDecoder().decode(await fs.readFile(uri)), "text");
        const stat = await fs.stat(uri);
        assert.deepEqual([stat.type, stat.size], [vscode.FileType.File, 4]);
        const above = vscode.Uri.joinPath(uri, "..");
        assert.deepEqual(await fs.readDirectory(above), [["b.txt", vscode.FileType.File]]);
        assert.equal((await fs.stat(above)).type, vscode.FileType.Directory);
        await fs.delete(vscode.Uri.joinPath(above, ".."), { recursive: true });
        await assert.rejects(Promise.resolve(fs.stat(uri)), { code: "FileNotFound" });
        await assert.rejects(Promise.resolve(fs.readFile(uri)), { code: "FileNotFound" });
      });

      it("that somebody else makes, changes and deletes are told of by their pattern", async () => {
        const pattern = new vscode.RelativePattern(vscode.Uri.file(folder), "watched/*.md");
        await mkdir(join(folder, "watched"), { recursive: true });
        const watcher = vscode.workspace.createFileSystemWatcher(pattern);
        const told = new Set<string>();
        const nameOf = (uri: vscode.Uri) => uri.path.split("/").at(-1) ?? "";
        watcher.onDidCreate((uri) => told.add(`created ${nameOf(uri)}`));
        watcher.onDidChange((uri) => told.add(`changed ${nameOf(uri)}`));
        watcher.onDidDelete((uri) => told.add(`deleted ${nameOf(uri)}`));
        try {
          await eventually(async () => {
            // The watcher begins when it can.
            await rm(join(folder, "watched", "a.md"), { force: true });
            await pause(200);
            await file("watched/other.txt", "");
            await file("watched/a.md", "one");
            await pause(200);
            return told.has("created a.md");
          }, "its making");
          await eventually(async () => {
            await file("watched/a.md", `two ${told.size} ${Math.random()}`);
            await pause(200);
            return told.has("changed a.md");
          }, "its change");
          await pause(200);
          told.clear();
          await file("watched/new.txt", "three");
          await rename(join(folder, "watched", "new.txt"), join(folder, "watched", "a.md"));
          await eventually(() => told.size > 0, "what takes its place");
          assert.deepEqual([...told], ["created a.md"]);
          await rm(join(folder, "watched", "a.md"));
          await eventually(() => told.has("deleted a.md"), "its end");
          assert.ok(![...told].some((one) => one.includes("other")));
        } finally {
          watcher.dispose();
        }
      });
    });

    describe("editors", () => {
      it("show documents in tabs, with a place selected; the document is let go with the last", async () => {
        const uri = await file("shown.txt", "one\ntwo\nthree\n");
        const closed = new Promise<void>((resolve) => {
          vscode.workspace.onDidCloseTextDocument((one) => {
            if (one.uri.toString() === uri.toString()) resolve();
          });
        });
        const selection = new vscode.Range(1, 0, 1, 3);
        await vscode.commands.executeCommand("vscode.open", uri, { selection });
        const editor = await eventually(() => vscode.window.activeTextEditor, "the editor");
        assert.equal(editor.document.uri.toString(), uri.toString());
        await eventually(() => editor.selection.isEqual(selection), "the selection");
        assert.deepEqual(
          vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()),
          [uri.toString()],
        );
        const tab = await eventually(
          () => vscode.window.tabGroups.activeTabGroup.activeTab,
          "the tab",
        );
        assert.equal(tab.label, "shown.txt");
        assert.ok(tab.input instanceof vscode.TabInputText);
        assert.equal(tab.input.uri.toString(), uri.toString());
        assert.equal(tab.isActive, true);
        assert.equal(await vscode.window.tabGroups.close(tab), true);
        await eventually(() => vscode.window.activeTextEditor === undefined, "no editor");
        await eventually(
          () => vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0),
          "no tab",
        );
        await closed;
      });

      it("are edited as a person does", async () => {
        const document = await vscode.workspace.openTextDocument({ content: "ab" });
        const editor = await vscode.window.showTextDocument(document);
        await editor.edit((edit) => {
          edit.insert(new vscode.Position(0, 1), "-");
          edit.delete(new vscode.Range(0, 1, 0, 2));
        });
        assert.equal(document.getText(), "a-");
        await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
      });

      it("give way to the next one, unless they were opened to stay, or somebody has typed", async () => {
        const [a, b, c, d] = (await Promise.all(
          ["a", "b", "c", "d"].map((one) => file(`${one}.txt`, `${one}\n`)),
        )) as [vscode.Uri, vscode.Uri, vscode.Uri, vscode.Uri];
        const labels = () =>
          vscode.window.tabGroups.activeTabGroup.tabs.map(({ label }) => label).join();
        const shows = (wanted: string) =>
          eventually(() => labels() === wanted, `the tabs ${wanted}`);
        await vscode.window.showTextDocument(a);
        await shows("a.txt");
        await vscode.window.showTextDocument(b, { preview: false });
        await shows("a.txt,b.txt");
        const editor = await vscode.window.showTextDocument(c);
        await shows("b.txt,c.txt");
        await editor.edit((edit) => {
          edit.insert(new vscode.Position(0, 0), "typed");
        });
        await vscode.commands.executeCommand("vscode.open", d);
        await shows("b.txt,c.txt,d.txt");
        await editor.document.save();
      });

      it("show two files beside one another, and several files in one tab with their number", async () => {
        const [left, right] = [await file("left.txt", "1\n"), await file("right.txt", "2\n")];
        await vscode.commands.executeCommand("vscode.diff", left, right, "Left and right", {
          preview: false,
        });
        const tab = await eventually(() => {
          const one = vscode.window.tabGroups.activeTabGroup.activeTab;
          return one?.label === "Left and right" && one;
        }, "the tab of two");
        assert.ok(tab.input instanceof vscode.TabInputTextDiff);
        assert.equal(tab.input.modified.toString(), right.toString());
        const scheme = "rooroo-contract-earlier";
        const registration = vscode.workspace.registerTextDocumentContentProvider(scheme, {
          provideTextDocumentContent: () => "earlier",
        });
        const earlier = left.with({ scheme });
        await vscode.commands.executeCommand("vscode.changes", "All of it", [
          [left, earlier, right],
          [right, undefined, right],
        ]);
        await eventually(
          () =>
            vscode.workspace.textDocuments.some(
              (one) => one.uri.toString() === earlier.toString() && one.getText() === "earlier",
            ),
          "the text before",
        );
        registration.dispose();
        const several = await eventually(() => {
          const one = vscode.window.tabGroups.activeTabGroup.activeTab;
          return one?.label.startsWith("All of it") && one;
        }, "the tab of several");
        assert.equal(several.label, "All of it (2 files)");
        await vscode.window.tabGroups.close(several);
        await eventually(
          () => vscode.window.tabGroups.activeTabGroup.activeTab?.label === "Left and right",
          "the tab before",
        );
      });
    });

    describe("problems", () => {
      it("of a file come from all who have found some, and go with them", async () => {
        const uri = await file("problems.txt", "one\n");
        const told: string[] = [];
        const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
          told.push(...uris.map(String));
        });
        const [first, second] = ["contract-one", "contract-two"].map((one) =>
          vscode.languages.createDiagnosticCollection(one),
        ) as [vscode.DiagnosticCollection, vscode.DiagnosticCollection];
        const range = new vscode.Range(0, 0, 0, 3);
        const problem = new vscode.Diagnostic(range, "Wrong", vscode.DiagnosticSeverity.Warning);
        problem.code = "R-1";
        try {
          first.set(uri, [problem]);
          second.set([[uri, [new vscode.Diagnostic(range, "Worse")]]]);
          const found = () =>
            vscode.languages
              .getDiagnostics(uri)
              .map(
                ({ message, severity, code }) => `${message} ${severity} ${JSON.stringify(code)}`,
              )
              .sort();
          assert.deepEqual(found(), ["Worse 0 undefined", 'Wrong 1 "R-1"']);
          assert.ok(
            vscode.languages.getDiagnostics().some(([of]) => of.toString() === uri.toString()),
          );
          await eventually(() => told.includes(uri.toString()), "the event");
          first.clear();
          assert.deepEqual(found(), ["Worse 0 undefined"]);
          assert.equal(first.has(uri), false);
          second.dispose();
          assert.deepEqual(found(), []);
        } finally {
          listening.dispose();
          first.dispose();
          second.dispose();
        }
      });

      it("have actions, and lines have words above, of who is registered for the document", async () => {
        const uri = await file("offers/x.job.md", "one\n");
        const selector = { scheme: "file", pattern: "**/offers/*.job.md" };
        const range = new vscode.Range(0, 0, 0, 3);
        const collection = vscode.languages.createDiagnosticCollection("contract-actions");
        collection.set(uri, [new vscode.Diagnostic(range, "Wrong")]);
        const registered = vscode.Disposable.from(
          collection,
          vscode.languages.registerCodeLensProvider(selector, {
            provideCodeLenses: () => [
              new vscode.CodeLens(range, { title: "Do it", command: "rooroo.contract.do" }),
            ],
          }),
          vscode.languages.registerCodeActionsProvider(
            selector,
            {
              provideCodeActions: (_document, _range, { diagnostics }) =>
                diagnostics.map(
                  ({ message }) =>
                    new vscode.CodeAction(`Mend: ${message}`, vscode.CodeActionKind.QuickFix),
                ),
            },
            { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
          ),
        );
        try {
          const document = await vscode.workspace.openTextDocument(uri);
          await vscode.window.showTextDocument(document);
          assert.ok(vscode.languages.match(selector, document) > 0);
          assert.equal(vscode.languages.match({ pattern: "**/*.ts" }, document), 0);
          const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
            "vscode.executeCodeLensProvider",
            uri,
          );
          assert.deepEqual(
            lenses.map(({ command }) => command?.title),
            ["Do it"],
          );
          const actions = await eventually(async () => {
            const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
              "vscode.executeCodeActionProvider",
              uri,
              range,
            );
            return found.some(({ title }) => title.startsWith("Mend")) && found;
          }, "the actions");
          const titles = actions.map(({ title }) => title);
          assert.deepEqual(
            titles.filter((title) => title.startsWith("Mend")),
            ["Mend: Wrong"],
          );
        } finally {
          registered.dispose();
        }
      });
    });

    describe("questions", () => {
      /** Does what a person does, until it has come to something. */
      const answered = async <T>(asked: Thenable<T>, command: string): Promise<T> => {
        let isOver = false;
        const over = Promise.resolve(asked).finally(() => (isOver = true));
        await eventually(async () => {
          await pause(50);
          if (!isOver) await vscode.commands.executeCommand(command);
          await pause(50);
          return isOver;
        }, "the answer");
        return over;
      };
      const accept = "workbench.action.acceptSelectedQuickOpenItem";
      const close = "workbench.action.closeQuickOpen";

      it("with a list are answered by the row itself, by its text, or by nothing", async () => {
        const rows = [
          { label: "Heading", kind: vscode.QuickPickItemKind.Separator },
          { label: "$(check) One", own: 1 },
          { label: "Two", own: 2 },
        ];
        assert.equal(await answered(vscode.window.showQuickPick(rows), accept), rows[1]);
        assert.equal(await answered(vscode.window.showQuickPick(["a", "b"]), accept), "a");
        assert.equal(await answered(vscode.window.showQuickPick(rows), close), undefined);
      });

      it("with a list of several are answered by all that were picked before", async () => {
        const rows = [
          { label: "One", picked: true },
          { label: "Two" },
          { label: "Three", picked: true },
        ];
        const chosen = await answered(
          vscode.window.showQuickPick(rows, { canPickMany: true }),
          accept,
        );
        assert.deepEqual(chosen, [rows[0], rows[2]]);
      });

      it("with a line are answered by the text, which may be refused, or by nothing", async () => {
        assert.equal(await answered(vscode.window.showInputBox({ value: "text" }), accept), "text");
        assert.equal(
          await answered(vscode.window.showInputBox({ value: "text" }), close),
          undefined,
        );
      });

      it("with a list of our own tell of their end, and of what was chosen", async () => {
        const pick = vscode.window.createQuickPick();
        pick.items = [{ label: "One" }, { label: "Two" }];
        const told: string[] = [];
        pick.onDidAccept(() => {
          told.push(`accepted ${pick.selectedItems.map(({ label }) => label).join()}`);
          pick.hide();
        });
        const hidden = new Promise<void>((resolve) => {
          pick.onDidHide(() => {
            told.push("hidden");
            resolve();
          });
        });
        pick.show();
        await answered(hidden, accept);
        pick.dispose();
        assert.deepEqual(told, ["accepted One", "hidden"]);
      });
    });

    describe("what is kept", () => {
      it("by keys is there again, is a copy, and can be taken away", async () => {
        const { workspaceState, globalState } = await context();
        for (const memento of [workspaceState, globalState]) {
          const value = { list: [1] };
          await memento.update("contract", value);
          assert.deepEqual(memento.get("contract"), { list: [1] });
          assert.ok(memento.keys().includes("contract"));
          await memento.update("contract", undefined);
          assert.equal(memento.get("contract"), undefined);
          assert.equal(memento.get("contract", "otherwise"), "otherwise");
          assert.ok(!memento.keys().includes("contract"));
        }
      });

      it("as a secret is there again, and tells of its changes", async () => {
        const { secrets } = await context();
        const told: string[] = [];
        const listening = secrets.onDidChange(({ key }) => told.push(key));
        try {
          await secrets.store("contract", "secret");
          assert.equal(await secrets.get("contract"), "secret");
          await secrets.delete("contract");
          assert.equal(await secrets.get("contract"), undefined);
          await eventually(() => told.length >= 2, "the events");
          assert.deepEqual(told, ["contract", "contract"]);
        } finally {
          listening.dispose();
        }
      });

      it("in the clipboard is there again", async () => {
        await vscode.env.clipboard.writeText("contract");
        assert.equal(await vscode.env.clipboard.readText(), "contract");
      });
    });

    describe("progress", () => {
      it("ends with what is done, and fails with it", async () => {
        const options = {
          location: vscode.ProgressLocation.Notification,
          title: "Contract",
          cancellable: true,
        };
        const result = await vscode.window.withProgress(options, (progress, token) => {
          progress.report({ message: "one" });
          assert.equal(token.isCancellationRequested, false);
          return Promise.resolve("done");
        });
        assert.equal(result, "done");
        await assert.rejects(
          Promise.resolve(
            vscode.window.withProgress(options, () => Promise.reject(new Error("It fails."))),
          ),
          /It fails\./,
        );
      });
    });

    describe("texts for people", () => {
      it("stand as they are written, or as Markdown", () => {
        const text = new vscode.MarkdownString(undefined, true)
          .appendText("a *b*  <c>\n1. [x](y)")
          .appendMarkdown("**bold**")
          .appendCodeblock("```\nx\n```", "js");
        assert.equal(
          text.value,
          "a&nbsp;\\*b\\*&nbsp;&nbsp;<c\\>\n\n1.&nbsp;\\[x\\]\\(y\\)**bold**\n````js\n```\nx\n```\n````\n",
        );
        assert.equal(text.supportThemeIcons, true);
      });

      it("of rows have a label or a file, and are folded or not", () => {
        const item = new vscode.TreeItem("Row", vscode.TreeItemCollapsibleState.Expanded);
        assert.deepEqual([item.label, item.collapsibleState], ["Row", 2]);
        assert.equal(new vscode.TreeItem(vscode.Uri.file("/a")).resourceUri?.path, "/a");
        assert.equal(
          new vscode.TreeItem("Row").collapsibleState,
          vscode.TreeItemCollapsibleState.None,
        );
      });

      it("that are dragged are found by their kind, in any case", async () => {
        const data = new vscode.DataTransfer();
        data.set("Application/X-Row", new vscode.DataTransferItem({ id: 1 }));
        assert.equal(await data.get("application/x-row")?.asString(), '{"id":1}');
        assert.equal(data.get("text/plain"), undefined);
      });
    });

    describe("rows of a view", () => {
      it("are asked for once, and again when somebody says that they are outdated", async () => {
        const rows = new Map([
          ["", ["a", "b"]],
          ["b", ["b1"]],
        ]);
        const asked: string[] = [];
        const changed = new vscode.EventEmitter<string | string[] | undefined>();
        const view = vscode.window.createTreeView("rooroo-test.rows", {
          treeDataProvider: {
            onDidChangeTreeData: changed.event,
            getChildren: (id = "") => {
              asked.push(`below ${id}`);
              return rows.get(id) ?? [];
            },
            getTreeItem: (id) => {
              asked.push(id);
              const { Expanded, None } = vscode.TreeItemCollapsibleState;
              return new vscode.TreeItem(id, rows.has(id) ? Expanded : None);
            },
            getParent: (id) => (id.length > 1 ? id.slice(0, 1) : undefined),
          },
        });
        try {
          await view.reveal("b1", { select: true, focus: false, expand: true });
          await eventually(() => view.selection[0] === "b1", "the selection");
          await eventually(() => asked.includes("below b"), "the rows below");
          rows.set("", ["a", "b", "c"]);
          rows.set("b", ["b1", "b2"]);
          await pause(300);
          assert.ok(!asked.includes("c") && !asked.includes("b2"), asked.join());
          changed.fire(["b"]);
          await eventually(() => asked.includes("b2"), "the rows below, again");
          assert.ok(!asked.includes("c"), asked.join());
          changed.fire(undefined);
          await eventually(() => asked.includes("c"), "all rows, again");
        } finally {
          view.dispose();
        }
      });
    });

    describe("pages", () => {
      it("in editors have a tab, and end with it", async () => {
        const panel = vscode.window.createWebviewPanel(
          "rooroo.contract",
          "A page",
          { viewColumn: vscode.ViewColumn.Active },
          { enableScripts: false },
        );
        panel.webview.html = "<p>Text</p>";
        const tab = await eventually(
          () =>
            vscode.window.tabGroups.all
              .flatMap(({ tabs }) => tabs)
              .find(({ label }) => label === "A page"),
          "the tab",
        );
        assert.ok(tab.input instanceof vscode.TabInputWebview);
        assert.match(tab.input.viewType, /rooroo\.contract$/);
        panel.title = "Another page";
        await eventually(
          () =>
            vscode.window.tabGroups.all.some(({ tabs }) =>
              tabs.some(({ label }) => label === "Another page"),
            ),
          "its new title",
        );
        const gone = new Promise<void>((resolve) => {
          panel.onDidDispose(() => {
            resolve();
          });
        });
        const [now] = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
          tabs.filter(({ label }) => label === "Another page"),
        );
        assert.ok(now);
        await vscode.window.tabGroups.close(now);
        await gone;
      });
    });
  });
}

async function eventually<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`not within ${patienceMs} ms: ${what}`);
    await pause(20);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
