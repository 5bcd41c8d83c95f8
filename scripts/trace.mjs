// Lists every requirement of docs/protocols/ with the tests that carry its id: `npm run trace`,
// and the place in the protocol's text that both were held against. Fails on one without a test or a place, on a test or a
// place with an id that no page has, and on a promise of docs/ without a test.
//   --brief   only these
//   --page    a table in Markdown: id, place, tests
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { faultsOfPromises } from "./trace/promises.mjs";
import { titlesIn } from "./trace/titlesIn.mjs";

/** The pages on which each promise names the tests that hold it. */
const pagesOfPromises = ["security.md", "team-trust.md", "mcp.md"];

const idsOf = (text, pattern) => [...text.matchAll(pattern)].map((match) => match[1]);

/** @type {Map<string, string[]>} id → titles of its tests */
const proven = new Map();
const pages = (await readdir("docs/protocols")).filter((name) => name.endsWith(".md"));
for (const page of pages) {
  const text = await readFile(join("docs/protocols", page), "utf8");
  for (const id of idsOf(text, /^- \*\*(R-[A-Z]+-\d+)\*\*/gm)) proven.set(id, []);
}

const placed = await readFile("docs/protocols/places.md", "utf8");
/** @type {Map<string, string>} id → the place in the protocol's text */
const places = new Map();
for (const [, id, place] of placed.matchAll(/^\| (R-[A-Z]+-\d+) *\| (.*?) *\|$/gm))
  places.set(id, place);

/** @type {Set<string>} */
const titles = new Set();
const unknown = [];
for (const path of await readdir("test", { recursive: true })) {
  if (!path.endsWith(".ts")) continue;
  for (const title of titlesIn(await readFile(join("test", path), "utf8"))) {
    titles.add(title);
    for (const id of new Set(idsOf(title, /\[(R-[A-Z]+-\d+)\]/g))) {
      const tests = proven.get(id);
      if (tests) tests.push(`${path}: ${title}`);
      else unknown.push(`${id} in ${path}`);
    }
  }
}

const number = (id) => Number(id.split("-")[2]);
const ids = [...proven.keys()].sort(
  (a, b) => a.split("-")[1].localeCompare(b.split("-")[1]) || number(a) - number(b),
);
const listed = process.argv.includes("--brief") ? [] : ids;
const asPage = process.argv.includes("--page");
if (asPage) console.log("| id | place | tests |\n| --- | --- | --- |");
for (const id of listed) {
  if (asPage) {
    const tests = proven.get(id).map((test) => test.replaceAll("|", "\\|"));
    console.log(`| ${id} | ${places.get(id) ?? ""} | ${tests.join("<br>")} |`);
    continue;
  }
  console.log(`${id}  (${places.get(id) ?? ""})`);
  for (const test of proven.get(id)) console.log(`    ${test}`);
}
const without = ids.filter((id) => proven.get(id).length === 0);
for (const id of without) console.log(`no test: ${id}`);
const unplaced = ids.filter((id) => !places.has(id));
for (const id of unplaced) console.log(`no place in docs/protocols/places.md: ${id}`);
for (const id of places.keys())
  if (!proven.has(id)) unknown.push(`${id} in docs/protocols/places.md`);
for (const line of unknown) console.log(`no such requirement: ${line}`);
if (!asPage) console.log(`${ids.length - without.length} of ${ids.length} requirements have tests`);

let broken = 0;
for (const page of pagesOfPromises) {
  const faults = faultsOfPromises(await readFile(join("docs", page), "utf8"), titles);
  for (const fault of faults) console.log(`docs/${page}:${fault}`);
  broken += faults.length;
}
process.exitCode = without.length + unplaced.length + unknown.length + broken === 0 ? 0 : 1;
