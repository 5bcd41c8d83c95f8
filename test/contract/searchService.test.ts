import assert from "node:assert/strict";
import { UserError } from "../../src/core/errors.js";
import { type SearchOptions, SearchService } from "../../src/node/web/searchService.js";
import { WebServer } from "./webServer.js";

const never = new AbortController().signal;
const hit = { url: "https://a.test/", title: "A", content: "about <strong>a</strong>" };

describe("SearchService", () => {
  let server: WebServer;
  let answer: { status?: number; body: string; location?: string };
  let sent: { method: string | undefined; body: string };
  beforeEach(async () => {
    answer = { body: JSON.stringify({ results: [hit, { url: "javascript:x()" }] }) };
    server = await WebServer.start((request, response, body) => {
      sent = { method: request.method, body };
      const { status = 200, location } = answer;
      response.writeHead(status, location === undefined ? {} : { location }).end(answer.body);
    });
  });
  afterEach(() => server.stop());

  const service = (provider: SearchOptions["provider"], address = server.url) =>
    new SearchService({ provider, address, apiKey: () => Promise.resolve(" k-1 ") });
  const found = [{ address: "https://a.test/", title: "A", excerpt: "about a" }];

  it("asks Tavily", async () => {
    assert.deepEqual(await service("tavily").search("x y", never), found);
    assert.equal(server.asked[0]?.headers.authorization, "Bearer k-1");
    assert.deepEqual(JSON.parse(sent.body), { query: "x y", max_results: 8 });
    assert.equal(service("tavily", "").address, "https://api.tavily.com/search");
  });

  it("asks Brave", async () => {
    const results = [{ ...hit, content: undefined, description: hit.content }];
    answer.body = JSON.stringify({ web: { results } });
    assert.deepEqual(await service("brave").search("x y", never), found);
    assert.equal(server.asked[0]?.url, "/?q=x+y&count=8");
    assert.equal(server.asked[0].headers["x-subscription-token"], "k-1");
    answer.body = "{}";
    assert.deepEqual(await service("brave").search("x", never), []);
  });

  it("asks SearXNG, without a key", async () => {
    assert.deepEqual(await service("searxng", `${server.url}/sx/`).search("x y", never), found);
    assert.equal(server.asked[0]?.url, "/sx/search?q=x+y&format=json");
    assert.doesNotMatch(JSON.stringify(server.asked[0].headers), /k-1/);
    await assert.rejects(service("searxng", "").search("x", never), {
      code: "searchAddressMissing",
    });
    await assert.rejects(service("searxng", "ftp://x").search("x", never), {
      code: "searchAddressMissing",
    });
  });

  it("takes the key nowhere else", async () => {
    answer = { status: 302, body: "", location: `${server.url}/elsewhere` };
    await assert.rejects(service("tavily").search("x", never), UserError);
    assert.equal(server.asked.length, 1);
  });

  it("reads no more of an answer than it has to", async () => {
    const piece = "x".repeat(65_536);
    let sentBytes = 0;
    const endless = await WebServer.start((_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(piece)) sentBytes += piece.length;
        sentBytes += piece.length;
      };
      response.on("drain", more);
      more();
    });
    await assert.rejects(service("tavily", endless.url).search("x", never), {
      code: "searchAnswerInvalid",
    });
    await endless.stop();
    assert.ok(sentBytes < 20_000_000, String(sentBytes));
  });

  it("says in words what went wrong, without the key", async () => {
    const says = async (provider: SearchOptions["provider"], code: string) => {
      await assert.rejects(service(provider).search("x", never), (error) => {
        assert.ok(error instanceof UserError);
        assert.equal(error.code, code);
        return !error.message.includes("k-1");
      });
    };
    answer = { status: 401, body: "" };
    await says("tavily", "searchKeyRefused");
    answer = { status: 403, body: "" };
    await says("searxng", "searchFormatMissing");
    answer = { status: 429, body: "" };
    await says("brave", "searchRateLimited");
    answer = { body: "<html>" };
    await says("tavily", "searchAnswerInvalid");
    answer = { body: '{"results":[{}]}' };
    await says("tavily", "searchAnswerInvalid");
    await server.stop();
    await says("tavily", "searchUnreachable");
  });
});
