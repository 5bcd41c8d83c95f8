import assert from "node:assert/strict";
import { KeptImages, maxImageBytes } from "../../../../src/core/images/keptImages.js";
import { seesImages } from "../../../../src/core/models/seesImages.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { asks, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { gif, jpeg, png, webp } from "../../../fakes/smallImages.js";

describe("attached images", () => {
  it("are kept by their content, whatever their name says, once", async () => {
    const files = new MemoryFileSystem();
    const images = new KeptImages(files);
    const endings = [];
    for (const bytes of [png, jpeg, gif, webp]) {
      const { path } = await images.keep(bytes, "evil.exe");
      assert.deepEqual((await images.read(path))?.bytes, bytes);
      endings.push(path.replace(/^\.rooroo\/attachments\/[0-9a-f]{64}/, ""));
    }
    assert.deepEqual(endings, [".png", ".jpg", ".gif", ".webp"]);
    await images.keep(png, "again.png");
    assert.equal(files.paths.length, 4);
  });

  it("that are none, or too large, are refused", async () => {
    const images = new KeptImages(new MemoryFileSystem());
    const text = new TextEncoder().encode(`<svg onload="alert(1)"></svg>`);
    await assert.rejects(images.keep(text, "a\u202Epng"), { code: "notAnImage" });
    const large = new Uint8Array(maxImageBytes + 1);
    large.set(png);
    await assert.rejects(images.keep(large, "large.png"), { code: "imageTooLarge" });
  });

  it("are not read where something else has been put in their place", async () => {
    const files = new MemoryFileSystem();
    const images = new KeptImages(files);
    const { path } = await images.keep(png, "a.png");
    files.put(path, gif);
    assert.equal(await images.read(path), undefined);
    files.put("secret.png", png);
    assert.equal(await images.read("secret.png"), undefined);
    assert.equal(await images.read(".rooroo/attachments/../../secret.png"), undefined);
  });

  it("are sent with the request, in each turn and after a restart, and stored as references", async () => {
    const files = new MemoryFileSystem({ "shot.png": png });
    const kept = await new KeptImages(files).keep(jpeg, "photo.jpg");
    const world = new NavigatorStage([asks("Which?"), completes()], { files });
    await world.navigator.say("/do Build this @shot.png", undefined, [{ kind: "image", ...kept }]);
    await world.navigator.answer(world.started[0] ?? "", "The left one");
    assert.equal(world.model.requests.length, 2);
    for (const { messages } of world.model.requests) {
      const first = messages.find(({ role }) => role === "user");
      assert.ok(first?.role === "user");
      assert.deepEqual(
        first.images?.map(({ name, content }) => [name, content?.mime, content?.base64]),
        [
          ["photo.jpg", "image/jpeg", Buffer.from(jpeg).toString("base64")],
          ["shot.png", "image/png", Buffer.from(png).toString("base64")],
        ],
      );
      assert.match(first.content, /Attached image 1: photo\.jpg\n\nAttached image 2: shot\.png/);
    }
    const texts = files.paths.filter((path) => /\.(jsonl?|md)$/.test(path));
    for (const path of texts) assert.doesNotMatch(files.text(path) ?? "", /base64|iVBOR/, path);
  });

  it("that are gone are named to the model", async () => {
    const files = new MemoryFileSystem();
    const kept = await new KeptImages(files).keep(png, "shot.png");
    const world = new NavigatorStage(
      [
        async () => {
          await files.removeFile(kept.path);
          return asks("Which?");
        },
        completes(),
      ],
      { files },
    );
    await world.navigator.say("/do Build this", undefined, [{ kind: "image", ...kept }]);
    await world.navigator.answer(world.started[0] ?? "", "This");
    const told = JSON.stringify(world.model.requests[1]?.messages);
    assert.match(told, /The image \\"shot\.png\\" was attached, which is not there any more/);
  });
});

describe("seesImages", () => {
  it("goes by the model's name, unless the user says", () => {
    for (const name of ["gpt-5", "gpt-4o-mini", "anthropic/claude-sonnet-4.5", "llava:7b"]) {
      assert.equal(seesImages(name, "auto"), true, name);
    }
    for (const name of ["qwen2.5-vl-7b-instruct", "google/gemini-2.5-pro", "gemma3:12b", "o3"]) {
      assert.equal(seesImages(name, "auto"), true, name);
    }
    for (const name of ["gpt-oss:20b", "deepseek-chat", "qwen3-coder", "o3-mini"]) {
      assert.equal(seesImages(name, "auto"), false, name);
    }
    assert.equal(seesImages("my-model", "auto"), undefined);
    assert.equal(seesImages("gpt-oss", "on"), true);
    assert.equal(seesImages("gpt-5", "off"), false);
  });
});
