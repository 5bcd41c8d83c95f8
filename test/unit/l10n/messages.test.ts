import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type * as Check from "../../../scripts/l10n/checkMessages.mjs";
import type * as Messages from "../../../scripts/l10n/messages.mjs";

const script = (name: string): Promise<unknown> =>
  import(new URL(`../../../../scripts/l10n/${name}`, import.meta.url).href);
const { translationProblems } = (await script("checkMessages.mjs")) as typeof Check;
const { commandLineMessages, editorMessages, messagesIn, sourceMessages, translationsOfAll } =
  (await script("messages.mjs")) as typeof Messages;

function textsIn(path: string): Record<string, string> {
  return JSON.parse(readFileSync(path, "utf8")) as Record<string, string>;
}

describe("the messages for people", () => {
  let all: Map<string, string[]>;
  before(() => {
    all = sourceMessages();
  });

  it("are found in calls and errors", () => {
    const source = `
      t("{0} asks", name); here.t('One'); rich("In {0}", html\`x\`); translatable("Two"); t(other);
      throw new UserError("code", "There is no {name}.", { name });
      throw new FileError("ENOENT", path, "{path} is not there.", { path });`;
    assert.deepEqual(messagesIn("x.ts", source), [
      "{0} asks",
      "One",
      "In {0}",
      "Two",
      "There is no {name}.",
      "{path} is not there.",
    ]);
  });

  it("have plurals that English has", () => {
    const messages = [...all.keys()];
    const same = Object.fromEntries(messages.map((message) => [message, message]));
    assert.ok(messages.length > 1000, String(messages.length));
    assert.deepEqual(translationProblems("en", messages, same), []);
  });

  it("name only settings, commands and views that there are", () => {
    const { contributes } = JSON.parse(readFileSync("package.json", "utf8")) as {
      contributes: {
        commands: readonly { command: string }[];
        configuration: readonly { properties: object }[];
        views: Readonly<Record<string, readonly { id: string }[]>>;
      };
    };
    const known = new Set([
      ...contributes.commands.map(({ command }) => command),
      ...contributes.configuration.flatMap(({ properties }) => Object.keys(properties)),
      ...Object.values(contributes.views).flatMap((views) => views.map(({ id }) => `${id}.focus`)),
    ]);
    const texts = [...all.keys(), ...Object.values(textsIn("package.nls.json"))];
    const named = texts.flatMap((text) => text.match(/\brooroo(?:\.[A-Za-z]+)+/g) ?? []);
    assert.ok(named.length > 20, String(named.length));
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    );
  });

  for (const [language, translations] of translationsOfAll()) {
    it(`are all translated into ${language}`, () => {
      assert.deepEqual(translationProblems(language, editorMessages(all), translations), []);
    });

    it(`of the command line are all translated into ${language}`, () => {
      const own = translationsOfAll("cli").get(language) ?? {};
      assert.deepEqual(translationProblems(language, commandLineMessages(all), own), []);
    });

    it(`of the manifest are all translated into ${language}`, () => {
      const wanted = Object.keys(textsIn("package.nls.json"));
      const names = Object.keys(textsIn(`package.nls.${language}.json`));
      assert.deepEqual(names.toSorted(), wanted.toSorted());
    });
  }
});

describe("translationProblems", () => {
  const files = "{0, plural, one {# file} other {# files}} in {name}";

  it("accepts the forms that the language has", () => {
    const accepts = (language: string, text: string): void => {
      assert.deepEqual(translationProblems(language, [files], { [files]: text }), []);
    };
    accepts("de", "{0, plural, one {# Datei} other {# Dateien}} in {name}");
    accepts("es", "{0, plural, one {# archivo} other {# archivos}} en {name}");
    accepts("ja", "{name} の {0, plural, other {# 個のファイル}}");
    accepts("zh-cn", "{name} 中的 {0, number} 个文件");
  });

  it("tells what is missing, unused, or does not fit", () => {
    const problems = (language: string, text: string): string[] =>
      translationProblems(language, [files], { [files]: text }).map(
        (problem) => problem.split(":")[0] ?? "",
      );
    assert.deepEqual(translationProblems("de", ["One"], { Two: "Zwei" }), [
      "missing: One",
      "unused: Two",
    ]);
    assert.deepEqual(problems("de", "{0, plural, one {# Datei} other {# Dateien}}"), [
      "lacks {name}",
    ]);
    assert.deepEqual(problems("de", "{0, number} in {name}, {1}"), [
      "has {1}, which the message has not",
    ]);
    assert.deepEqual(problems("de", "{0, plural, other {# Dateien}} in {name}"), [
      "lacks the form one",
    ]);
    assert.deepEqual(problems("ja", "{name} {0, plural, one {#} other {#}}"), [
      "has the form one, which ja has not",
    ]);
    assert.deepEqual(problems("de", "{0, plural, other {#} one {#}} in {name}"), [
      "does not end with the form other",
    ]);
    assert.deepEqual(problems("de", "{0} in {name} {"), ["has a brace of its own"]);
  });
});
