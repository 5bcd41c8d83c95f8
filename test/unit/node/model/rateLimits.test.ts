import assert from "node:assert/strict";
import { rateLimitOf } from "../../../../src/node/model/rateLimits.js";

const date = "Wed, 11 Mar 2026 22:30:00 GMT";

function limitOf(
  given: { readonly headers?: Record<string, string>; readonly error?: unknown } & {
    readonly message?: string;
    readonly status?: number;
  },
) {
  const { status = 429, headers = {}, message = "", error } = given;
  return rateLimitOf({ status, headers: new Headers({ date, ...headers }), message, error });
}

const seconds = (given: Parameters<typeof limitOf>[0]) => {
  const { retryAfterMs } = limitOf(given);
  return retryAfterMs === undefined ? undefined : retryAfterMs / 1_000;
};

/** Gemini's refusals, as in https://github.com/googleapis/python-genai/issues/2044. */
const gemini = (quotaId: string, retryDelay: string) => [
  {
    error: {
      code: 429,
      status: "RESOURCE_EXHAUSTED",
      details: [
        {
          "@type": "type.googleapis.com/google.rpc.QuotaFailure",
          violations: [{ quotaMetric: "requests", quotaId, quotaValue: "250" }],
        },
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay },
      ],
    },
  },
];

describe("the reset of a rate limit", () => {
  for (const [said, headers, expected] of [
    ["retry-after-ms", { "retry-after-ms": "1500", "retry-after": "9" }, 1.5],
    ["retry-after in seconds", { "retry-after": "7200" }, 7_200],
    ["retry-after as a date", { "retry-after": "Wed, 11 Mar 2026 22:31:05 GMT" }, 65],
    ["a date that is over", { "retry-after": "Wed, 11 Mar 2026 22:00:00 GMT" }, 0],
    ["OpenAI's and Groq's duration", { "x-ratelimit-reset-requests": "2m59.56s" }, 179.56],
    ["a duration of minutes and no seconds", { "x-ratelimit-reset-tokens": "6m0s" }, 360],
    ["milliseconds", { "x-ratelimit-reset-tokens": "120ms" }, 0.12],
    ["Cerebras's seconds", { "x-ratelimit-reset-requests-day": "33011.38" }, 33_011.38],
    ["Together's seconds", { "x-ratelimit-reset": "12" }, 12],
    ["an epoch in seconds", { "x-ratelimit-reset": "1773268260" }, 60],
    ["an epoch in milliseconds", { "x-ratelimit-reset": "1773268260000" }, 60],
    ["Anthropic's date", { "anthropic-ratelimit-input-tokens-reset": "2026-03-11T22:30:40Z" }, 40],
    ["nothing that can be read", { "x-ratelimit-reset-tokens": "soon" }, undefined],
  ] as const) {
    it(`is read from a header: ${said}`, () => {
      assert.equal(seconds({ headers }), expected);
      assert.equal(limitOf({ headers }).isForDay, false);
    });
  }

  it("is that of the limit that is used up, where headers name several", () => {
    const headers = {
      "x-ratelimit-limit-requests": "14400",
      "x-ratelimit-remaining-requests": "14370",
      "x-ratelimit-reset-requests": "2h0m0s",
      "x-ratelimit-limit-tokens": "6000",
      "x-ratelimit-remaining-tokens": "200",
      "x-ratelimit-reset-tokens": "58s",
    };
    assert.equal(seconds({ headers }), 58);
    assert.equal(
      seconds({ headers: { ...headers, "x-ratelimit-remaining-requests": "0" } }),
      7_200,
    );
    const anthropic = {
      "anthropic-ratelimit-requests-limit": "50",
      "anthropic-ratelimit-requests-remaining": "49",
      "anthropic-ratelimit-requests-reset": "2026-03-11T22:31:00Z",
      "anthropic-ratelimit-output-tokens-limit": "8000",
      "anthropic-ratelimit-output-tokens-remaining": "0",
      "anthropic-ratelimit-output-tokens-reset": "2026-03-11T22:30:25Z",
    };
    assert.equal(seconds({ headers: anthropic }), 25);
  });

  it("is not read from the headers of another failure", () => {
    const headers = { "x-ratelimit-reset-requests": "2h0m0s" };
    assert.deepEqual(limitOf({ status: 503, headers, message: "daily upkeep" }), {
      isForDay: false,
    });
    assert.equal(seconds({ status: 503, headers: { "retry-after": "30" } }), 30);
  });

  for (const [who, message, expected, isForDay] of [
    [
      "OpenAI",
      "Rate limit reached on requests per day (RPD). Please try again in 7m12s.",
      432,
      true,
    ],
    [
      "Groq",
      "… on tokens per day (TPD): Limit 100000. Please try again in 9m38.016s.",
      578.016,
      true,
    ],
    [
      "GitHub",
      "Rate limit of 50 per 86400s exceeded for UserByModelByDay. Please wait 57866 seconds before retrying.",
      57_866,
      true,
    ],
    ["Azure", "Please retry after 26 seconds.", 26, false],
    ["Bedrock", "Too many tokens per day, please wait before trying again.", undefined, true],
    [
      "Cloudflare",
      "you have used up your daily free allocation of 10,000 neurons",
      undefined,
      true,
    ],
  ] as const) {
    it(`is read from the words of ${who}`, () => {
      assert.equal(seconds({ message }), expected);
      assert.equal(limitOf({ message }).isForDay, isForDay);
    });
  }

  it("is read from OpenRouter's body, which has its headers", () => {
    const error = {
      message: "Rate limit exceeded: free-models-per-day.",
      metadata: { headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1773273600000" } },
    };
    const { message } = error;
    assert.deepEqual(limitOf({ message, error }), { retryAfterMs: 5_400_000, isForDay: true });
  });

  it("is read from a subscription's body", () => {
    const error = { type: "usage_limit_reached", resets_at: 1773271800 };
    assert.equal(seconds({ error }), 3_600);
    assert.equal(seconds({ error: { resets_in_seconds: 90 } }), 90);
  });

  it("is Gemini's delay for a minute's quota, and midnight in California for a day's", () => {
    const minute = gemini("GenerateRequestsPerMinutePerProjectPerModel-FreeTier", "37s");
    assert.deepEqual(limitOf({ error: minute }), { retryAfterMs: 37_000, isForDay: false });
    const day = gemini("GenerateRequestsPerDayPerProjectPerModel-FreeTier", "37s");
    // 15:30 in summer's time.
    assert.deepEqual(limitOf({ error: day, message: "Please retry in 37.4s." }), {
      retryAfterMs: 8.5 * 3_600_000,
      isForDay: true,
    });
    const shortDay = { date: "Sun, 08 Mar 2026 08:30:00 GMT" };
    const longDay = { date: "Sun, 01 Nov 2026 07:30:00 GMT" };
    assert.equal(seconds({ error: day, headers: shortDay }), 22.5 * 3_600);
    assert.equal(seconds({ error: day, headers: longDay }), 24.5 * 3_600);
  });
});
