import { addCsvExport } from "./scripts/addCsvExport.mjs";
import { documentCsvExport } from "./scripts/documentCsvExport.mjs";
import { fixFailingTest } from "./scripts/fixFailingTest.mjs";
import { notScripted } from "./scripts/notScripted.mjs";

/** @typedef {import("./scripts/script.mjs").Script} Script */

/** The scripts that the developer knows, by words of its goal. */
/** @type {{ when: RegExp, script: Script }[]} */
const developerScripts = [
  { when: /\bREADME\b.*\bCSV\b|\bCSV\b.*\bREADME\b/i, script: documentCsvExport },
  { when: /\bCSV\b/i, script: addCsvExport },
  {
    when: /\btests?\b.*\b(fail|red|broken)|\b(fix|repair|failing|broken|red)\b.*\btests?\b/is,
    script: fixFailingTest,
  },
];

/** @param {string} goal @returns {Script} */
export function developerScript(goal) {
  return developerScripts.find(({ when }) => when.test(goal))?.script ?? notScripted;
}

/** @param {string} goal */
export function isScripted(goal) {
  return developerScript(goal) !== notScripted;
}
