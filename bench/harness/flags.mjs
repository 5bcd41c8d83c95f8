/**
 * @param {readonly string[]} args
 * @param {readonly string[]} names Of all measurements.
 */
export function readFlags(args, names) {
  const flags = {
    only: [...names],
    quick: false,
    json: false,
    strict: false,
    corpora: process.env.ROOROO_CORPORA,
  };
  for (let i = 0; i < args.length; i++) {
    const [flag, value] = args[i].split("=", 2);
    if (flag === "--quick") flags.quick = true;
    else if (flag === "--json") flags.json = true;
    else if (flag === "--strict") flags.strict = true;
    else if (flag === "--only") flags.only = (value ?? args[++i] ?? "").split(",");
    else if (flag === "--corpora") flags.corpora = value ?? args[++i];
    else
      fail(
        `Unknown flag ${flag}. Known: --only NAME[,NAME], --quick, --json, --strict, --corpora FOLDER.`,
      );
  }
  const unknown = flags.only.find((name) => !names.includes(name));
  if (unknown !== undefined) fail(`No measurement "${unknown}". Known: ${names.join(", ")}.`);
  return flags;
}

/** @param {string} message @returns {never} */
function fail(message) {
  console.error(message);
  process.exit(64);
}
