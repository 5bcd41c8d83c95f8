/** A name of which one word says that its value opens something. */
const secretName =
  /(?:^|[_-])(?:TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD|PW|CREDENTIALS?|API_?KEYS?|ACCESS_?KEYS?(?:_ID)?|PRIVATE_?KEYS?|ENCRYPTION_?KEYS?|SIGNING_?KEYS?|AUTH|AUTHTOKEN|COOKIES?|CONNECTION_?STRING|DSN)(?:$|[_-])|(?:TOKEN|SECRET|PASSWORD|APIKEY|CREDENTIALS|_KEY)$/i;

/** Names that only look like those of secrets. */
const harmlessName = /^(?:OLD)?PWD$|^GIT_CONFIG_KEY_\d+$/;

/** Ways to programs of the desktop, to agents that hold keys, and to what runs outside of the sandbox. */
const wayOut =
  /^(?:SSH_|GPG_|DBUS_|DOCKER_|PODMAN_|CONTAINER_HOST$|KUBECONFIG$|DISPLAY$|WAYLAND_|XAUTHORITY$|XDG_RUNTIME_DIR$|XDG_SESSION_|GNOME_KEYRING_|TMUX|STY$|VSCODE_|ELECTRON_|WSL_INTEROP$|SUDO_ASKPASS$|BROWSER$|PULSE_|PIPEWIRE_|NVIM|JETBRAINS_|CLAUDE|CODEX_|CURSOR_)/;

const proxyName = /^(?:https?|ftp|all|no|npm_config_https?|npm_config)_proxy$/i;

/** An address with a name and a password in it. */
const addressWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;

/**
 * What a sandboxed command sees of the environment that a bare one would see: no secrets, and no
 * addresses of programs outside.
 *
 * @param isOpen whether the command uses the machine's network, with the proxies that it has
 */
export function sandboxEnvironment(env: NodeJS.ProcessEnv, isOpen: boolean): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name, value]) =>
      (!secretName.test(name) || harmlessName.test(name)) &&
      !wayOut.test(name) &&
      (isOpen || !proxyName.test(name)) &&
      !addressWithPassword.test(value ?? ""),
  );
  return { ...Object.fromEntries(kept), TMPDIR: "/tmp", TMP: "/tmp", TEMP: "/tmp" };
}
