import assert from "node:assert/strict";
import {
  askedModel,
  everyProfile,
  unknownProfile,
} from "../../../../src/core/models/askedModel.js";
import { type ModelChoice, modelProfile } from "../../../../src/core/models/modelProfile.js";
import { savedProfile } from "../../../../src/core/models/savedProfile.js";
import { serverOrigin } from "../../../../src/core/models/serverAddress.js";

const choice: ModelChoice = {
  base: {
    model: "usual",
    baseUrl: "https://usual.test/v1",
    keyVariable: "OPENAI_API_KEY",
    temperature: 0.5,
  },
  profiles: {
    local: { model: "qwen", baseUrl: "http://localhost:11434/v1", contextTokens: 8_000 },
    cloud: { model: "gpt", temperature: 1, reasoningEffort: "low" },
    claude: { model: "opus", api: "messages" },
    own: { model: "own", baseUrl: "https://own.test/v1", keyVariable: "OWN_KEY" },
    gateway: { model: "opus", api: "messages", baseUrl: "https://gateway.test/v1" },
    openai: { model: "gpt", baseUrl: "https://api.openai.com/v1/" },
    broken: undefined,
  },
  profile: "",
  modes: {
    "rooroo-planner": { profile: "cloud" },
    "rooroo-developer": { model: "coder", temperature: 0 },
    "rooroo-analyzer": { profile: "local", model: "other", reasoningEffort: "high" },
    lost: { profile: "nowhere" },
    empty: { profile: "", model: "" },
  },
};

describe("the model that is asked", () => {
  const asked = (slug?: string, profile = "") => askedModel({ ...choice, profile }, slug).asked;

  it("is, without a profile, what the settings say", () => {
    assert.deepEqual(asked(), choice.base);
    assert.deepEqual(asked("unheard-of"), choice.base);
    assert.deepEqual(asked("toString"), choice.base);
    assert.deepEqual(asked("empty"), choice.base);
    assert.deepEqual(asked("rooroo-developer"), { ...choice.base, model: "coder", temperature: 0 });
  });

  it("is that of the profile in use, of which nothing comes from the other settings", () => {
    assert.deepEqual(asked(undefined, "local"), { ...choice.profiles["local"], keyVariable: "" });
    assert.equal(asked("unheard-of", "local")?.model, "qwen");
    assert.equal(asked("empty", "local")?.model, "qwen");
  });

  it("is that of the mode's own profile, whichever is in use", () => {
    for (const profile of ["", "local", "own", "nowhere"]) {
      assert.equal(asked("rooroo-planner", profile)?.model, "gpt", profile);
      const { model, baseUrl, reasoningEffort } = asked("rooroo-analyzer", profile) ?? {};
      const server = "http://localhost:11434/v1";
      assert.deepEqual([model, baseUrl, reasoningEffort], ["other", server, "high"]);
    }
    assert.equal(asked("rooroo-developer", "own")?.baseUrl, "https://own.test/v1");
    assert.equal(asked("rooroo-developer", "own")?.model, "coder");
  });

  it("is none where a profile is not defined, or cannot be read", () => {
    for (const profile of ["nowhere", "broken", "toString", "__proto__"]) {
      assert.deepEqual(askedModel({ ...choice, profile }), { profile, asked: undefined });
    }
    assert.equal(asked("lost"), undefined);
    assert.match(
      unknownProfile("nowhere").message,
      /^The model profile "nowhere" is not defined, .* Choose another .*rooroo\.model\.profiles/,
    );
  });

  it("has the key of an API's maker for the maker's own server only, or where the profile says so", () => {
    const variables = everyProfile(choice).map(({ profile, asked: { keyVariable } }) => [
      profile,
      keyVariable,
    ]);
    assert.deepEqual(Object.fromEntries(variables), {
      "": "OPENAI_API_KEY",
      local: "",
      cloud: "OPENAI_API_KEY",
      claude: "ANTHROPIC_API_KEY",
      own: "OWN_KEY",
      gateway: "",
      openai: "OPENAI_API_KEY",
    });
  });
});

describe("a profile", () => {
  it("is read in full, or not at all", () => {
    const reads = (given: unknown) => modelProfile.safeParse(given).success;
    assert.ok(reads({ model: "m" }));
    assert.ok(reads(choice.profiles["local"]));
    for (const wrong of [
      {},
      { model: "" },
      { model: "m", baseURL: "http://localhost/v1" },
      { model: "m", baseUrl: "ftp://localhost" },
      { model: "m", baseUrl: 5 },
      { model: "m", api: "auto" },
      { model: "m", temperature: 3 },
      { model: "m", keyVariable: "sk-test key" },
      "m",
      null,
    ]) {
      assert.ok(!reads(wrong), JSON.stringify(wrong));
    }
    assert.equal(modelProfile.parse({ model: "m", baseUrl: " " }).baseUrl, undefined);
  });

  it("is saved with what the model has now, and asks the same model of the same server with the same key", () => {
    for (const { asked } of everyProfile(choice)) {
      const profiles = { saved: modelProfile.parse(savedProfile(asked)) };
      assert.deepEqual(
        askedModel({ ...choice, profiles, profile: "saved" }).asked,
        asked,
        asked.model,
      );
    }
    const usual = {
      model: "gpt",
      images: "auto",
      dialect: "auto",
      temperature: undefined,
    } as const;
    assert.deepEqual(savedProfile({ ...usual, keyVariable: "OPENAI_API_KEY" }), { model: "gpt" });
  });
});

describe("the origin of a server", () => {
  it("is the same however its address is written, and another for another scheme, host or port", () => {
    const same = ["https://a.test/v1", "https://A.test:443/other?x", "https://me:word@a.test"];
    for (const baseUrl of same) assert.equal(serverOrigin({ baseUrl }), "https://a.test", baseUrl);
    for (const baseUrl of ["http://a.test/v1", "https://a.test:8443/v1", "https://b.a.test/v1"]) {
      assert.notEqual(serverOrigin({ baseUrl }), "https://a.test", baseUrl);
    }
    assert.equal(serverOrigin({}), "https://api.openai.com");
    assert.equal(serverOrigin({ api: "messages" }), "https://api.anthropic.com");
    assert.equal(serverOrigin({ baseUrl: "http://[" }), "http://[");
  });
});
