#!/usr/bin/env node
import { setFlagsFromString } from "node:v8";
import { runCommandLine } from "./commandLine.js";

// The shell grammar runs only a few times in a process: optimising its code costs ten times what it saves.
setFlagsFromString("--liftoff-only");

const { stdin, stdout, stderr, env, argv } = process;
void runCommandLine(argv, { stdin, stdout, stderr, env, bundle: __filename }).then((code) => {
  // Connections that a server keeps open must not keep a finished command from ending.
  process.exit(code);
});
