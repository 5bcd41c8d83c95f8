/** Matches names of what may be a key or a password, in any spelling. */
const secretName =
  /key|token|secret|passw|passphrase|pwd|credential|auth|cookie|session|bearer|signature|private|header|dsn|connection/i;

/** Matches texts that may be keys by themselves: long ones without a gap, and those with a known beginning. */
const secretText =
  /^(?:sk|pk|ghp|gho|ghs|github_pat|glpat|xox[a-z]|AKIA|AIza|ey[JK])[-_A-Za-z0-9]{8,}|[A-Za-z0-9+/=_]{32,}/;

/** Headers that hold no secret. */
const plainHeader = /^(?:accept|accept-language|content-type|user-agent)$/i;

/** Returns whether something of this name may be a key or a password. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Returns the environment of a server; `${env:NAME}` stands for each of its secrets. */
export function environmentWithoutSecrets(
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  return replaced(
    env,
    (name, value) => isSecret(name, value),
    (name) => name,
  );
}

/** Returns the headers of requests without all that may be secret: in doubt, a header is. */
export function headersWithoutSecrets(
  headers: Readonly<Record<string, string>>,
  server: string,
): Record<string, string> {
  return replaced(
    headers,
    (name) => !plainHeader.test(name),
    (name) => `${server}_${name}`,
  );
}

/** Returns the arguments of a program without its secrets: those behind an option of such a name, too. */
export function argumentsWithoutSecrets(
  args: readonly string[],
  server: string,
): readonly string[] {
  const put = (name: string): string => `\${env:${variableName(`${server}_${name}`)}}`;
  return args.map((arg, index) => {
    if (isReference(arg)) return arg;
    const [, option, given] = /^(-{0,2}[\w-]+)=(.*)$/s.exec(arg) ?? [];
    if (option !== undefined && given !== undefined) {
      return !isReference(given) && isSecret(option, given) ? `${option}=${put(option)}` : arg;
    }
    const before = args[index - 1] ?? "";
    const isNamed = /^-{1,2}[\w-]+$/.test(before) && isSecretName(before) && !arg.startsWith("-");
    if (isNamed) return put(before);
    const withoutQuery = urlWithoutSecrets(arg);
    if (withoutQuery !== arg) return withoutQuery;
    return secretText.test(arg) && !/[\\/]|^@?[\w.-]+@[\w.-]+$/.test(arg)
      ? put(`ARG_${index}`)
      : arg;
  });
}

/** Returns an address without a password in front of the host, and without values of its query. */
export function urlWithoutSecrets(text: string): string {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
  return text.replace(/[?#].*/s, "").replace(/^([^/]*\/\/)[^/]*@/, "$1");
}

function isSecret(name: string, value: string): boolean {
  if (value === "" || /^(?:true|false|\d{1,6})$/i.test(value)) return false;
  return isSecretName(name) || secretText.test(value) || urlWithoutSecrets(value) !== value;
}

/** Returns whether a text takes its whole value from somewhere else. */
function isReference(text: string): boolean {
  return /^(?:Bearer |Basic )?\$\{\w+(?::\w*)?\}$/.test(text);
}

function replaced(
  values: Readonly<Record<string, string>>,
  isHidden: (name: string, value: string) => boolean,
  variableFor: (name: string) => string,
): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]): [string, string] => {
    if (isReference(value) || !isHidden(name, value)) return [name, value];
    const [scheme = ""] = /^(?:Bearer|Basic) /.exec(value) ?? [];
    return [name, `${scheme}\${env:${variableName(variableFor(name))}}`];
  });
  return Object.fromEntries(entries);
}

function variableName(text: string): string {
  const name = text.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_|_$/g, "");
  return name.slice(0, 80).toUpperCase();
}
