import ignore from "ignore";
import { foldedPath } from "./foldedPath.js";

/** Gitignore syntax, lower case. What is read goes to the model's server. */
const secretFiles = ignore({ ignorecase: true }).add([
  ...[".env", ".env.*", "*.env", "!.env.example", "!.env.sample", "!.env.template", ".envrc"],
  ...[".npmrc", ".yarnrc.yml", ".pypirc", ".netrc", "_netrc", ".git-credentials", ".htpasswd"],
  ...["*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.asc"],
  ...["id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "!*.pub", ".ssh", ".gnupg", ".aws"],
  ...[".azure", ".kube", ".docker/config.json", ".config/gcloud", "service-account*.json"],
  ...["credentials", "credentials.json", "secrets.json", "secrets.y*ml", "secret.y*ml"],
  ...["*.tfvars", "*.tfstate", ".vault-token", "master.key", ".terraformrc", ".pgpass", ".my.cnf"],
]);

/**
 * Whether a file looks like one that holds keys or passwords. Unsure counts as yes.
 *
 * @param path canonical, in the workspace
 */
export function mayHoldSecrets(path: string): boolean {
  if (path === "") return false;
  try {
    const folded = foldedPath(path);
    return folded === undefined || secretFiles.ignores(folded);
  } catch {
    return true;
  }
}
