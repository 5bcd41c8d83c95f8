import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { languageOf, speakLanguageOf, t } from "../../../src/cli/language/language.js";

describe("the language of the terminal", () => {
  it("is that of LC_ALL, LC_MESSAGES or LANG, the first that says something", () => {
    assert.equal(languageOf({ LANG: "de_DE.UTF-8" }), "de-de");
    assert.equal(languageOf({ LC_ALL: "", LC_MESSAGES: "es", LANG: "de_DE.UTF-8" }), "es");
    assert.equal(languageOf({ LC_ALL: "ja_JP.eucJP@x", LANG: "de" }), "ja-jp");
    assert.equal(languageOf({ LANG: "zh_CN" }), "zh-cn");
  });

  it("is English where the environment names none", () => {
    for (const LANG of [undefined, "", "C", "C.UTF-8", "POSIX", "../../x", "en_US.UTF-8"]) {
      assert.match(languageOf({ LANG }), /^en/, LANG);
    }
  });

  describe("with translations beside the command", () => {
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), "rooroo-words-"));
      await mkdir(join(folder, "cli", "words"), { recursive: true });
      for (const name of ["de", "zh-cn"]) {
        await writeFile(
          join(folder, "cli", "words", `${name}.json`),
          JSON.stringify({ One: name }),
        );
      }
      await writeFile(join(folder, "cli", "words", "es.json"), "no JSON");
    });
    after(async () => {
      await speakLanguageOf({}, "");
      await rm(folder, { recursive: true });
    });

    const said = async (LANG: string) => {
      await speakLanguageOf({ LANG }, join(folder, "rooroo.cjs"));
      return t("One");
    };

    it("is spoken; without its territory, if there is nothing for that", async () => {
      assert.equal(await said("de_AT.UTF-8"), "de");
      assert.equal(await said("zh_CN.UTF-8"), "zh-cn");
    });

    it("stays English where there are none, or none that can be read", async () => {
      assert.equal(await said("fr_FR.UTF-8"), "One");
      assert.equal(await said("es_ES.UTF-8"), "One");
      assert.equal(await said("zh_TW.UTF-8"), "One");
    });
  });
});
