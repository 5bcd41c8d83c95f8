import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ensureChromium } from "../../scripts/host/ensureChromium.mjs";
import { compiled } from "../harness/compiled.mjs";
import { lack } from "../harness/lack.mjs";
import { median } from "../harness/median.mjs";
import { notMeasured, row } from "../harness/row.mjs";
import { scratch } from "../harness/scratch.mjs";
import { signerAt } from "../harness/signerAt.mjs";
import { timed } from "../harness/timed.mjs";
import { openPanelPage } from "../page/openPanelPage.mjs";

const at = "2026-01-05T10:00:00.000Z";
/** What a model writes over and over: each entry has about one token. */
const tokens = [
  ...words(100),
  ...lines(12, "- "),
  ...words(60),
  "```js\n",
  ...Array.from({ length: 40 }, (_, n) => ["  call", "(", `${n}`, ", word", ");\n"]).flat(),
  "```\n\n",
  "| Name | Value |\n| --- | --- |\n",
  ...lines(15, "| cell | "),
];
const frameMs = 33;

/**
 * The panel's page in a browser of its own, and what the host does for it: from Enter to the first frame that shows
 * something, a long conversation opened, a fast model watched for minutes, the list of conversations, a mention
 * completed.
 *
 * @param {{ quick: boolean }} options
 */
export async function conversation({ quick }) {
  const lacks = await lack({ Chromium: ensureChromium });
  if (lacks !== undefined) return [notMeasured("the panel's page", lacks)];
  const times = quick ? 1 : 10;
  const conversations = quick ? 20 : 300;
  const paths = quick ? 1_000 : 50_000;
  const listed = await listing(conversations, times);
  return [
    row("Enter to the next frame", await enter(times * 3), "ms", 50),
    ...(await opening(quick ? 500 : 10_000, times)),
    ...(await streaming(quick ? 1 / 30 : 10)),
    row(`${conversations} conversations listed`, listed, "ms", 100),
    row(`mention among ${paths.toLocaleString("en")} files`, await mention(paths), "ms", 100),
  ];
}

/** @param {number} times */
async function enter(times) {
  const { host, close } = await openPanelPage();
  try {
    const input = host.page.locator("rooroo-composer textarea");
    await host.page.evaluate(watchEnter);
    const took = [];
    for (let time = 0; time < times; time++) {
      await input.fill(`Fix the failing test, ${time}`);
      await input.press("Enter");
      took.push(await host.page.evaluate("globalThis.reaction"));
      host.event({ type: "user", at, id: `u${time}`, text: `Fix the failing test, ${time}` });
      await host.drawn();
    }
    return median(took);
  } finally {
    await close();
  }
}

/** Runs in the page: each Enter starts a promise of the milliseconds to the first frame in which the page differs. */
function watchEnter() {
  addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Enter") return;
      /** @type {any} */ (globalThis).reaction = new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          observer.disconnect();
          // The task after a frame runs when the frame has been drawn.
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - event.timeStamp);
            port2.postMessage(null);
          });
        });
        const all = { subtree: true, childList: true, characterData: true, attributes: true };
        observer.observe(document.body, all);
      });
    },
    true,
  );
}

/** @param {number} items @param {number} times */
async function opening(items, times) {
  const [{ DiskFileSystem }, { ConversationStore }, { applyEvent }, { newConversation }] =
    await Promise.all(
      [
        "node/files/diskFileSystem",
        "core/conversation/store/conversationStore",
        "core/conversation/state/reduce",
        "core/conversation/state/conversationState",
      ].map(compiled),
    );
  const root = await scratch();
  const files = new DiskFileSystem(root);
  const signer = await signerAt(root);
  const id = "20260105-100000-abcdef";
  const writing = new ConversationStore(files, signer, fail).journal(id);
  for (let n = 0; n < items / 2; n++) {
    writing.append({ type: "user", at, id: `u${n}`, text: `Look at file ${n}` });
    writing.append({
      type: "notice",
      at,
      id: `n${n}`,
      level: "info",
      text: `File ${n} is **fine**.`,
      steps: [],
    });
    if (n % 500 === 499) await writing.flush();
  }
  await writing.flush();
  const { host, close } = await openPanelPage();
  try {
    const read = [];
    const shown = [];
    for (let time = 0; time < times; time++) {
      const state = newConversation();
      const journal = new ConversationStore(files, signer, fail).journal(id);
      read.push(
        await timed(async () => {
          const { events } = await journal.load(16 * 1024 * 1024);
          for (const event of events) applyEvent(state, event);
        }),
      );
      if (state.items.length < items) throw new Error(`only ${state.items.length} items`);
      host.state.items.splice(0, host.state.items.length, ...state.items);
      host.state.positions.clear();
      state.items.forEach((item, index) => host.state.positions.set(item.id, index));
      shown.push(
        await timed(async () => {
          host.feed.snapshot();
          await host.drawn();
        }),
      );
    }
    const [fromDisk, onPage] = [median(read), median(shown)];
    const name = items.toLocaleString("en");
    return [
      row(`${name} items read from disk`, fromDisk, "ms"),
      row("and shown by the page", onPage, "ms"),
      row("together", fromDisk + onPage, "ms", 300),
    ];
  } finally {
    await close();
  }
}

