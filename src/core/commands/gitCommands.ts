import { type Usage, usage } from "./usage.js";

/** Flags that choose commits; none of them names a file that is written or run. */
const choosing =
  "-# -n:number -i -E -F -P -S:text -G:text -L:text --all --max-count:number --skip:number --author:text --committer:text --grep:text --since:text --until:text --after:text --before:text --first-parent --merges --no-merges --reverse --follow --branches? --tags? --remotes? --glob? --exclude? --topo-order --date-order --author-date-order --left-right --left-only --right-only --cherry-pick --cherry-mark --boundary --simplify-merges --full-history --ancestry-path? --regexp-ignore-case --all-match --invert-grep --pickaxe-regex --pickaxe-all --no-walk --reflog --walk-reflogs -g";
/**
 * Flags for how commits are printed. Left out are --output, --ext-diff, --textconv, and
 * --show-signature, which runs gpg.
 */
const printing =
  "-p -u -s -z -w -b -a -c -m -R -W -D -M? -C? -B? -U:number --oneline --graph --decorate? --no-decorate --pretty? --format? --abbrev? --abbrev-commit --no-abbrev-commit --patch --no-patch --patch-with-stat --stat? --shortstat --numstat --name-only --name-status --dirstat? --summary --raw --compact-summary --unified? --find-renames? --find-copies? --no-renames --diff-filter:text --word-diff? --color? --no-color --color-words? --color-moved? --relative? --text --check --minimal --patience --histogram --diff-algorithm? --full-index --no-ext-diff --no-textconv --no-prefix --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --ignore-submodules? --submodule? --inter-hunk-context:number --function-context --cc --source --parents --children --no-notes --date? --relative-date --exit-code --quiet -q --cached --staged --merge-base --encoding?";
const listing =
  "--sort:text --format:text --contains:text --no-contains:text --merged:text --no-merged:text --points-at:text --column? --color? --no-color --ignore-case -i";

const log = usage(`${choosing} ${printing}`, "name");
const diff = usage(printing, "name");

/** Git's commands that only read. Operands are revisions as well as paths. */
export const gitCommands: ReadonlyMap<string, Usage> = new Map(
  Object.entries({
    log,
    whatchanged: log,
    show: log,
    reflog: log,
    diff,
    "diff-tree": usage(`${printing} -r -t --root --no-commit-id`, "name"),
    "diff-index": diff,
    "diff-files": diff,
    "rev-list": usage(`${choosing} --count --objects --parents --abbrev-commit --oneline`, "name"),
    shortlog: usage(
      "-sne --numbered --summary --email --all --no-merges --since:text --until:text",
      "name",
    ),
    status: usage(
      "-sbvz -u? --short --branch --porcelain? --long --ignored? --untracked-files? --show-stash --ahead-behind --renames --no-renames --ignore-submodules?",
      "name",
    ),
    blame: usage(
      "-wesltpfnbc -L:text -M? -C? --porcelain --line-porcelain --since:text --date:text --abbrev? --show-name --show-number --show-email --root",
      "file",
    ),
    grep: usage(
      "-nilLcwEFGPvhHozpWI -e:text -A:number -B:number -C:number -# --name-only --files-with-matches --files-without-match --count --line-number --column --ignore-case --word-regexp --extended-regexp --fixed-strings --perl-regexp --only-matching --invert-match --untracked --cached --heading --break --color? --no-color --and --or --not --all-match --max-depth:number --function-context --show-function -q --quiet",
      "text",
    ),
    "rev-parse": usage(
      "--show-toplevel --abbrev-ref? --short? --verify -q --quiet --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-bare-repository --is-inside-git-dir --show-prefix --show-cdup --symbolic --symbolic-full-name --all --branches --tags --remotes",
      "name",
    ),
    "ls-files": usage(
      "-cdmoiuskvtz --cached --deleted --modified --others --ignored --stage --unmerged --killed --exclude-standard --full-name --error-unmatch --directory --no-empty-directory --exclude:text -x:text --eol --deduplicate",
      "name",
    ),
    "ls-tree": usage(
      "-drtlz --name-only --name-status --full-name --full-tree --abbrev? --long",
      "name",
    ),
    "cat-file": usage("-tpse", "name"),
    describe: usage(
      "--tags --always --dirty? --long --abbrev? --all --exact-match --first-parent --match:text --contains",
      "name",
    ),
    "merge-base": usage("--is-ancestor --all --octopus --fork-point --independent", "name"),
    "name-rev": usage("--name-only --tags --refs:text --always", "name"),
    "for-each-ref": usage(`${listing} --count:number --omit-empty`, "text"),
    "show-ref": usage(
      "-sdq --head --heads --tags --verify --hash? --abbrev? --dereference --quiet",
      "text",
    ),
    "show-branch": usage("-a --all --current --list", "name"),
    "check-ignore": usage("-qvnz --quiet --verbose --non-matching --no-index", "name"),
    "count-objects": usage("-vH --verbose --human-readable", "none"),
    cherry: usage("-v --abbrev?", "name"),
    version: usage("--build-options", "none"),
    // With an operand that is not a pattern, these commands create something.
    branch: usage(`-avrl --all --remotes --list --verbose --show-current ${listing}`, "text"),
    tag: usage(`-l -n? --list ${listing}`, "text"),
    stash: usage(printing, "text"),
    worktree: usage("-v --porcelain", "text"),
    remote: usage("-v --verbose --all --push", "text"),
  }),
);
