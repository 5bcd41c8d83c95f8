// Runs beside Rooroo in the extension host and does what the bench orders: a file `PID-N.order` in
// the folder that ROOROO_BENCH_ORDERS names is answered by `PID-N.done`.
const { readdirSync, readFileSync, renameSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");
const { commands, extensions } = require("vscode");

const folder = process.env.ROOROO_BENCH_ORDERS;

exports.activate = () => {
  if (!folder) return;
  write(`${process.pid}.here`, {});
  setInterval(() => {
    for (const name of readdirSync(folder)) {
      if (name.startsWith(`${process.pid}-`) && name.endsWith(".order")) void obey(name);
    }
  }, 100);
};

/** @param {string} name */
async function obey(name) {
  const order = JSON.parse(readFileSync(join(folder, name), "utf8"));
  renameSync(join(folder, name), join(folder, `${name}-taken`));
  let answer;
  try {
    answer = order.type === "activate" ? await activate(order.id) : run(order.command);
  } catch (error) {
    answer = { error: String(error) };
  }
  write(name.replace(/order$/, "done"), answer);
}

/** What VS Code does when a command, a view or an event asks for the extension: load it and call it. */
async function activate(id) {
  const extension = extensions.getExtension(id);
  if (!extension) return { error: `${id} is not installed` };
  if (extension.isActive) return { error: `${id} is active already` };
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await extension.activate();
  const { user, system } = process.cpuUsage(cpu);
  return { ms: performance.now() - start, cpuMs: (user + system) / 1000 };
}

function run(command) {
  const startedAt = Date.now();
  void commands.executeCommand(command);
  return { startedAt };
}

/** Whole or not at all. */
function write(name, content) {
  const file = join(folder, name);
  writeFileSync(`${file}.part`, JSON.stringify(content));
  renameSync(`${file}.part`, file);
}