/** @param {number} count @returns {string[]} a paragraph */
function words(count) {
  return [...Array.from({ length: count - 1 }, () => "word "), "end.\n\n"];
}

/** @param {number} count @param {string} start @returns {string[]} lines of ten words, and an empty one */
function lines(count, start) {
  const line = [start, ...Array.from({ length: 9 }, () => "word "), "end\n"];
  return [...Array.from({ length: count }, () => line).flat(), "\n"];
}

/**
 * A model that writes 1,000 tokens a second, in messages of 20,000: prose, lists, code and tables.
 *
 * @param {number} minutes
 */
async function streaming(minutes) {
  const { host, close } = await openPanelPage();
  try {
    const cdp = await host.page.context().newCDPSession(host.page);
    const heaps = async () => {
      await cdp.send("HeapProfiler.collectGarbage");
      const { usedSize } = await cdp.send("Runtime.getHeapUsage");
      collectGarbage();
      return { page: usedSize / 1e6, host: process.memoryUsage().heapUsed / 1e6 };
    };
    await host.page.evaluate(watchLongTasks);
    host.event({ type: "user", at, id: "u", text: "Write a book" });
    const taskId = "ROO#20260105-100000#a1b2";
    host.event({ type: "sessionStarted", at, taskId, mode: "rooroo-developer", goal: "A book" });
    const startedAt = performance.now();
    let written = 0;
    let message = "";
    let afterFirst;
    for (;;) {
      const elapsed = performance.now() - startedAt;
      if (afterFirst === undefined && elapsed > 60_000 * Math.min(1, minutes / 2))
        afterFirst = await heaps();
      if (elapsed > minutes * 60_000) break;
      const due = Math.floor(elapsed) - written;
      if (due > 0) {
        const text = Array.from(
          { length: due },
          (_, n) => tokens[(written + n) % tokens.length],
        ).join("");
        const messageId = `m${Math.floor(written / 20_000)}`;
        if (messageId !== message) {
          const whole = host.state.items.at(-1);
          if (message !== "")
            host.agent({ type: "text", messageId: message, text: whole?.text ?? "" });
          message = messageId;
        }
        host.agent({ type: "textDelta", messageId, text });
        written += due;
      }
      await new Promise((resolve) => setTimeout(resolve, frameMs));
    }
    await host.drawn();
    const last = await heaps();
    const longest = await host.page.evaluate("globalThis.longestTask()");
    const told = `1,000 tokens a second, ${minutes < 1 ? `${minutes * 60} s` : `${minutes} min`}`;
    const first = minutes < 1 ? "first half" : "first minute";
    return [
      row(`${told}: longest task of the page`, longest, "ms", 50),
      row(`page's memory, end : ${first}`, last.page / (afterFirst?.page ?? last.page), "x", 1.2),
      row("page's memory at the end", last.page, "MB"),
      row(`host's, end : ${first}`, last.host / (afterFirst?.host ?? last.host), "x", 1.2),
    ];
  } finally {
    await close();
  }
}

/** Collects the garbage of this process, which has the host's part. */
function collectGarbage() {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}

/** Runs in the page. The browser tells of tasks of 50 ms and more; shorter ones count as 0. */
function watchLongTasks() {
  let longest = 0;
  const take = (/** @type {PerformanceEntryList} */ entries) => {
    for (const { duration } of entries) longest = Math.max(longest, duration);
  };
  const observer = new PerformanceObserver((list) => take(list.getEntries()));
  observer.observe({ type: "longtask" });
  /** @type {any} */ (globalThis).longestTask = () => {
    take(observer.takeRecords());
    return longest;
  };
}

/** @param {number} conversations @param {number} times */
async function listing(conversations, times) {
  const [{ DiskFileSystem }, { ConversationStore }] = await Promise.all(
    ["node/files/diskFileSystem", "core/conversation/store/conversationStore"].map(compiled),
  );
  const root = await scratch();
  const files = new DiskFileSystem(root);
  const signer = await signerAt(root);
  const writing = new ConversationStore(files, signer, fail);
  for (let n = 0; n < conversations; n++) {
    const id = `20260105-${String(100_000 + n)}-abcdef`;
    for (let turn = 0; turn < 20; turn++) {
      writing.append(id, { type: "user", at, id: `u${turn}`, text: `Request ${turn} `.repeat(50) });
    }
  }
  await writing.flush();
  const took = [];
  for (let time = 0; time < times; time++) {
    const store = new ConversationStore(files, signer, fail);
    took.push(
      await timed(async () => {
        const found = await store.list();
        if (found.length !== conversations) throw new Error(`${found.length} were listed`);
      }),
    );
  }
  return median(took);
}

/** @param {number} paths */
async function mention(paths) {
  const { PathIndex } = await compiled("core/mentions/pathIndex");
  const names = Array.from({ length: paths }, (_, n) => {
    const folder = `packages/part${n % 50}/src/${["views", "models", "routes", "text"][n % 4]}`;
    return `${folder}/${["invoice", "customer", "ledger"][n % 3]}${n}.ts`;
  });
  const index = new PathIndex(names);
  const took = [];
  for (const typed of ["i", "inv", "invoice4", "views cust", "zzz", "p/s/l"]) {
    took.push(await timed(() => index.find(typed, 50)));
  }
  return Math.max(...took);
}

/** @param {unknown} error @returns {never} */
function fail(error) {
  throw error;
}
