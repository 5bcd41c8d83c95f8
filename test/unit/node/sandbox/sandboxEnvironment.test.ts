import assert from "node:assert/strict";
import type { SandboxProfile } from "../../../../src/core/ports/shell.js";
import { sandboxEnvironment } from "../../../../src/node/sandbox/sandboxEnvironment.js";

describe("sandboxEnvironment", () => {
  const left = (names: string, network: SandboxProfile["network"] = "none") =>
    Object.keys(
      sandboxEnvironment(
        Object.fromEntries(names.split(" ").map((name) => [name, "value"])),
        network,
      ),
    ).filter((name) => !/^TE?MP(?:DIR)?$|^GIT_DISCOVERY_/.test(name));

  it("leaves out what is called a secret", () => {
    const secrets =
      "GITHUB_TOKEN NPM_TOKEN npm_config__authToken AWS_SECRET_ACCESS_KEY AWS_ACCESS_KEY_ID STRIPE_API_KEY STRIPE_APIKEY MY_KEY DB_PASSWORD PGPASSWORD MYSQL_PWD GOOGLE_APPLICATION_CREDENTIALS JWT_SECRET SESSION_COOKIE SENTRY_DSN SIGNING_KEY TOKEN OPENAI_API_KEY";
    assert.deepEqual(left(secrets), []);
  });

  it("leaves out ways to programs outside, and proxies where there is no network", () => {
    const ways =
      "SSH_AUTH_SOCK DBUS_SESSION_BUS_ADDRESS DOCKER_HOST DISPLAY WAYLAND_DISPLAY XDG_RUNTIME_DIR VSCODE_IPC_HOOK_CLI GPG_AGENT_INFO KUBECONFIG TMUX HTTPS_PROXY no_proxy";
    assert.deepEqual(left(ways), []);
    assert.deepEqual(left("HTTPS_PROXY DISPLAY", "open"), ["HTTPS_PROXY"]);
  });

  it("keeps what only sounds like it, and what builds need", () => {
    const harmless =
      "PATH HOME PWD OLDPWD LANG GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0 TOKENIZERS_PARALLELISM KEYBOARD AUTHOR NODE_OPTIONS JAVA_HOME CARGO_HOME ROOROO_COMMAND";
    assert.deepEqual(left(harmless), harmless.split(" "));
  });

  it("leaves out an address with a password in it, whatever it is called", () => {
    const env = { A: "postgres://me:word@host/db", B: "https://host/a:b@c", C: "me:word" };
    assert.deepEqual(sandboxEnvironment(env, "none"), {
      B: "https://host/a:b@c",
      C: "me:word",
      TMPDIR: "/tmp",
      TMP: "/tmp",
      TEMP: "/tmp",
      GIT_DISCOVERY_ACROSS_FILESYSTEM: "1",
    });
  });
});
