import type { PinnedFile } from "../agent/commandFacts.js";
import { runsProject } from "../approvals/commandRule.js";
import { sha256 } from "../text/sha256.js";
import type { SimpleCommand } from "./line/commandLine.js";
import type { Word } from "./line/word.js";
import { isShell, programName, unwrap } from "./line/wrappers.js";
import { expandPattern } from "./paths/expandPattern.js";
import { followPath, joinPath } from "./paths/followPath.js";
import type { ReviewedFiles } from "./paths/reviewedFiles.js";
import { readOnlyPrograms } from "./reading/readOnlyPrograms.js";
import { smallPrograms } from "./reading/smallPrograms.js";

interface Bound {
  readonly files: readonly PinnedFile[];
  /** Whether the command may run a file that cannot be determined. */
  readonly runsUnknown: boolean;
}

/**
 * Programs that take files for data, so that other content does not make another command of them:
 * they only read, move files about, or check, format, compile or test source code.
 */
const takesData = new Set(
  "rm cp mv ln touch mkdir rmdir chmod chown chgrp truncate tee install rsync scp tar gtar bsdtar zip unzip gzip gunzip bzip2 bunzip2 xz unxz zstd 7z dd curl wget sort uniq cut tr find fd fdfind xargs env time nice nohup timeout sudo git gh svn hg tsc eslint prettier biome stylelint tslint oxlint standard ruff black isort flake8 mypy pyright pylint rubocop gofmt goimports golangci-lint rustfmt clippy clang-format clang-tidy shellcheck shfmt hadolint markdownlint yamllint ajv mocha jest vitest ava tap jasmine karma pytest phpunit rspec gcc g++ clang clang++ cc c++ rustc javac kotlinc swiftc code ssh kill jq yq sed echo printf cat export".split(
    " ",
  ),
);
/** Interpreters, whose code can name further files that they run. */
const interpreters =
  /^(?:node|nodejs|deno|bun|tsx|ts-node|python[\d.]*|pypy[\d.]*|ruby|perl|php|lua[\d.]*|luajit|rscript|r|julia|tclsh|guile|groovy|scala|elixir|pwsh|powershell|osascript|awk|gawk|mawk|nawk|sqlite3|psql|mysql|gdb|lldb|vim|vi|nvim|ex|ed|emacs)$/;
