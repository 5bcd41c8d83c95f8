import { type Usage, usage } from "./usage.js";

/**
 * Programs that only read, with the flags for which that is sure, as GNU, BSD and busybox have
 * them. What is not listed needs approval. Left out on purpose: whatever writes, runs a program,
 * opens a connection, or reads a list of file names from a file.
 */
export const readOnlyPrograms: ReadonlyMap<string, Usage> = new Map(
  Object.entries({
    ls: usage(
      "-aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxX1 --all --almost-all --color? --classify? --human-readable --recursive --reverse --size --sort:text --time:text --time-style:text --group-directories-first --file-type --inode --directory --full-time --si --ignore:text --hide:text -I:text --width:number",
      "name",
    ),
    cat: usage(
      "-AbeEnstTuv --number --number-nonblank --show-all --show-ends --show-tabs --show-nonprinting --squeeze-blank",
      "file",
    ),
    tac: usage("-b", "file"),
    rev: usage("", "file"),
    head: usage(
      "-qvz -n:number -c:number --lines:number --bytes:number --quiet --verbose -#",
      "file",
    ),
    tail: usage(
      "-qvz -n:number -c:number --lines:number --bytes:number --quiet --verbose -#",
      "file",
    ),
    wc: usage("-clmwL --lines --words --chars --bytes --max-line-length", "file"),
    nl: usage(
      "-p -b:text -n:text -w:number -s:text -v:number -i:number --body-numbering:text",
      "file",
    ),
    cut: usage(
      "-nsz -b:text -c:text -d:text -f:text --complement --delimiter:text --fields:text --characters:text --bytes:text --only-delimited --output-delimiter:text",
      "file",
    ),
    paste: usage("-sz -d:text --delimiters:text --serial", "file"),
    fold: usage("-bs -w:number --width:number --spaces", "file"),
    expand: usage("-i -t:text", "file"),
    column: usage("-ntx -s:text -c:number -o:text --table --separator:text", "file"),
    tr: usage("-cCdst --complement --delete --squeeze-repeats --truncate-set1", "text", 2),
    sort: usage(
      "-bcCdfghiMmnrRsuVz -k:text -t:text --key:text --field-separator:text --numeric-sort --human-numeric-sort --version-sort --general-numeric-sort --reverse --unique --ignore-case --stable --check?",
      "file",
    ),
    // A second operand is a file that it writes.
    uniq: usage(
      "-cdDiuz -f:number -s:number -w:number --count --repeated --unique --ignore-case --skip-fields:number --skip-chars:number --check-chars:number",
      "file",
      1,
    ),
    comm: usage("-123z --check-order --nocheck-order --total --output-delimiter:text", "file", 2),
    cmp: usage("-bls -n:number -i:text --silent --quiet --verbose --print-bytes", "file", 2),
    // -l sends its output through another program.
    diff: usage(
      "-abBcdEiNqrstTuwyZ -u? -U:number -C:number -W:number -x:text -I:text --brief --unified? --recursive --new-file --text --minimal --report-identical-files --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --side-by-side --suppress-common-lines --color? --exclude:text --strip-trailing-cr --width:number",
      "tree",
      2,
    ),
    du: usage(
      "-abchHklLmsSx0 -d:number --max-depth:number --human-readable --summarize --all --total --apparent-size --bytes --si --exclude:text -t:text --threshold:text",
      "name",
    ),
    df: usage("-ahHiklmPT --human-readable --inodes --print-type --total -t:text", "name"),
    tree: usage(
      "-adfilpsugDFQNqrtUvACnSXJhx -L:number -I:text -P:text --dirsfirst --noreport --prune --gitignore --du --si --charset:text --filelimit:number",
      "name",
    ),
    stat: usage(
      "-LtfFnqrsx -c:text --format:text --printf:text --terse --dereference --file-system",
      "name",
    ),
    file: usage("-bhikLNnpr --brief --mime --mime-type --mime-encoding --dereference", "file"),
    od: usage("-bcdosvx -A:text -t:text -N:number -j:number -w?", "file"),
    hexdump: usage("-bcCdovx -n:number -s:number", "file"),
    // A second operand is a file that it writes; -r turns a dump back into what it was made of.
    xxd: usage("-abeEipu -c:number -g:number -l:number -s:number", "file", 1),
    base64: usage("-di -w:number --decode --wrap:number", "file"),
    cksum: usage("", "file"),
    md5sum: usage("-btz --tag --binary --text", "file"),
    sha1sum: usage("-btz --tag --binary --text", "file"),
    sha256sum: usage("-btz --tag --binary --text", "file"),
    sha512sum: usage("-btz --tag --binary --text", "file"),
    shasum: usage("-bt -a:number", "file"),
    realpath: usage(
      "-emPLqsz --canonicalize-existing --canonicalize-missing --relative-to:name --quiet",
      "name",
    ),
    readlink: usage("-efmnqsvz --canonicalize --no-newline", "name"),
    basename: usage("-az -s:text --multiple --suffix:text", "text"),
    dirname: usage("-z", "text"),
    pwd: usage("-LP", "none"),
    true: usage("", "text"),
    false: usage("", "text"),
    ":": usage("", "text"),
    exit: usage("", "number", 1),
    sleep: usage("", "number"),
    seq: usage("-w -s:text -f:text --equal-width --separator:text", "number", 3),
    which: usage("-a", "text"),
    type: usage("-aPpt", "text"),
    whoami: usage("", "none"),
    id: usage("-ugGnr", "none"),
    groups: usage("", "none"),
    hostname: usage("-s", "none"),
    arch: usage("", "none"),
    nproc: usage("--all", "none"),
    uptime: usage("-ps", "none"),
    uname: usage("-asnrvmpio --all --kernel-name --kernel-release --machine", "none"),
  }),
);
