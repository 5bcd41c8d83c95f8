// Runs a command in a sandbox until it is killed itself:  node sandboxHost.js ROOT DATA HOME COMMAND
import { ProcessShell } from "../../src/node/shell/processShell.js";
import { never, noNetwork, requestOf } from "./sandboxed.js";

const [root = "", data = "", home = "", command = ""] = process.argv.slice(2);
const shell = new ProcessShell(root, { sandbox: { data, home } });
await shell.run(
  {
    ...requestOf(command),
    sandbox: noNetwork,
    onOutput: (text) => {
      process.stdout.write(text);
    },
  },
  never,
);
