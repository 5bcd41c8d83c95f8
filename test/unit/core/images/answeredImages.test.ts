import assert from "node:assert/strict";
import { keepAnswered } from "../../../../src/core/images/answeredImages.js";
import { KeptImages, maxImageBytes } from "../../../../src/core/images/keptImages.js";
import { reports } from "../../../fakes/envelopes.js";
import { MemoryFileSystem } from "../../../fakes/memoryFileSystem.js";
import { asks, calls, completes, NavigatorStage } from "../../../fakes/navigatorWorld.js";
import { gif, jpeg, png } from "../../../fakes/smallImages.js";

const shot = { name: "shot", description: "Takes pictures.", parameters: { type: "object" } };

describe("images that a tool answers with", () => {
  const host = (images: readonly Uint8Array[], text = "Here:") => ({
    offered: () => [shot],
    call: () => Promise.resolve({ text, images }),
  });

  it("reach the model with the result, also after a restart, and are stored as references", async () => {
    const files = new MemoryFileSystem();
    const first = new NavigatorStage([calls("shot", {}), asks("Which?")], {
      files,
      hostTools: host([png, jpeg]),
    });
    first.approve = () => ({ type: "allowed", scope: "once" });
    await first.navigator.say("/do Look");
    const later = new NavigatorStage([completes()], { files, hostTools: host([]) });
    await later.navigator.answer(first.started[0] ?? "", "The left one");
    for (const { messages } of [first.model.requests[1]!, later.model.requests[0]!]) {
      const result = messages.find(({ role }) => role === "tool");
      assert.ok(result?.role === "tool");
      assert.deepEqual(
        result.images?.map(({ name, content }) => [name, content?.mime, content?.base64]),
        [
          ["shot 1", "image/png", Buffer.from(png).toString("base64")],
          ["shot 2", "image/jpeg", Buffer.from(jpeg).toString("base64")],
        ],
      );
      assert.match(result.content, /^<data from="shot">\nHere:\n<\/data>\n\(Image 1 is "shot 1"/);
      assert.match(result.content, /kept in \.rooroo\/attachments\/[0-9a-f]{64}\.jpg\.\)$/);
    }
    const texts = files.paths.filter((path) => /\.(jsonl?|md)$/.test(path));
    for (const path of texts) assert.doesNotMatch(files.text(path) ?? "", /base64|iVBOR/, path);
  });

  it("reach a model without tool calling, with the words beside them", async () => {
    const files = new MemoryFileSystem();
    const first = new NavigatorStage([calls("shot", {}), asks("Which?")], {
      files,
      hostTools: host([png]),
    });
    first.approve = () => ({ type: "allowed", scope: "once" });
    await first.navigator.say("/do Look");
    const done = reports({ status: "Done", message: "Seen.", output_artifact_paths: [] });
    const later = new NavigatorStage([done], { files, dialect: "envelope" });
    await later.navigator.answer(first.started[0] ?? "", "The left one");
    const { messages = [] } = later.model.requests[0] ?? {};
    const result = messages.find(({ content }) => content.includes('(Image 1 is "shot 1"'));
    assert.ok(result?.role === "user");
    assert.deepEqual(
      result.images?.map(({ name, content }) => [name, content?.mime]),
      [["shot 1", "image/png"]],
    );
  });

  it("are named to the model when they are gone", async () => {
    const files = new MemoryFileSystem();
    const world = new NavigatorStage(
      [
        calls("shot", {}),
        async () => {
          const [path = ""] = files.paths.filter((one) => one.startsWith(".rooroo/attachments/"));
          await files.removeFile(path);
          return asks("Which?");
        },
        completes(),
      ],
      { files, hostTools: host([png], "") },
    );
    world.approve = () => ({ type: "allowed", scope: "once" });
    await world.navigator.say("/do Look");
    await world.navigator.answer(world.started[0] ?? "", "This");
    const told = JSON.stringify(world.model.requests[2]?.messages);
    assert.match(
      told,
      /The image \\"shot 1\\" is part of this result, which is not there any more/,
    );
  });

  it("are left out with a word if they are none, too large, too many, or cannot be kept", async () => {
    const files = new MemoryFileSystem();
    const large = new Uint8Array(maxImageBytes + 1);
    large.set(png);
    const text = new TextEncoder().encode("<svg></svg>");
    const given = [text, large, ...Array.from({ length: 8 }, () => gif)];
    const { images, lines } = await keepAnswered(given, "shot", files);
    assert.deepEqual(
      images.map(({ name }) => name),
      ["shot 3", "shot 4", "shot 5", "shot 6", "shot 7", "shot 8"],
    );
    assert.match(
      lines[0] ?? "",
      /^\(Image 1 is left out: it is no PNG, JPEG, GIF or WebP image\.\)$/,
    );
    assert.match(lines[1] ?? "", /^\(Image 2 is left out: it is larger than 5\.?0? MB\.\)$/);
    assert.equal(lines.at(-1), "(2 more images are left out.)");
    assert.equal(lines.length, 9);
    assert.deepEqual((await new KeptImages(files).read(images[0]?.path ?? ""))?.bytes, gif);
  });
});