const inlineCode = /^-[A-Za-z]*[ceErpR]$|^--?(?:e|c|eval|print|execute|expression|command)(?:=|$)/i;
const loadsFiles =
  /require|import|load|exec|open|source|system|spawn|popen|eval|include|\brun|\bdo\b|\.read|`|-f\b/i;
/** Matches assignments of variables whose values make programs run, or look for, other programs. */
const controlling =
  /^(?:.*PATH|.*_OPTIONS|.*_?OPTS|.*FLAGS|ENV|BASH_ENV|SHELL(?:OPTS)?|BASHOPTS|IFS|PS[0-4]|PROMPT_COMMAND|.*EDITOR|.*PAGER|BROWSER|LD_.*|DYLD_.*|GIT_.*|SSH_.*|NODE_(?!ENV$).*|NPM_.*|PYTHON.*|PERL.*|RUBY.*|JAVA.*|_JAVA.*|LESS.*|MAKE.*|CC|CXX|HOME|XDG_.*|TMPDIR|.*COMMAND|.*PROGRAM|.*ASKPASS|.*STARTUP|.*PRELOAD|.*CONFIG.*)\+?=/i;
/** Commands whose words set variables, for what they run or for what follows them. */
const setsVariables = /^(?:env|sudo|doas|export|declare|typeset|readonly|local)$/;
/** Folders of programs that are the system's, not the workspace's. */
const systemFolders = /^\/(?:usr|bin|sbin|lib\w*|opt|nix|snap|Applications|Library|System)\//;
const largest = 50_000_000;

/** Returns whether an assignment changes which files programs run. */
export function setsControlVariable(assignment: string): boolean {
  return controlling.test(assignment);
}

/**
 * Returns whether a command's input is a file that it names or a part of the line, so that what it
 * runs from there is known.
 */
export function readsInput({ redirects }: SimpleCommand): boolean {
  return redirects.some(({ operator, target }) => {
    return operator.startsWith("<<") || (operator === "<" && target.kind !== "unknown");
  });
}

/**
 * Returns the workspace's files whose content decides what a command does, such as scripts that it
 * runs. Every file that the command names counts, behind whatever flag, unless the program is known
 * to take files for data.
 *
 * @param command with a literal name first
 */
export async function boundFiles(command: SimpleCommand, files: ReviewedFiles): Promise<Bound> {
  const { words, assignments, redirects } = command;
  const [program, ...args] = words;
  const name = programName(program);
  const isPath =
    program !== undefined && program.text.includes("/") && !systemFolders.test(program.text);
  const runs = unwrap(words);
  // The command that a wrapper runs is looked at by itself.
  const isData = !isPath && (runs.commands.length > 0 || takesFilesForData(name, args));
  const inputs = redirects.filter(({ operator }) => operator === "<").map(({ target }) => target);
  const set = setsVariables.test(name) ? args : [];
  const controlling = [...assignments, ...set].filter(({ text }) => setsControlVariable(text));
  const named = [
    ...(isPath ? [program] : []),
    // A task's name may be the name of a file, too.
    ...(isData ? args.slice(1, args[0]?.text === "run" ? 2 : 1) : [...args, ...inputs]),
    ...controlling.map((word) => ({ ...word, text: word.text.replace(/^[^=]*=/, "") })),
  ];
  const runsOthers = runs.commands.length > 0 || runs.scripts.length > 0;
  const search = new BoundFileSearch({ program, name, args, runsOthers }, files);
  if (command.folders === undefined && !isData) search.runsUnknown = true;
  if (controlling.some(leadsToFolder)) search.runsUnknown = true;
  if (interpreters.test(name) && loadsCode(args)) search.runsUnknown = true;
  for (const folder of command.folders ?? []) {
    for (const word of named) await search.addNamed(folder, word);
    await search.addImplied(folder);
  }
  return { files: [...search.bound.values()], runsUnknown: search.runsUnknown };
}

interface Program {
  /** The word that names it. */
  readonly program: Word | undefined;
  /** Its name without folders. */
  readonly name: string;
  readonly args: readonly Word[];
  /** Whether it is a wrapper that runs other commands. */
  readonly runsOthers: boolean;
}

/** Finds the files whose content decides what one program does. */
class BoundFileSearch {
  readonly bound = new Map<string, PinnedFile>();
  /** Whether the program may run what cannot be bound. */
  runsUnknown = false;

  constructor(
    private readonly run: Program,
    private readonly files: ReviewedFiles,
  ) {}

  /** Adds the files that a word of the command names. */
  async addNamed(folder: string, word: Word): Promise<void> {
    const texts =
      word.kind === "pattern" ? await expandPattern(word.text, folder, this.files) : [word.text];
    // Unknown words of a wrapper may belong to the command that it runs, which is looked at by
    // itself.
    const isUnknown = texts === undefined || word.kind === "unknown" || word.kind === "status";
    if (isUnknown && !this.run.runsOthers) this.runsUnknown = true;
    for (const text of (texts ?? []).flatMap(pathsIn)) await this.addPath(folder, text, word);
  }

  /** Adds the files that the program reads in a folder without being told of them. */
  async addImplied(folder: string): Promise<void> {
    const { name, args } = this.run;
    for (const recipe of projectRecipes(name)) {
      for (const place of upwards(folder, recipe)) await this.add(place);
    }
    for (const module of interpreters.test(name) ? modules(args) : []) {
      const at = await followPath(folder, module, this.files);
      if (at !== undefined) await this.add(at.place);
    }
  }

  private async addPath(folder: string, text: string, word: Word): Promise<void> {
    const { program, name } = this.run;
    const at = await followPath(folder, text, this.files);
    if (at === undefined || systemFolders.test(at.path)) return;
    const kind = (await this.files.stat(at.place))?.kind;
    const isInterpreter = interpreters.test(name) || isShell(name);
    const mayBeRun = kind === "file" || word === program || isInterpreter;
    if (!at.inside && mayBeRun && (kind !== "folder" || isInterpreter)) this.runsUnknown = true;
    else if (kind === "file") await this.add(at.place);
    else if (kind === "folder" && text === word.text && isInterpreter) this.runsUnknown = true;
    else if (kind === "folder") {
      for (const recipe of projectRecipes(name)) await this.add(joinPath(at.path, recipe));
    }
  }

  private async add(place: string): Promise<void> {
    const size = (await this.files.stat(place))?.size ?? 0;
    if (size > largest) this.runsUnknown = true;
    const file = size > largest ? undefined : await bind(place, this.files);
    if (file !== undefined) this.bound.set(file.path, file);
  }
}

/**
 * Returns a file's canonical path and the SHA-256 hash of its content; `undefined` if it is not a
 * file of the workspace.
 */
export async function bind(place: string, files: ReviewedFiles): Promise<PinnedFile | undefined> {
  const { path, inside } = await files.locate(place);
  if (!inside || (await files.stat(path))?.kind !== "file") return undefined;
  const content = await files.readFile(path);
  if (content === undefined) return undefined;
  return { path, hash: await sha256(content) };
}

/**
 * Returns whether an assignment names a folder in which programs would be looked for, or its value
 * is unknown.
 */
function leadsToFolder({ kind, text }: Word): boolean {
  return kind !== "literal" || /\/|[=:](?:\.{0,2}(?:$|:))|^\w*PATH=/.test(text);
}

function takesFilesForData(name: string, args: readonly Word[]): boolean {
  const [first, second] = args;
  if (/^python[\d.]*$/.test(name) && first?.text === "-m" && second !== undefined) {
    return takesData.has(second.text) || /^(unittest|compileall|py_compile)$/.test(second.text);
  }
  if (runsProject([name, ...args.map(({ text }) => text)])) return true;
  return (
    takesData.has(name) ||
    readOnlyPrograms.has(name) ||
    (smallPrograms.has(name) && name !== "command")
  );
}

/** Returns a word and the parts of it that may be paths: a flag's value, an item of a list. */
function pathsIn(text: string): string[] {
  const [, attached] = /^-[A-Za-z](.+)$/s.exec(text) ?? [];
  const parts = text.split(/[=:,;\s]+/).filter((part) => part !== "");
  return [...new Set([text, ...parts, ...(attached === undefined ? [] : [attached])])];
}

/**
 * Returns whether code among the words of an interpreter may run files that it names in its own
 * way.
 */
function loadsCode(args: readonly Word[]): boolean {
  return args.some(({ text }, index) => {
    const previous = args[index - 1]?.text ?? "";
    return (inlineCode.test(previous) || inlineCode.test(text)) && loadsFiles.test(text);
  });
}

const endings =
  ".js .cjs .mjs .ts .json .rb .lua .pl .pm .py /index.js /__main__.py /__init__.py".split(" ");

/**
 * Returns the paths at which an interpreter may find a module that is named without its extension,
 * or with dots.
 */
function modules(args: readonly Word[]): string[] {
  return args.flatMap(({ text }) => {
    const name = text.replace(/^--?[\w-]+=|^-[mrM](?=.)/, "");
    if (!/^[\w./@-]+$/.test(name) || name.startsWith("-")) return [];
    const dotted = name.replace(/(?<=\w)\.(?=\w)/g, "/");
    return [...new Set([name, dotted])].flatMap((path) => endings.map((end) => path + end));
  });
}

function upwards(folder: string, name: string): string[] {
  const places = [joinPath(folder, name)];
  for (let at = folder; at !== "" && !at.startsWith("/");) {
    at = at.includes("/") ? at.replace(/\/[^/]*$/, "") : "";
    places.push(joinPath(at, name));
  }
  return places;
}

/** The files that a build tool runs or follows, in its folder or one above. */
const recipes: Readonly<Record<string, string>> = {
  npm: "package.json .npmrc",
  npx: "package.json .npmrc",
  pnpm: "package.json .npmrc pnpm-workspace.yaml .pnpmfile.cjs",
  yarn: "package.json .yarnrc .yarnrc.yml",
  bun: "package.json bunfig.toml",
  bunx: "package.json bunfig.toml",
  deno: "deno.json deno.jsonc package.json",
  make: "GNUmakefile makefile Makefile",
  just: "justfile Justfile .justfile",
  task: "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml",
  rake: "Rakefile rakefile Rakefile.rb rakefile.rb",
  bundle: "Gemfile",
  mvn: "pom.xml .mvn/jvm.config .mvn/maven.config .mvn/extensions.xml",
  gradle:
    "build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradle.properties gradle/wrapper/gradle-wrapper.properties gradle/wrapper/gradle-wrapper.jar",
  ant: "build.xml",
  cargo: "Cargo.toml build.rs .cargo/config.toml .cargo/config",
  composer: "composer.json",
  cmake: "CMakeLists.txt CMakePresets.json",
  ninja: "build.ninja",
  meson: "meson.build",
  tox: "tox.ini pyproject.toml setup.cfg",
  nox: "noxfile.py",
  invoke: "tasks.py",
  inv: "tasks.py",
  pip: "setup.py setup.cfg pyproject.toml",
  poetry: "pyproject.toml",
  pdm: "pyproject.toml",
  uv: "pyproject.toml uv.toml",
  hatch: "pyproject.toml",
  pytest: "conftest.py pytest.ini pyproject.toml tox.ini setup.cfg",
  grunt: "Gruntfile.js Gruntfile.cjs gruntfile.js",
  gulp: "gulpfile.js gulpfile.mjs gulpfile.cjs gulpfile.ts",
  docker: "Dockerfile docker-compose.yml docker-compose.yaml compose.yml compose.yaml",
  podman: "Dockerfile Containerfile docker-compose.yml compose.yml compose.yaml",
  vagrant: "Vagrantfile",
  mix: "mix.exs",
  sbt: "build.sbt",
  lein: "project.clj",
  zig: "build.zig",
  bazel: "WORKSPACE MODULE.bazel BUILD BUILD.bazel .bazelrc",
  scons: "SConstruct",
  waf: "wscript",
  turbo: "turbo.json package.json",
  nx: "nx.json package.json",
  lerna: "lerna.json package.json",
};
const sameAs: Readonly<Record<string, string>> = {
  gmake: "make",
  bmake: "make",
  gradlew: "gradle",
  mvnw: "mvn",
  pip3: "pip",
  pnpx: "pnpm",
  corepack: "npm",
};

/**
 * Returns the names of the files that a build tool runs or follows; none for any other program.
 *
 * @param program its name without a folder, in lower case
 */
function projectRecipes(program: string): readonly string[] {
  const name = sameAs[program] ?? program;
  return Object.hasOwn(recipes, name) ? (recipes[name] ?? "").split(" ") : [];
}
