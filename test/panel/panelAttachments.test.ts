import assert from "node:assert/strict";
import type { Attachment } from "../../src/core/conversation/input/attachment.js";
import type { Mention, MentionKind } from "../../src/protocol/messages.js";
import { calmStatus } from "../fakes/calmStatus.js";
import { png } from "../fakes/smallImages.js";
import type { PanelHost } from "./panelHost.js";
import { usePanelPage } from "./usePanelPage.js";

const at = "2026-01-05T10:00:00.000Z";
const image = `.rooroo/attachments/${"a".repeat(64)}.png`;
const address = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;

/** Returns what a workspace could answer. */
function mentions(params: unknown): Mention[] {
  const { of, query } = params as { of: MentionKind; query: string };
  const paths = ["src/cart.js", "test/cart.test.js", "docs/the cart.md"];
  const found: Record<MentionKind, Attachment[]> = {
    path: paths.map((path) => ({ kind: "file", path })),
    symbol: [{ kind: "symbol", name: "cartTotal()", path: "src/cart.js", from: 3, to: 9 }],
    task: [],
    resource: [{ kind: "resource", server: "tracker", name: "ticket://cart" }],
    commit: [{ kind: "commit", hash: "abc1234", subject: "Round the cart" }],
  };
  return found[of]
    .filter((one) => JSON.stringify(one).includes(query))
    .map((attachment) => ({
      name: "path" in attachment ? (attachment.path ?? "") : JSON.stringify(attachment),
      description: "",
      attachment,
    }));
}

