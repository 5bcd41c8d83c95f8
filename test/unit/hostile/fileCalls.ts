import ts from "typescript";

/** What a program does with files, found in its text. */
export interface FileCall {
  /** Of the bundle: the file that this part of it comes from. */
  readonly module: string;
  /** As in `fs.writeFile`, or what makes it impossible to say. */
  readonly what: string;
  /** Whether a file may be written by it. */
  readonly writes: boolean;
  /**
   * Whether it opens what a path names to read it, whatever that is: a pipe in the place of a file would be waited for. The
   * system's own files, below `/proc` and `/sys`, do not count.
   */
  readonly reads: boolean;
}

/** Everything of Node's `fs` by which nothing on the disk is changed. `open` depends on its flags. */
const reading = new Set([
  "F_OK",
  "R_OK",
  "W_OK",
  "X_OK",
  "Stats",
  "Dirent",
  "constants",
  "access",
  "createReadStream",
  "exists",
  "fstat",
  "fsync",
  "fdatasync",
  "glob",
  "lstat",
  "close",
  "opendir",
  "read",
  "readdir",
  "readFile",
  "readlink",
  "readv",
  "realpath",
  "stat",
  "statfs",
  "unwatchFile",
  "watch",
  "watchFile",
]);

/** Methods that change files whatever they are called on, and other ways to have the system do it. */
const writingMethods = new Set([
  "appendFile",
  "writeFile",
  "writeStream",
  "createWriteStream",
  "chmod",
  "fchmod",
  "lchmod",
  "chown",
  "fchown",
  "lchown",
  "utimes",
  "futimes",
  "lutimes",
  "truncate",
  "ftruncate",
  "copyFile",
  "mkdir",
  "mkdtemp",
  "rmdir",
  "symlink",
  "unlink",
  "createDirectory",
  "writeHeapSnapshot",
  "setHeapSnapshotNearHeapLimit",
  "enableCompileCache",
]);

/** Ways to a module that do not show its name as an import does. */
const hiddenWays = new Set(["getBuiltinModule", "binding", "dlopen"]);

const fsModule = /^(node:)?fs(\/promises)?$/;
/** Modules of Node that write files by other means. */
const otherWriters = /^(node:)?(sqlite|wasi|inspector(\/promises)?|trace_events|repl|test)$/;
/** Flags of `open` with which nothing is waited for: a pipe is opened at once, or refused. */
const unwaitingFlag = /\bO_(NONBLOCK|DIRECTORY|EXCL)\d*\b|^"wx"$/;
const readOnlyFlag = /^O_(RDONLY|NONBLOCK|NOFOLLOW|DIRECTORY|CLOEXEC)$/;
const moduleComment = /^\/\/ ((?:src|node_modules|scripts)\/.*)$/gm;

/**
 * Finds every use of the file system in an output of the bundler.
 *
 * @param text neither minified nor without the bundler's comments that name the modules
 */
export function fileCalls(text: string): FileCall[] {
  const source = ts.createSourceFile("bundle.js", text, ts.ScriptTarget.Latest, true);
  const modules = [...text.matchAll(moduleComment)].map(({ index, 1: name = "" }) => ({
    index,
    name,
  }));
  return new Finder(source, modules).calls();
}

class Finder {
  private readonly found: FileCall[] = [];
  /** Variables that hold `fs` as a whole. */
  private readonly wholes = new Set<string>();
  /** Variables that hold something of `fs`, by the name that it has there. */
  private readonly parts = new Map<string, string>();

  constructor(
    private readonly source: ts.SourceFile,
    private readonly modules: readonly { readonly index: number; readonly name: string }[],
  ) {}

  calls(): FileCall[] {
    this.visit(this.source, (node) => {
      this.imported(node);
    });
    this.visit(this.source, (node) => {
      this.used(node);
    });
    return this.found;
  }

  private visit(node: ts.Node, look: (node: ts.Node) => void): void {
    look(node);
    ts.forEachChild(node, (child) => {
      this.visit(child, look);
    });
  }

