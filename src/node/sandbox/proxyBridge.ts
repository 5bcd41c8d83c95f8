/** The port of the sandbox's own loopback device at which commands find the proxy. */
export const bridgePort = 47128;

/**
 * Returns the text of a program for the inside of a sandbox without a network: it passes connections to
 * {@link bridgePort} on to the socket that its first argument names. As soon as it listens, it writes
 * `ready` to its standard output and closes that.
 */
export function bridgeScript(): string {
  return `(${bridge.toString()})(${bridgePort})`;
}

/** Runs in another process, so that it cannot use anything else of this file. */
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
    // This takes the number of the closed descriptor, which no connection must get.
    fs.openSync("/dev/null", "w");
  });
}
