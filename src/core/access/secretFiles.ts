import { PathPatterns } from "../text/pathPatterns.js";
import { foldedPath } from "./foldedPath.js";
import { gitStage, inGitFolder } from "./gitFolder.js";

/**
 * Files and folders that usually hold keys, passwords or tokens, in gitignore syntax and lower case. The
 * content of a file that is read goes to the model's server. `docs/protected-files.md` lists them for people.
 *
 * @public Read by `scripts/build/generated.mjs`.
 */
export const secretFiles: readonly string[] = [
  ".env .env.* *.env !.env.example !.env.sample !.env.template .envrc",
  "secrets .secrets secret .secret *.secret *.secrets secret.* secrets.json secrets.toml secrets.ini secrets.xml secrets.properties secrets.y*ml .secrets.*",
  "*.token *.tokens .token token.json auth.json .auth.json oauth_creds.json client_secret*.json",
  "credentials .credentials *.credentials credentials.json credentials.y*ml credentials.toml credentials.csv credentials.ini credentials.xml .credentials.json",
  "passwords passwords.txt passwords.csv password.txt .htpasswd .htdigest .pgpass .my.cnf .mylogin.cnf *.passwd .password-store",
  "*.pem *.key *.p8 *.p12 *.pfx *.pkcs12 *.jks *.jceks *.bks *.keystore *.truststore *.kdbx *.ppk *.asc *.gpg *.pgp *.age *.keychain *.keychain-db *.ovpn",
  "id_rsa* id_dsa* id_ecdsa* id_ed25519* !*.pub .ssh .gnupg .gpg",
  ".aws .azure .gcp .kube kubeconfig *.kubeconfig .config/rooroo .config/gcloud .config/gh .oci .s3cfg .boto .databrickscfg rclone.conf .docker/config.json .dockercfg .dockerconfigjson",
  "service-account*.json *-adminsdk-*.json *.tfvars *.tfvars.json *.tfstate .terraformrc .vault-token master.key",
  ".npmrc .yarnrc.yml .pypirc .netrc _netrc .git-credentials .cargo/credentials* .gem/credentials .m2/settings.xml settings-security.xml .curlrc .wgetrc",
  ".continue/config.json .continue/config.y*ml .claude.json .aider.conf.yml",
  ".bash_history .zsh_history .psql_history .mysql_history .python_history .node_repl_history",
].flatMap((names) => names.split(" "));

const matcher = new PathPatterns(secretFiles, { ignorecase: true });

/** Endings that names get when a file is kept, copied or packed: its content stays a secret. */
const kept =
  /(?:~|[._-](?:bak|backup|old|orig|original|save|saved|copy|tmp|temp|swp|swo|prev|previous|disabled|rej|gz|bz2|xz|zst|zip|7z|tar|tgz|enc|\d+)|\.~\d+~)$/;
/** Example files, which hold no secrets, nor do their copies such as `.env.example.bak`. */
const examples = /^\.env\.(?:example|sample|template)$/;

/**
 * Returns whether a file may hold keys or passwords: by its name, or because git keeps its settings there, which can have
 * logins in addresses and headers. In doubt, returns `true`.
 *
 * @param path canonical, in the workspace
 */
export function mayHoldSecrets(path: string): boolean {
  const git = inGitFolder(path);
  const isOfGit = git !== undefined && git.part !== "" && gitStage(git.part) === undefined;
  return isOfGit || hasSecretName(path);
}

/** Returns the same as {@link mayHoldSecrets} without what git keeps, which git's commands need. */
export function hasSecretName(path: string): boolean {
  if (path === "") return false;
  try {
    const folded = foldedPath(path);
    if (folded === undefined) return true;
    const { names, isExample } = withoutEndings(folded);
    return !isExample && names.some((name) => matcher.ignores(name));
  } catch {
    return true;
  }
}

/** Returns the path, and the path without the endings of copies, removed one after the other. */
function withoutEndings(path: string): { readonly names: readonly string[]; isExample: boolean } {
  const names = [path];
  for (let name = path; kept.test(name);) {
    // An editor keeps a file that is open behind a dot: `.server.key.swp`.
    const hidden = /\.sw[op]$/.test(name) ? name.replace(/(^|\/)\.(?=[^/]*$)/, "$1") : undefined;
    name = name.replace(kept, "");
    if (name === "" || name.endsWith("/")) break;
    names.push(name);
    if (hidden !== undefined) names.push(hidden.replace(kept, ""));
  }
  return { names, isExample: examples.test(names.at(-1)?.replace(/^.*\//, "") ?? "") };
}
