/**
 * `rooroo proceed` whose leases run out within a moment: `node leaseHolder.js ROOT MODEL_URL`. While
 * another process has the queue it asks again. Prints what it tells.
 */

import { parseApprove } from "../../src/cli/arguments/options.js";
import { Session } from "../../src/cli/session/session.js";
import { noApprover } from "../../src/cli/terminal/terminalApprover.js";
import { withoutProfiles } from "../../src/core/models/askedModel.js";
import { Redactor } from "../../src/core/text/redactor.js";
import { FileLock } from "../../src/node/locks/fileLock.js";
import { localServices } from "../../src/runtime/localServices.js";

const beatMs = 50;
const [root = "", baseUrl = ""] = process.argv.slice(2);
const session = new Session({
  root,
  local: {
    ...localServices(root, "rooroo proceed"),
    lock: new FileLock(root, "rooroo proceed", beatMs),
  },
  models: withoutProfiles({ model: "test-model", baseUrl }),
  approve: parseApprove("all"),
  concurrency: 1,
  approver: noApprover,
  redactor: new Redactor(),
  show: (event) => {
    if (event.type === "notice") process.stdout.write(`${event.text}\n`);
    if (event.type === "sessionEnded") process.stdout.write(`${event.end}: ${event.message}\n`);
  },
  onJournalError: (error) => {
    throw error;
  },
});
await session.start();
let outcome = await session.navigator.proceed();
while (outcome.status === "waiting") outcome = await session.navigator.proceed();
await session.flush();
process.exit(0);
