#!/usr/bin/env bash
# Libraries: openai 6.49.0 and @anthropic-ai/sdk 1.14.0, with Node 20.20.2.
# Behaviour: a response of 429 with `Retry-After: 86400`, as servers send it for a limit of the day, makes a request wait for
#   that day before its first retry, without a word and whatever the client's `timeout` is. In openai an abort of the
#   request's signal does not end the wait either: its promise is settled a day later. In @anthropic-ai/sdk it does.
# Seen on 29 November 2026, with `timeout: 500` and an abort after 2 s:
#   openai:     1 request; 2 s after the abort not settled
#   anthropic:  1 request; nothing until the abort, then APIUserAbortError
#   with `maxRetries: 0` both reject at once with RateLimitError
# So the SDKs' own retries are off here (`maxRetries: 0`), and `src/core/models/retryingModel.ts` waits, which can be stopped.
# Ends with 0 if both still behave so, with 1 otherwise. It needs npm, and installs into a temporary folder only.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
echo '{ "private": true, "type": "module" }' > package.json
npm install --silent --no-audit --no-fund --save-exact openai@6.49.0 @anthropic-ai/sdk@1.14.0

cat > sample.js <<'JS'
import Anthropic from "@anthropic-ai/sdk";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";

let requests = 0;
const server = createServer((request, response) => {
  requests++;
  request.resume();
  const headers = { "content-type": "application/json", "retry-after": "86400" };
  response.writeHead(429, headers).end('{"error":{"message":"The limit of the day is reached."}}');
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${server.address().port}`;
const messages = [{ role: "user", content: "Hello" }];
const asks = {
  openai: (more, options) =>
    new OpenAI({ apiKey: "key", baseURL: `${address}/v1`, timeout: 500, ...more }).chat.completions.create(
      { model: "m", messages },
      options,
    ),
  anthropic: (more, options) =>
    new Anthropic({ apiKey: "key", baseURL: address, timeout: 500, ...more }).messages.create(
      { model: "m", max_tokens: 10, messages },
      options,
    ),
};
for (const [name, ask] of Object.entries(asks)) {
  requests = 0;
  const stop = new AbortController();
  const end = ask({}, { signal: stop.signal }).then(
    () => "answered",
    (error) => error.constructor.name,
  );
  await sleep(2_000);
  const before = await Promise.race([end, sleep(0, "waits")]);
  stop.abort();
  const ended = await Promise.race([end, sleep(2_000, "not settled")]);
  const once = await ask({ maxRetries: 0 }, {}).catch((error) => error.constructor.name);
  console.log(`${name}: ${before}; aborted: ${ended}, ${requests - 1} request; without retries: ${once}`);
}
process.exit();
JS
out=$(node sample.js)
echo "$out"
if [ "$out" = "openai: waits; aborted: not settled, 1 request; without retries: RateLimitError
anthropic: waits; aborted: APIUserAbortError, 1 request; without retries: RateLimitError" ]; then
  echo "as described"
else
  echo "changed: this file, and the code that goes around it, can be looked at again"
  exit 1
fi
