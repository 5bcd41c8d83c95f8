// npm run screenshots: makes the pictures of the README in media/pictures, from a real VS Code with the demo model.
//   --only NAME[,NAME]   some of them
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { ensureDependencies } from "./install/ensureDependencies.mjs";
import { cleanUp, cleanUpOnSignals } from "./process/cleanup.mjs";
import { run } from "./process/run.mjs";
import { root } from "./root.mjs";

await ensureDependencies();
cleanUpOnSignals();
const { scenes } = await import("./screenshots/scenes.mjs");
const { inStudio } = await import("./screenshots/studio.mjs");

const at = process.argv.indexOf("--only");
const names = at < 0 ? Object.keys(scenes) : (process.argv[at + 1] ?? "").split(",");
const unknown = names.filter((name) => !(name in scenes));
if (unknown.length > 0) {
  console.error(
    `There is no picture ${unknown.join(", ")}. There are: ${Object.keys(scenes).join(", ")}.`,
  );
  process.exit(64);
}
await run(process.execPath, [join(root, "scripts", "build.mjs")], { cwd: root });
const folder = join(root, "media", "pictures");
await mkdir(folder, { recursive: true });
for (const name of names) {
  const { play, ...options } = scenes[name];
  await inStudio(options, (studio) => play(studio, folder));
  console.log(`made ${name}`);
}
await cleanUp();
