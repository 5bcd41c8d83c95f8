/** Returns whether the environment names a proxy. */
export function namesProxy(env: NodeJS.ProcessEnv): boolean {
  return ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"].some((name) => env[name]);
}
