/** Patterns of secrets that are recognised anywhere. Sources: the formats that their issuers publish. */
const secrets: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}|\bgithub_pat_[A-Za-z0-9_]{20,}|\bglpat-[A-Za-z0-9_-]{20,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\bnpm_[A-Za-z0-9]{30,}|\bhf_[A-Za-z0-9]{30,}|\btvly-[A-Za-z0-9-]{20,}/g,
];

/**
 * A JSON Web Token, or something that only begins like one and is not looked through again: what begins later in it has the
 * same end.
 */
const token = /\beyJ[A-Za-z0-9_-]{10,}(\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{5,})?/g;

/** A name that says that its value is a secret, and the value. */
const assigned =
  /((?:api[_-]?key|secret|token|passw(?:or)?d|credentials?|authorization)["']?\s*[:=]\s*["']?(?:bearer\s+|basic\s+)?)([^\s"',;]{6,})/gi;

/** A name and password in an address. */
const login = /([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@:]+:[^\s/@]+@/gi;

/**
 * Returns the text without what looks like a secret. A person should still check a text before sharing it.
 */
export function redacted(text: string): string {
  let result = text;
  for (const pattern of secrets) result = result.replace(pattern, "[secret]");
  result = result.replace(token, (found, rest?: string) =>
    rest === undefined ? found : "[secret]",
  );
  return result.replace(assigned, "$1[secret]").replace(login, "$1[secret]@");
}