  private imported(node: ts.Node): void {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      if (otherWriters.test(node.moduleSpecifier.text)) this.tell(node, node.moduleSpecifier.text);
      if (!fsModule.test(node.moduleSpecifier.text)) return;
      const { name, namedBindings } = node.importClause ?? {};
      if (name) this.wholes.add(name.text);
      if (namedBindings && ts.isNamespaceImport(namedBindings)) {
        this.wholes.add(namedBindings.name.text);
      } else if (namedBindings) {
        for (const one of namedBindings.elements) {
          const own = (one.propertyName ?? one.name).text;
          if (own === "default" || own === "promises") this.wholes.add(one.name.text);
          else this.parts.set(one.name.text, own);
        }
      }
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      const { text } = node.moduleSpecifier as ts.StringLiteral;
      if (fsModule.test(text)) this.tell(node, "fs is passed on as a whole");
    } else if (ts.isCallExpression(node)) {
      this.loaded(node);
    }
  }

  /** `require("fs")`, `import("fs")`, and whatever else loads a module. */
  private loaded(node: ts.CallExpression): void {
    const callee = ts.isIdentifier(node.expression) ? node.expression.text : "";
    const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
    if (!isImport && !/^(__)?require\d*$/.test(callee)) return;
    const [name] = node.arguments;
    if (name === undefined) return;
    if (!ts.isStringLiteralLike(name)) this.tell(node, "a module is loaded by a computed name");
    else if (otherWriters.test(name.text)) this.tell(node, name.text);
    else if (fsModule.test(name.text)) this.whole(node);
  }

  private used(node: ts.Node): void {
    if (ts.isIdentifier(node) && isReference(node)) {
      const part = this.parts.get(node.text);
      if (part !== undefined) this.part(node, part);
      if (this.wholes.has(node.text)) this.whole(node);
      if (node.text === "createRequire" && !isCalledForPath(node)) {
        this.tell(node, "modules may be loaded by createRequire");
      }
    }
    if (ts.isPropertyAccessExpression(node)) {
      const { text } = node.name;
      if (text === "writeReport" && /(^|\.)report$/.test(node.expression.getText(this.source))) {
        this.tell(node, "process.report");
      }
      if (hiddenWays.has(text)) this.tell(node, `modules may be loaded by ${text}`);
      const plain = text.replace(/Sync$/, "");
      if (writingMethods.has(plain) && !this.isOfFs(node)) this.tell(node, `….${text}`);
      if (text === "fs" && /(^|\.)workspace\d*$/.test(node.expression.getText(this.source))) {
        this.editors(node);
      }
    }
  }

  /** Finds out what is done with a value that is `fs` as a whole. */
  private whole(value: ts.Expression): void {
    let node: ts.Node = value;
    while (isWrapper(node.parent)) node = node.parent;
    const { parent } = node;
    if (ts.isPropertyAccessExpression(parent) && parent.expression === node) {
      if (parent.name.text === "promises" || parent.name.text === "default") this.whole(parent);
      else this.part(parent, parent.name.text);
    } else if (ts.isVariableDeclaration(parent) && parent.initializer === node) {
      this.bound(parent.name, parent);
    } else if (
      ts.isBinaryExpression(parent) &&
      parent.right === node &&
      parent.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isIdentifier(parent.left)
    ) {
      this.wholes.add(parent.left.text);
    } else if (!ts.isExpressionStatement(parent)) this.tell(node, "fs is passed on as a whole");
  }

  private bound(name: ts.BindingName, at: ts.Node): void {
    if (ts.isIdentifier(name)) this.wholes.add(name.text);
    else if (ts.isObjectBindingPattern(name)) {
      for (const one of name.elements) {
        const own = one.propertyName ?? one.name;
        if (one.dotDotDotToken || !ts.isIdentifier(own) || !ts.isIdentifier(one.name)) {
          this.tell(at, "fs is taken apart");
        } else if (own.text === "promises") this.wholes.add(one.name.text);
        else this.parts.set(one.name.text, own.text);
      }
    } else this.tell(at, "fs is taken apart");
  }

  /** @param name as `fs` has it */
  private part(node: ts.Node, name: string): void {
    const plain = name.replace(/Sync$/, "");
    const isRead = plain === "open" ? opensForReading(node) : reading.has(plain);
    this.tell(node, `fs.${name}`, !isRead, this.waits(node, plain));
  }

  /** Returns whether a function of `fs` would wait for the other end of a pipe. */
  private waits(node: ts.Node, name: string): boolean {
    if (!["open", "openAsBlob", "readFile", "createReadStream"].includes(name)) return false;
    const call = node.parent;
    if (!ts.isCallExpression(call) || call.expression !== node) return true;
    const [path, flags] = call.arguments.map((argument) => argument.getText(this.source));
    if (/^["`]\/(proc|sys)\//.test(path ?? "")) return false;
    return name !== "open" || flags === undefined || !unwaitingFlag.test(flags);
  }

  /** `vscode.workspace.fs`. */
  private editors(node: ts.PropertyAccessExpression): void {
    const { parent } = node;
    const method = ts.isPropertyAccessExpression(parent) ? parent.name.text : "as a whole";
    const isRead = ["readDirectory", "readFile", "stat", "isWritableFileSystem"].includes(method);
    this.tell(node, `workspace.fs ${method}`, !isRead, method === "readFile");
  }

  private isOfFs({ expression }: ts.PropertyAccessExpression): boolean {
    return ts.isIdentifier(expression) && this.wholes.has(expression.text);
  }

  private tell(node: ts.Node, what: string, writes = true, reads = false): void {
    const start = node.getStart(this.source);
    const module = this.modules.findLast(({ index }) => index <= start)?.name ?? "";
    this.found.push({ module, what, writes, reads });
  }
}

/** Returns whether the name stands for a variable's value. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isImportSpecifier(parent) || ts.isImportClause(parent) || ts.isNamespaceImport(parent)) {
    return false;
  }
  if (ts.isVariableDeclaration(parent) || ts.isBindingElement(parent) || ts.isParameter(parent)) {
    return parent.initializer === node;
  }
  if (ts.isBinaryExpression(parent) && parent.left === node) {
    return parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken;
  }
  return !ts.isMethodDeclaration(parent) && !ts.isPropertyDeclaration(parent);
}

/** Parentheses, `await`, and the bundler's helpers around what is loaded. */
function isWrapper(node: ts.Node): boolean {
  if (ts.isParenthesizedExpression(node) || ts.isAwaitExpression(node)) return true;
  return (
    ts.isCallExpression(node) &&
    ts.isIdentifier(node.expression) &&
    /^__toESM\d*$/.test(node.expression.text)
  );
}

/** Returns whether it is called as in `createRequire(…).resolve(…)`: a path is looked up, and nothing loaded. */
function isCalledForPath(node: ts.Identifier): boolean {
  const call = node.parent;
  return (
    ts.isCallExpression(call) &&
    ts.isPropertyAccessExpression(call.parent) &&
    call.parent.name.text === "resolve"
  );
}

/** Returns whether this is the `open` of a call with flags by which nothing can be written. */
function opensForReading(open: ts.Node): boolean {
  const call = open.parent;
  if (!ts.isCallExpression(call) || call.expression !== open) return false;
  const [, flags] = call.arguments;
  return flags === undefined || isReadOnly(flags);
}

function isReadOnly(flags: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(flags)) return isReadOnly(flags.expression);
  if (ts.isStringLiteral(flags)) return /^rs?$/.test(flags.text);
  if (ts.isNumericLiteral(flags)) return flags.text === "0";
  if (ts.isPropertyAccessExpression(flags)) return readOnlyFlag.test(flags.name.text);
  if (ts.isIdentifier(flags)) return readOnlyFlag.test(flags.text.replace(/\d+$/, ""));
  if (ts.isConditionalExpression(flags)) {
    return isReadOnly(flags.whenTrue) && isReadOnly(flags.whenFalse);
  }
  const isJoined =
    ts.isBinaryExpression(flags) && flags.operatorToken.kind === ts.SyntaxKind.BarToken;
  return isJoined && isReadOnly(flags.left) && isReadOnly(flags.right);
}
