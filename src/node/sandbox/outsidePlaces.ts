import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";

/**
 * Places outside of the workspace that a command which nobody has approved must not read. Paths are
 * relative to the user's home folder; a `*` at the end stands for any rest of a name.
 */
const hiddenAtHome: readonly (readonly [why: string, ...paths: string[]])[] = [
  [
    "keys that open other machines",
    ".ssh",
    ".gnupg",
    ".pki",
    ".putty",
    ".config/age",
    ".config/sops",
    ".step",
    ".wireguard",
  ],
  [
    "accounts of clouds and clusters",
    ".aws",
    ".azure",
    ".kube",
    ".docker",
    ".config/gcloud",
    ".config/doctl",
    ".config/hcloud",
    ".config/containers",
    ".config/helm",
    ".config/heroku",
    ".config/netlify",
    ".config/vercel",
    ".config/fly",
    ".fly",
    ".terraform.d",
    ".terraformrc",
    ".oci",
    ".bluemix",
    ".databrickscfg",
    ".snowflake",
    ".s3cfg",
    ".boto",
    ".config/rclone",
    ".config/configstore",
  ],
  [
    "accounts of forges and package registries",
    ".config/gh",
    ".config/glab-cli",
    ".config/hub",
    ".config/git/credentials",
    ".git-credentials",
    ".netrc",
    "_netrc",
    ".npmrc",
    ".yarnrc",
    ".yarnrc.yml",
    ".pypirc",
    ".config/pip",
    ".pip",
    ".gem/credentials",
    ".bundle/config",
    ".composer/auth.json",
    ".config/composer/auth.json",
    ".nuget/NuGet",
    ".config/NuGet",
    ".sbt/.credentials",
    ".hex",
    ".huggingface",
    ".kaggle",
  ],
  [
    "passwords of databases and mail",
    ".pgpass",
    ".my.cnf",
    ".mylogin.cnf",
    ".mongorc.js",
    ".config/pgcli",
    ".msmtprc",
    ".fetchmailrc",
    ".thunderbird",
    ".mutt",
    ".muttrc",
  ],
  [
    "stores of passwords",
    ".password-store",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".config/keepassxc",
    ".config/Bitwarden*",
    ".config/1Password",
    ".config/op",
    ".gnome2/keyrings",
    ".vault-token",
  ],
  [
    "sessions and passwords of browsers and messengers",
    ".mozilla",
    ".config/google-chrome*",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge*",
    ".config/vivaldi",
    ".config/opera",
    "snap/firefox",
    "snap/chromium",
    "snap/brave",
    ".var/app",
    ".config/Slack",
    ".config/discord",
    ".config/Signal",
    ".local/share/TelegramDesktop",
  ],
  [
    "what has been typed into shells and interpreters",
    ".bash_history",
    ".zsh_history",
    ".zsh_sessions",
    ".histfile",
    ".local/share/fish",
    ".python_history",
    ".node_repl_history",
    ".psql_history",
    ".mysql_history",
    ".sqlite_history",
    ".rediscli_history",
    ".irb_history",
    ".lesshst",
    ".viminfo",
    ".local/state/nvim",
    ".local/share/powershell",
  ],
  [
    "accounts, rules and talks of other agents",
    ".claude*",
    ".codex",
    ".gemini",
    ".cursor",
    ".continue",
    ".aider*",
    ".config/github-copilot",
    ".copilot",
    ".config/goose",
    ".config/opencode",
    ".local/share/opencode",
    ".codeium",
    ".openai",
    ".config/openai",
    ".roo",
    ".cline",
  ],
  [
    "what editors keep for their person: settings, secrets, open files",
    ".config/Code*",
    ".config/VSCodium*",
    ".config/Cursor*",
    ".config/Windsurf*",
    ".vscode-server/data",
    ".vscode-server-insiders/data",
    ".vscode-remote/data",
    ".cursor-server/data",
    ".vscode/argv.json",
    ".local/share/code-server",
    ".config/code-server",
    ".config/JetBrains",
    ".local/share/JetBrains",
  ],
  [
    "secrets of tools whose caches commands see",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".m2/settings.xml",
    ".m2/settings-security.xml",
    ".gradle/gradle.properties",
    ".gradle/init.gradle",
    ".cache/huggingface/token",
    ".cache/huggingface/stored_tokens",
    ".cache/mozilla",
    ".cache/google-chrome",
    ".cache/chromium",
    ".cache/keyring*",
    ".cache/copilot",
    ".nuget/plugins-cache",
  ],
];

/**
 * Returns the absolute paths that a command must not see in the user's home folder, whether they exist
 * or not.
 */
export function hiddenPlaces(home: string): string[] {
  const places = hiddenAtHome.flatMap(([, ...paths]) =>
    paths.flatMap((path) => expanded(join(home, path))),
  );
  // Root's home is hidden as well, unless it is the user's own.
  return home === "/root" ? places : ["/root", ...places];
}

function expanded(path: string): string[] {
  if (!path.endsWith("*")) return [path];
  const folder = dirname(path);
  const start = path.slice(folder.length + 1, -1);
  try {
    return readdirSync(folder)
      .filter((name) => name.startsWith(start))
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}
