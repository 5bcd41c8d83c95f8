import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

/** Classes whose first argument is a code of their own, and those whose codes are the system's or a model's. */
const ownCodes = new Set(["UserError", "WrongUse", "CannotEdit", "NotOpenError"]);
const sharedCodes = new Map([
  ["FileError", 2],
  ["ModelError", 1],
]);

/** The verbs by which a refusal says what to do. One that is new here is as good. */
const doing =
  "Add|Aggregate|Answer|Ask|Attach|Begin|Cancel|Change|Check|Choose|Close|Commit|Copy|Correct|Create|Delete|Do|Draw|End|Enter|Escape|Export|Fetch|Find|Finish|Fix|Free|Give|Go|Group|Have|Import|Install|Keep|Land|Leave|Look|Make|Mend|Move|Name|Open|Place|Put|Quote|Raise|Read|Refresh|Remove|Rename|Repair|Restore|Resume|Revert|Run|Save|Say|Search|See|Select|Send|Set|Solve|Start|Stop|Switch|Take|Trust|Try|Undo|Update|Use|Wait|Work|Write";

/** What a refusal tells its reader to do: a sentence, or a part of one, that begins with a verb, or a command to type. */
const toDo = new RegExp(
  `(?:^|[.!?:}] )(?:${doing})\\b|[:;,] (?:or )?(?:${doing.toLowerCase()})\\b|\\brooroo [a-z]+`,
);