describe("attachments in the panel's page", () => {
  let host: PanelHost;
  usePanelPage((loaded) => {
    host = loaded;
    host.results = { mentions, picture: address };
  });

  const input = () => host.page.getByRole("textbox", { name: "Message to the Navigator" });
  const options = () => host.page.getByRole("option");
  const sent = async (): Promise<{ text: string; attachments?: Attachment[] }> =>
    (await host.request("send")).params as { text: string; attachments?: Attachment[] };

  it("are mentioned by keyboard, in the middle of a text", async () => {
    await input().fill("Compare  with it");
    await input().press("Home");
    for (let step = 0; step < 8; step++) await input().press("ArrowRight");
    await input().pressSequentially("@cart");
    await options().filter({ hasText: "src/cart.js" }).first().waitFor();
    assert.equal(await input().getAttribute("aria-controls"), "hints");
    const list = host.page.getByRole("listbox", { name: "Context to add" });
    assert.equal(await list.locator("[aria-selected=true]").innerText(), "src/cart.js");
    await input().press("ArrowDown");
    await input().press("ArrowDown");
    await input().press("Enter");
    assert.equal(await input().inputValue(), 'Compare @"docs/the cart.md"  with it');
    await input().pressSequentially("and @cart");
    await options().first().waitFor();
    await input().press("Tab");
    assert.equal(
      await input().inputValue(),
      'Compare @"docs/the cart.md" and @src/cart.js  with it',
    );
    assert.equal(await options().count(), 0);
    await input().press("Enter");
    assert.equal((await sent()).text, 'Compare @"docs/the cart.md" and @src/cart.js  with it');
  });

  it("close at Escape and where the cursor leaves the word, and are none in an address", async () => {
    await input().pressSequentially("a@cart");
    assert.equal(await options().count(), 0);
    await input().fill("");
    await input().pressSequentially("see @");
    await options().filter({ hasText: "Problems" }).waitFor();
    await input().press("Escape");
    assert.equal(await options().count(), 0);
    assert.equal(await input().inputValue(), "see @");
    await input().pressSequentially("c");
    await options().first().waitFor();
    await input().press("Home");
    assert.equal(await options().count(), 0);
  });

  it("that are no files become chips, which the mouse removes and a reload keeps", async () => {
    await input().pressSequentially("Fix @");
    await options().filter({ hasText: "Git Changes" }).click();
    assert.equal(await input().inputValue(), "Fix ");
    await input().pressSequentially("this @commit:cart");
    await options().filter({ hasText: "abc1234" }).first().waitFor();
    await input().press("Enter");
    await input().pressSequentially("@Problems");
    await options().filter({ hasText: "Problems" }).first().waitFor();
    await input().press("Enter");
    const chips = host.page.locator(".composer .chip");
    assert.equal(await chips.count(), 3);
    await host.page.getByRole("button", { name: "Remove Problems" }).click();
    assert.ok(await input().evaluate((node) => node === document.activeElement));
    assert.deepEqual(await chips.allInnerTexts(), ["Git changes", "abc1234 Round the cart"]);
    await host.load();
    assert.deepEqual(await chips.allInnerTexts(), ["Git changes", "abc1234 Round the cart"]);
    assert.equal(await input().inputValue(), "Fix this ");
    await input().press("Enter");
    assert.deepEqual((await sent()).attachments, [
      { kind: "gitChanges" },
      { kind: "commit", hash: "abc1234", subject: "Round the cart" },
    ]);
    assert.equal(await chips.count(), 0);
  });

  it("that are pasted or dropped are given to the host, and shown as it judges them", async () => {
    host.results.attachImage = { attachment: { kind: "image", path: image, name: "shot.png" } };
    await input().fill("Build this");
    await input().evaluate((node, base64) => {
      const data = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], "shot.png", { type: "image/png" }));
      const event = new ClipboardEvent("paste", {
        clipboardData: data,
        cancelable: true,
        bubbles: true,
      });
      node.dispatchEvent(event);
    }, Buffer.from(png).toString("base64"));
    const { params } = await host.request("attachImage");
    assert.equal((params as { data: string }).data, Buffer.from(png).toString("base64"));
    await host.page.locator(".composer .chip img").waitFor();

    host.results.attachUris = {
      attachments: [
        { attachment: { kind: "file", path: ".env" }, problem: "may hold keys or passwords" },
      ],
      problem: "Not attached, because it is not in the workspace: /etc/passwd",
    };
    await host.page.locator(".composer").evaluate((node) => {
      const data = new DataTransfer();
      data.setData("text/uri-list", "file:///w/.env\r\nfile:///etc/passwd");
      for (const type of ["dragover", "drop"]) {
        node.dispatchEvent(new DragEvent(type, { dataTransfer: data, cancelable: true }));
      }
    });
    assert.deepEqual((await host.request("attachUris")).params, {
      uris: ["file:///w/.env", "file:///etc/passwd"],
    });
    const refused = host.page.getByRole("button", { name: "Not attached: .env may hold keys" });
    await refused.waitFor();
    assert.match(await host.page.locator(".problem").innerText(), /not in the workspace/);
    await input().press("Enter");
    assert.equal((await sent()).attachments?.length, 2);
  });

  it("stay with what was said: visible names, a picture, and what was not read", async () => {
    host.event({
      type: "user",
      at,
      id: "u1",
      text: "Look",
      attachments: [
        { attachment: { kind: "image", path: image, name: "shot.png" } },
        {
          attachment: {
            kind: "file",
            path: `src/<img src=x onerror=alert(1)>\u202Egnp.js`,
            from: 3,
            to: 9,
          },
        },
        { attachment: { kind: "file", path: "a\n\nb.js" } },
        { attachment: { kind: "file", path: ".env" }, problem: "may hold keys or passwords" },
      ],
    });
    await host.drawn();
    await host.page.locator(".user .chip img").waitFor();
    const texts = await host.page.locator(".user .chip").allInnerTexts();
    assert.equal(texts[1], "<img src=x onerror=alert(1)>⟨U+202E⟩gnp.js:3-9");
    assert.equal(texts[2], "a ⏎ b.js");
    await host.page.getByRole("button", { name: "Open a ⏎ b.js" }).click();
    assert.deepEqual((await host.request("openAttachment")).params, {
      attachment: { kind: "file", path: "a\n\nb.js" },
    });
    await host.page
      .getByRole("button", { name: "Not attached: .env may hold keys or passwords" })
      .waitFor();
  });

  it("that a model cannot see are marked", async () => {
    await host.post({
      type: "compose",
      text: "Build this",
      attachments: [{ attachment: { kind: "image", path: image, name: "shot.png" } }],
    });
    host.feed.setStatus({
      ...calmStatus,
      model: { name: "o3-mini", demo: false, ready: true, blind: true },
    });
    await host.page.getByRole("button", { name: "o3-mini cannot see images" }).waitFor();
  });
});
