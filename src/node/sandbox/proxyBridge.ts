/** The port of the sandbox's own loopback device at which commands find the proxy. */
export const bridgePort = 47128;

/**
 * The text of a program that runs inside of a sandbox without a network: it hands on what connects to
 * {@link bridgePort} to the socket that its first argument names. It says so on its standard output
 * as soon as it listens, and closes that.
 */
export function bridgeScript(): string {
  return `(${bridge.toString()})(${bridgePort})`;
}

/** Runs in another process, so that it can use nothing of this file. */
function bridge(port: number): void {
  const net = process.getBuiltinModule("node:net");
  const fs = process.getBuiltinModule("node:fs");
  const socketPath = process.argv[1] ?? "";
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const far = net.connect({ path: socketPath, allowHalfOpen: true });
    near.on("error", () => far.destroy());
    far.on("error", () => near.destroy());
    near.pipe(far);
    far.pipe(near);
  });
  server.listen(port, "127.0.0.1", () => {
    fs.writeSync(1, "ready");
    fs.closeSync(1);
    // Takes the number of what was closed, which no connection must have.
    fs.openSync("/dev/null", "w");
  });
}
