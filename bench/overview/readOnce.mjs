// Reads the overview of a workspace in a process of its own, as `rooroo status` does, and tells what that took:
//   node readOnce.mjs ROOT
import { compiled } from "../harness/compiled.mjs";

const [root = ""] = process.argv.slice(2);
const { readOverview } = await compiled("cli/commands/status");
const before = process.cpuUsage();
const { tasks, problems } = await readOverview(root, "bench");
const { user, system } = process.cpuUsage(before);
const megabytes = process.resourceUsage().maxRSS / 1024;
process.send?.({
  listed: tasks.length + problems.length,
  seconds: (user + system) / 1e6,
  megabytes,
});
