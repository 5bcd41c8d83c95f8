import type { SandboxProfile } from "../../core/ports/shell.js";
import { bridgePort } from "./proxyBridge.js";

/** Matches the name of a variable if one of its words says that the value is a secret. */
const secretName =
  /(?:^|[_-])(?:TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|PASS|PWD|PW|CREDENTIALS?|API_?KEYS?|ACCESS_?KEYS?(?:_ID)?|PRIVATE_?KEYS?|ENCRYPTION_?KEYS?|SIGNING_?KEYS?|AUTH|AUTHTOKEN|COOKIES?|CONNECTION_?STRING|DSN)(?:$|[_-])|(?:TOKEN|SECRET|PASSWORD|APIKEY|CREDENTIALS|_KEY)$/i;

/** Matches names that only look like those of secrets. */
const harmlessName = /^(?:OLD)?PWD$|^GIT_CONFIG_KEY_\d+$/;

/**
 * Matches variables that lead to programs of the desktop, to agents that hold keys, and to what runs
 * outside of the sandbox.
 */
const wayOut =
  /^(?:SSH_|GPG_|DBUS_|DOCKER_|PODMAN_|CONTAINER_HOST$|KUBECONFIG$|DISPLAY$|WAYLAND_|XAUTHORITY$|XDG_RUNTIME_DIR$|XDG_SESSION_|GNOME_KEYRING_|TMUX|STY$|VSCODE_|ELECTRON_|WSL_INTEROP$|SUDO_ASKPASS$|BROWSER$|PULSE_|PIPEWIRE_|NVIM|JETBRAINS_|CLAUDE|CODEX_|CURSOR_)/;

const proxyName = /^(?:https?|ftp|all|no|npm_config_https?|npm_config)_proxy$/i;

/** Matches an address with a name and a password in it. */
const addressWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;

const proxyAddress = `http://127.0.0.1:${bridgePort}`;
const withoutProxy = "localhost,127.0.0.1,::1";
const proxyVariables: NodeJS.ProcessEnv = {
  HTTP_PROXY: proxyAddress,
  http_proxy: proxyAddress,
  HTTPS_PROXY: proxyAddress,
  https_proxy: proxyAddress,
  ALL_PROXY: proxyAddress,
  all_proxy: proxyAddress,
  NO_PROXY: withoutProxy,
  no_proxy: withoutProxy,
};

/**
 * Returns the part of the outside environment that a sandboxed command sees: no secrets, and no
 * addresses of programs outside.
 *
 * @param network `open`: the machine's network, with the proxies that it has; hosts: reached through
 *   this program's own proxy
 */
export function sandboxEnvironment(
  env: NodeJS.ProcessEnv,
  network: SandboxProfile["network"],
): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name, value]) =>
      (!secretName.test(name) || harmlessName.test(name)) &&
      !wayOut.test(name) &&
      (network === "open" || !proxyName.test(name)) &&
      !addressWithPassword.test(value ?? ""),
  );
  return {
    ...Object.fromEntries(kept),
    TMPDIR: "/tmp",
    TMP: "/tmp",
    TEMP: "/tmp",
    // The workspace is a file system of its own here, and may be a folder of a repository.
    GIT_DISCOVERY_ACROSS_FILESYSTEM: "1",
    ...(typeof network === "object" ? proxyVariables : {}),
  };
}
