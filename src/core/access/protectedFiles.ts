import { PathPatterns } from "../text/pathPatterns.js";
import { translatable } from "../text/translator.js";
import { type Words, words } from "../text/words.js";
import { foldedPath } from "./foldedPath.js";

/** Files of which writing is always asked about, whatever is allowed. */
interface ProtectedGroup {
  /** The reason, for the person who is asked. */
  readonly why: string;
  /** Patterns in gitignore syntax, in lower case. */
  readonly patterns: readonly string[];
}

function names(list: string): readonly string[] {
  return list.split(" ");
}

/**
 * Files that control tools, editors and agents: writing one makes code run later, unasked, or widens what may
 * be done. Each name costs a question now and then, so source code and build files that run only when a
 * person runs them are not here. `docs/protected-files.md` lists them for people.
 */
export const protectedFiles: readonly ProtectedGroup[] = [
  {
    why: translatable("Version control runs what these files say."),
    patterns: names(
      ".git *.git .gitattributes .gitmodules .gitconfig .hg .svn .jj .husky .githooks .git-hooks lefthook* .lefthook* .overcommit.yml .pre-commit-config.y*ml .lintstagedrc* lint-staged.config.* .simple-git-hooks.*",
    ),
  },
  {
    why: translatable("Rooroo works by these files."),
    patterns: names(".rooroo .config/rooroo .rooignore .roomodes* .roo .roorules*"),
  },
  {
    why: translatable("Agents follow these files, or are allowed things by them."),
    patterns: names(
      "agents.md agents.*.md agent.md .agents .agent *.agent.md .rules claude.md claude.*.md .claude .claude.json .mcp.json mcp.json .mcp .codex .cursor .cursorrules* .cursorignore .cursorindexingignore .cline .clinerules* .clineignore gemini.md .gemini .geminiignore .aiexclude .copilot *.prompt.md *.instructions.md *.chatmode.md skill.md copilot-instructions.md .github/instructions .github/prompts .github/agents .github/chatmodes .github/hooks .github/skills .continue .continuerc.json .continuerules* .continueignore .windsurf .windsurfrules* .codeium .codeiumignore .kiro .aider* .opencode opencode.json opencode.jsonc .kilo .kilocode* .qwen qwen.md .amazonq .augment* .trae .junie .factory .goose .goosehints* .crush .crush.json crush.json crush.md .tabnine .cody .sourcegraph .amp .warp warp.md .openhands .qodo .zencoder .zed mcp_config.json .kilorules* .traerules* .codexrules* .agentrules* .airules* .ruler",
    ),
  },
  {
    why: translatable("Editors and their extensions run what these files say."),
    patterns: names(
      ".vscode .vscode-server *.code-workspace .vs .idea .fleet .nova *.sublime-project *.sublime-workspace .devcontainer .devcontainer.json devcontainer.json .gitpod.yml .theia .helix .dir-locals*.el .exrc .vimrc .lvimrc .nvimrc .nvim.lua .neoconf.json .clangd .gdbinit .lldbinit .eslintrc* eslint.config.* .prettierrc* prettier.config.* .stylelintrc* stylelint.config.* .babelrc* babel.config.* tailwind.config.* postcss.config.* .postcssrc* svelte.config.* vetur.config.* .graphqlrc* graphql.config.* .ruby-lsp ruby_lsp .solargraph.yml .rubocop*.yml .standard.yml gemfile .irbrc .pryrc .formatter.exs .iex.exs .elixir_ls *.props *.targets *.csproj *.fsproj *.vbproj *.vcxproj *.proj global.json dotnet-tools.json rust-analyzer.toml rust-toolchain* .pylintrc pylintrc mypy.ini .mypy.ini .pdbrc *.pth sitecustomize.py usercustomize.py .php-cs-fixer*.php",
    ),
  },
  {
    why: translatable("Package managers run what these files say, or fetch from where they say."),
    patterns: names(
      ".npmrc .yarnrc* .yarn .pnp.* .pnpmfile.* pnpm-workspace.yaml bunfig.toml deno.json deno.jsonc pip.conf pip.ini .pypirc uv.toml .condarc .cargo .bundle .gemrc nuget.config .mvn .gradle gradle-wrapper.* init.gradle*",
    ),
  },
  {
    why: translatable("Build servers run what these files say, with keys of their own."),
    patterns: names(
      ".github/workflows .github/actions codeowners .gitlab-ci.yml .gitlab/ci .circleci azure-pipelines*.yml jenkinsfile .travis.yml appveyor.yml bitbucket-pipelines.yml .drone.yml .buildkite .woodpecker* .cirrus.yml .forgejo/workflows .gitea/workflows",
    ),
  },
  {
    why: translatable("Shells and system programs read these files when they start."),
    patterns: names(
      ".envrc .env .env.* !.env.example !.env.sample !.env.template .mise.toml mise.toml mise.*.toml .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .inputrc .xprofile .xinitrc .netrc .ssh .gnupg .aws .docker .kube .config/git .config/fish .config/autostart .config/systemd .local/bin library/launchagents",
    ),
  },
];

const unclear = translatable("Its name can be read as another one's.");

const matchers = protectedFiles.map(({ why, patterns }) => ({
  why,
  matcher: new PathPatterns(patterns, { ignorecase: true }),
}));

/**
 * Returns why writing a file is always asked about; `undefined` for an ordinary file. In doubt, it is asked
 * about.
 *
 * @param path canonical, in the workspace
 */
export function protection(path: string): Words | undefined {
  const why = path === "" ? undefined : reasonFor(path);
  return why === undefined ? undefined : words(why);
}

function reasonFor(path: string): string | undefined {
  try {
    const folded = foldedPath(path);
    if (folded === undefined) return unclear;
    // A folder with a `HEAD` file in it can be taken for a git repository's own.
    if (/(^|\/)head$/.test(folded)) return matchers[0]?.why;
    return matchers.find(({ matcher }) => matcher.ignores(folded))?.why;
  } catch {
    return unclear;
  }
}

export function isProtected(path: string): boolean {
  return protection(path) !== undefined;
}
