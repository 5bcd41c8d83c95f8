import assert from "node:assert/strict";
import type { PanelHost } from "./panelHost.js";
import { richConversation } from "./richConversation.js";
import { usePanelPage } from "./usePanelPage.js";

const at = "2026-01-05T10:00:00.000Z";

describe("a long conversation on the panel", () => {
  let host: PanelHost;
  usePanelPage((loaded) => {
    host = loaded;
  });

  const text = (selector: string): Promise<string> => host.page.locator(selector).innerText();

  const messages = async (): Promise<void> => {
    for (let n = 0; n < 60; n++) host.event({ type: "user", at, id: `u${n}`, text: `number ${n}` });
    await host.drawn();
  };

  async function assertAtEnd(): Promise<void> {
    assert.equal(await host.page.locator(".to-end").count(), 0);
    const rest = await host.page
      .locator(".scroller")
      .evaluate((e) => e.scrollHeight - e.scrollTop - e.clientHeight);
    assert.ok(rest <= 1, `${rest}`);
  }

  it("has few nodes however long the conversation is, and every item within reach", async () => {
    for (let n = 0; n < 5_000; n++) {
      host.event({
        type: "user",
        at,
        id: `u${n}`,
        text: `message ${n} ${"words ".repeat(n % 40)}`,
      });
    }
    await host.drawn();
    const scroller = host.page.locator(".scroller");
    const nodes = (): Promise<number> =>
      host.page.evaluate(() => document.querySelectorAll("rooroo-panel *").length);
    assert.match(await text(".items"), /message 4999/);
    assert.ok((await nodes()) < 600);

    let most = 0;
    // Up to the very first, further ones being loaded on the way.
    for (let step = 0; step < 200; step++) {
      await scroller.evaluate((element) => (element.scrollTop = 0));
      await host.drawn();
      most = Math.max(most, await nodes());
      if ((await host.page.locator(".earlier").count()) === 0) break;
    }
    await scroller.evaluate((element) => (element.scrollTop = 0));
    await host.drawn();
    assert.match(await text(".items"), /message 0 /);
    assert.ok(most < 600, `${most} nodes`);
    for (let step = 0; step < 40; step++) {
      await scroller.evaluate((element) => (element.scrollTop += element.scrollHeight / 40));
      await host.page.waitForTimeout(10);
      const seen = await host.page.evaluate(() => {
        const box = document.querySelector(".scroller")!.getBoundingClientRect();
        const middle = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return middle?.closest(".item, .items") !== null;
      });
      assert.ok(seen, "the middle of the view belongs to the conversation");
    }
    assert.ok((await nodes()) < 600);
  });

  it("stays at the end while the reader is there, and leaves a reader further up alone", async () => {
    const scroller = host.page.locator(".scroller");
    const gap = (): Promise<number> =>
      scroller.evaluate((e) => Math.round(e.scrollHeight - e.scrollTop - e.clientHeight));
    for (let n = 0; n < 60; n++) host.event({ type: "user", at, id: `u${n}`, text: `number ${n}` });
    await host.drawn();
    assert.ok((await gap()) <= 1);
    const grow = async (times: number): Promise<void> => {
      for (let n = 0; n < times; n++) {
        host.agent({ type: "textDelta", messageId: "m", text: "more and more words\n\n" });
        await host.drawn();
      }
    };
    await grow(10);
    assert.ok((await gap()) <= 1);

    await scroller.hover();
    await host.page.mouse.wheel(0, -900);
    await host.drawn();
    const place = (): Promise<number[]> =>
      host.page.evaluate(() => {
        const top = document.querySelector(".scroller")!.getBoundingClientRect().top;
        const item = [...document.querySelectorAll<HTMLElement>(".item")].find(
          (element) => element.getBoundingClientRect().bottom > top + 1,
        )!;
        return [Number(item.dataset["index"]), Math.round(item.getBoundingClientRect().top - top)];
      });
    const before = await place();
    await grow(10);
    host.event({ type: "user", at, id: "new", text: "something new" });
    await host.drawn();
    assert.deepEqual(await place(), before);
    await host.page.getByRole("button", { name: "New messages" }).click();
    await host.drawn();
    assert.ok((await gap()) <= 1);
    assert.equal(await host.page.locator(".to-end").count(), 0);
  });

  it("stays at the end when it hears of its own scrolling only after more has come", async () => {
    await messages();
    const scroller = host.page.locator(".scroller");
    await scroller.evaluate((element) => {
      const last = [...element.querySelectorAll<HTMLElement>(".item")].at(-1);
      last?.style.setProperty("padding-bottom", "300px");
      element.dispatchEvent(new Event("scroll"));
    });
    await host.drawn();
    await assertAtEnd();
  });

  it("stays at the end when what is below it goes, and more comes", async () => {
    await messages();
    const scroller = host.page.locator(".scroller");
    const moved = await scroller.evaluate((element) => {
      const top = element.scrollTop;
      document.querySelector<HTMLElement>(".footer")?.style.setProperty("display", "none");
      const after = element.scrollTop;
      const last = [...element.querySelectorAll<HTMLElement>(".item")].at(-1);
      last?.style.setProperty("padding-bottom", "300px");
      element.dispatchEvent(new Event("scroll"));
      return top - after;
    });
    assert.ok(moved > 1, `the browser moves the top by ${moved}`);
    await host.drawn();
    await assertAtEnd();
  });

  it("stays at the end when one thing below it goes, and a taller one comes before the browser tells of it", async () => {
    await messages();
    const scroller = host.page.locator(".scroller");
    const moved = await scroller.evaluate((element) => {
      const top = element.scrollTop;
      const footer = document.querySelector<HTMLElement>(".footer");
      const { height } = footer?.getBoundingClientRect() ?? { height: 0 };
      footer?.style.setProperty("display", "none");
      const after = element.scrollTop;
      footer?.style.removeProperty("display");
      footer?.style.setProperty("height", `${height + 40}px`);
      element.dispatchEvent(new Event("scroll"));
      return top - after;
    });
    assert.ok(moved > 1, `the browser moves the top by ${moved}`);
    await host.drawn();
    await assertAtEnd();
  });

  it("stays at the end when an item shrinks, and more comes before the browser tells of it", async () => {
    await messages();
    const scroller = host.page.locator(".scroller");
    const moved = await scroller.evaluate((element) => {
      const top = element.scrollTop;
      const [first, last] = [...element.querySelectorAll<HTMLElement>(".item")].slice(-2);
      first?.style.setProperty("display", "none");
      const after = element.scrollTop;
      last?.style.setProperty("padding-bottom", "300px");
      element.dispatchEvent(new Event("scroll"));
      return top - after;
    });
    assert.ok(moved > 1, `the browser moves the top by ${moved}`);
    await host.drawn();
    await assertAtEnd();
  });

  it("gets texts that it had released when the reader comes to them", async () => {
    const words = "Many words of a long book. ".repeat(4_000);
    for (let n = 0; n < 8; n++) {
      host.agent({ type: "text", messageId: `m${n}`, text: `Chapter ${n}. ${words}` });
      await host.drawn();
    }
    assert.equal(host.requests("texts").length, 0);
    const item = (n: number) => host.page.locator(`.item[data-id="m${n}"]`);
    await host.page.locator(".scroller").evaluate((element) => (element.scrollTop = 0));
    await item(0).getByText("Chapter 0. Many").waitFor();
    assert.ok(host.requests("texts").length > 0);
    await host.page.getByRole("button", { name: "Jump to latest" }).click();
    await item(7).getByText("Chapter 7. Many").waitFor();
    await assertAtEnd();
  });

  it("keeps the reader's place when earlier items are put in front", async () => {
    for (let n = 0; n < 400; n++) {
      host.event({ type: "user", at, id: `u${n}`, text: `number ${n} ${"words ".repeat(n % 60)}` });
    }
    await host.load();
    await host.drawn();
    const scroller = host.page.locator(".scroller");
    await scroller.evaluate((element) => (element.scrollTop = 600));
    await host.drawn();
    const before = await host.page.evaluate(() => {
      document.querySelector(".scroller")!.scrollTop = 200;
      const items = [...document.querySelectorAll<HTMLElement>(".item")];
      const visible = items.find((item) => item.getBoundingClientRect().bottom > 1);
      return { id: visible?.dataset["id"], top: visible?.getBoundingClientRect().top };
    });
    assert.match(before.id ?? "", /^u30\d$/);
    await host.request("earlier");
    await host.drawn();
    const item = host.page.locator(`[data-id=${before.id ?? ""}]`);
    const top = await item.evaluate((element) => element.getBoundingClientRect().top);
    assert.ok(Math.abs(top - (before.top ?? 0)) < 2, `${top} ${before.top ?? ""}`);
    assert.equal(await text(".earlier"), "100 earlier items");
  });

  it("keeps the focus on an item that is scrolled out of sight", async () => {
    for (const event of richConversation) host.event(event);
    await host.drawn();
    await host.page.locator("[data-id=c5] button").focus();
    for (let n = 0; n < 300; n++) host.event({ type: "user", at, id: `u${n}`, text: `words ${n}` });
    await host.drawn();
    const focused = host.page.locator("[data-id=c5] button:focus");
    assert.equal(await focused.count(), 1);
  });

  it("stays at an item that something has led to, however slow the machine is and whatever comes", async () => {
    for (let n = 0; n < 400; n++) {
      host.event({ type: "user", at, id: `u${n}`, text: `number ${n} ${"words ".repeat(n % 60)}` });
    }
    await host.load();
    await host.drawn();
    // Each look at the clock is ten seconds later.
    await host.page.evaluate(() => {
      let now = performance.now();
      performance.now = () => (now += 10_000);
    });
    for (const n of [385, 350, 20]) {
      const marked = host.page.locator(`.item.shown[data-id=u${n}]`);
      host.feed.reveal(`u${n}`);
      host.event({ type: "user", at, id: `v${n}`, text: `after ${n} `.repeat(300) });
      await marked.waitFor();
      await host.drawn();
      const isInSight = await marked.evaluate((item) => {
        const { top, bottom } = item.getBoundingClientRect();
        const visible = document.querySelector(".scroller")!.getBoundingClientRect();
        return top >= visible.top && bottom <= visible.bottom;
      });
      assert.ok(isInSight, `number ${n}`);
    }
  });

  it("goes from item to item with Alt and the arrows", async () => {
    for (let n = 0; n < 200; n++) host.event({ type: "user", at, id: `u${n}`, text: `words ${n}` });
    await host.drawn();
    await host.page.locator(".scroller").focus();
    for (let n = 0; n < 40; n++) await host.page.keyboard.press("Alt+ArrowUp");
    await host.drawn();
    const id = await host.page.evaluate(
      () => (document.activeElement as HTMLElement).dataset["id"],
    );
    assert.equal(id, "u160");
  });
});