/** What else leads on: an example of what would be right, or all that there is to choose from. */
const whatIsRight =
  /\b(?:as in|such as|like) \S|\bnot \{given\}|\bare:? \{|\bha(?:s|ve) to (?:be|end)\b|\bneeds? (?:a|one)\b/;

/** Refusals that lead on to nothing, by their codes, or by their texts where others have the code: why they do not. */
const endings: Readonly<Record<string, string>> = {
  "It has happened already, or cannot happen any more.":
    "approvalGone, jobAlreadyRunning, jobQuestionClosed, jobRunElsewhere, messageDelivered, notEditable, planHasLanded, planOver, planSent, planTaskGone, planWasDiscarded, proposalReplaced, requestAtWork, restoreUnknown, roadmapNotEmpty, runAlreadyRunning, runGone, runNotAwaiting, runNotFailed, runOver, taskKept, taskStatusRefused, teamQuestionGone, workTakenOver",
  "There is nothing that it could be done to, or not yet.":
    "contextMissing, conversationEmpty, documentMissing, jobsUnavailable, noChanges, noJobApplies, noJobQuestion, noJobTaskToUndo, noOpenQuestion, noOtherBranch, noPlanInWorktree, noPlans, noRunApplies, noRunPartToUndo, noTaskApplies, nothingChanged, nothingQueued, nothingRestored, nothingToRestore, outputsMissing, planNotBegun, planNotDone, planNotIsolated, planNotQueued, planNotSent, proposalMissing, reportMissing, runNotEnded, runsUnavailable",
  "It names what has gone from the list that it was chosen from.":
    "jobUnknown, phaseUnknown, planUnknown, questionUnknown, roadmapItemUnknown, roadmapTaskUnknown, rowUnknown, runUnknown, sessionUnknown, tableUnknown, taskUnknown, workspaceRunUnknown, workspaceTaskUnknown",
  "It ends with the words of another refusal, or of a program that is not ours.":
    "changesNotRead, chartFileRefused, commandUnknown, editorToolFailed, gitRefused, gitUnsafe, grantsUnreadable, mcpContentFailed, mcpToolFailed, mcpToolsUnknown, noSandbox, planInvalid, proposalInvalid, runTablesInvalid, runTableUneditable, taskRefusedByHook, usageUnreadable, userFileUnwritable, worktreeSetupNotRun, {reason}, {problem} No answer after {times} tries.",
  "It is a part of a sentence that says what to do.":
    "mcpListOutside, noRegularFile, processEnds, stoppedByUser, windowClosed",
  "What a file was is kept nowhere.":
    "contentLost, fileIgnoredByGit, fileNotKept, fileTooBigToKeep",
  "Nothing is done, for safety.":
    "linkSchemeRefused, linkUnknown, planChanged, teamCommitForeign, teamCommitMissing, teamPlanForeign, teamPlanOver, teamStateInvalid, teamTaskForeign, teamTaskNotNext",
  "It is the rule that was broken, or says who can change it.":
    "aggregateBin, aggregateType, arcAxes, binType, colorQuantity, mcpVariableName, notRepositoryFolder, privateAddress, privateHost, profileUnknown, protocolRefused, repositoryNameInvalid, searchFormatMissing, searchKeyRefused, severalAggregates, teamKeyMissing, unitType",
};

interface Thrown {
  readonly place: string;
  readonly code: ts.Expression | undefined;
  readonly template: ts.Expression | undefined;
}

describe("the errors for users", () => {
  let thrown: Thrown[];
  before(() => {
    thrown = sources("src").flatMap(errorsIn);
  });

  it("have literal templates that say something, or the template of another error", () => {
    assert.ok(thrown.length > 200, String(thrown.length));
    const wrong = thrown.filter(({ template }) => !isText(template) && !isCopy(template));
    assert.deepEqual(
      wrong.map(({ place }) => place),
      [],
    );
  });

  it("say what to do, where anything can be done", () => {
    const known = new Set(Object.values(endings).flatMap((codes) => codes.split(", ")));
    const lacking = thrown.filter(({ template }) => isLiteral(template) && !leadsOn(template.text));
    const names = lacking.map(({ code, template }) => nameOf(code, template));
    const wrong = lacking.filter((_, index) => !known.has(names[index] ?? ""));
    assert.deepEqual(
      wrong.map(({ place, template }) => `${place}: ${template?.getText()}`),
      [],
    );
    assert.deepEqual(
      [...known].filter((name) => !names.includes(name)),
      [],
    );
  });

  it("begin with what they are about, and not with a word that stands for it", () => {
    const wrong = thrown.filter(
      ({ template }) =>
        isLiteral(template) &&
        !template.text.includes("{") &&
        /^(?:It|That|These|They|This) (?:is|was|are|were|has|have|had|can|cannot|may|does|do)\b/.test(
          template.text,
        ),
    );
    assert.deepEqual(
      wrong.map(({ place }) => place),
      [],
    );
  });

  it("have one template for each code", () => {
    const templates = new Map<string, string>();
    const wrong: string[] = [];
    for (const { place, code, template } of thrown) {
      if (code === undefined || isCopy(code)) continue;
      if (!isLiteral(code) || !/^[a-z][A-Za-z]*$/.test(code.text)) wrong.push(`${place}: no code`);
      else if (isLiteral(template)) {
        const known = templates.get(code.text) ?? template.text;
        templates.set(code.text, known);
        if (known !== template.text) wrong.push(`${place}: ${code.text} has another template`);
      }
    }
    assert.deepEqual(wrong, []);
  });
});

describe("the errors for models", () => {
  it("say what to do, or end with other words that say it", () => {
    const said = ["tools", "envelope/commands", "runs/work/functions"].flatMap((folder) =>
      sources(`src/core/${folder}`).flatMap(failuresIn),
    );
    assert.ok(said.length > 60, String(said.length));
    assert.deepEqual(
      said.filter((text) => !leadsOn(text) && !text.endsWith("{}")),
      [],
    );
  });
});

/** Returns all source files in a folder and in the folders inside it. */
function sources(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

function errorsIn(path: string): Thrown[] {
  const text = readFileSync(path, "utf8");
  if (![...ownCodes, ...sharedCodes.keys()].some((name) => text.includes(name))) return [];
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Thrown[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNewExpression(node)) {
      const name = node.expression.getText();
      const given = node.arguments ?? [];
      const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      const place = `${path}:${line}`;
      const at = sharedCodes.get(name);
      if (ownCodes.has(name)) found.push({ place, code: given[0], template: given[1] });
      else if (at !== undefined) found.push({ place, code: undefined, template: given[at] });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function leadsOn(text: string): boolean {
  return toDo.test(text) || whatIsRight.test(text);
}

/** Returns how `endings` names an error. */
function nameOf(code: ts.Expression | undefined, template: ts.Expression | undefined): string {
  return [code, template].find((node) => isLiteral(node))?.text ?? "";
}

/** Returns the texts that a file's failed calls may answer, with `{}` for what stands in them. */
function failuresIn(path: string): string[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(path, "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const textsOf = (node: ts.Node): string[] => {
    if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(textsOf);
    if (ts.isStringLiteralLike(node)) return [node.text];
    if (!ts.isTemplateExpression(node)) return [];
    const rest = node.templateSpans.map(({ literal }) => literal.text);
    return [[node.head.text, ...rest].join("{}")];
  };
  const visit = (node: ts.Node): string[] => {
    const found: string[] = [];
    ts.forEachChild(node, (child) => void found.push(...visit(child)));
    const isOne = ts.isCallExpression(node) && node.expression.getText() === "failed";
    return isOne ? [...node.arguments.flatMap(textsOf), ...found] : found;
  };
  return visit(source);
}

function isLiteral(node: ts.Expression | undefined): node is ts.StringLiteral {
  return node !== undefined && ts.isStringLiteral(node);
}

/** Returns whether the expression is a literal text with at least a word. */
function isText(node: ts.Expression | undefined): boolean {
  return isLiteral(node) && /\w/.test(node.text);
}

/** Returns whether the expression is the code or template of another error. */
function isCopy(node: ts.Expression | undefined): boolean {
  return node !== undefined && /^\w+\.(code|template)$/.test(node.getText());
}
