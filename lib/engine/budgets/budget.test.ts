import { describe, expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { layerOf } from "../../testing/layers";
import { sizeOf } from "../../testing/limits";
import { budgetOf, budgetRules, countsToward, maxChargeMicroUsd, type BudgetSubjects } from "./budget";
import type { Endpoint } from "../endpoint";
import type { Spread } from "../tokens/billed-ratio";
import { NO_KEY_LIMIT, type BudgetRule, type RequestSize } from "./budget-rule";

const ann: BudgetSubjects = { keyId: "key-1", userId: "ann", key: NO_KEY_LIMIT };
const brief = (rules: readonly BudgetRule[]) =>
  rules.map(({ source, sourceId, subject, subjectId }) => [source?.scope ?? "own", sourceId, subject, subjectId]);

describe("spend counted by a limit", () => {
  const limited = { limit_usd: 5 };
  it.each<[string, Parameters<typeof budgetRules>, string[][]]>([
    ["no limit", [[layerOf()], ann], []],
    ["the key's guardrail", [[layerOf(limited, "key")], ann], [["key", "guardrail-key", "key", "key-1"]]],
    ["the member's guardrail", [[layerOf(limited, "member")], ann], [["member", "guardrail-member", "member", "ann"]]],
    [
      "the workspace's default",
      [[layerOf(limited)], ann],
      [
        ["workspace", "guardrail-workspace", "member", "ann"],
        ["workspace", "guardrail-workspace", "key", "key-1"],
      ],
    ],
    [
      "the default, for a key without an owner",
      [[layerOf(limited)], { ...ann, userId: null }],
      [["workspace", "guardrail-workspace", "key", "key-1"]],
    ],
    [
      "the default, for a member without a key",
      [[layerOf(limited)], { ...ann, keyId: null }],
      [["workspace", "guardrail-workspace", "member", "ann"]],
    ],
    [
      "one guardrail as default and on the key",
      [[layerOf({ ...limited, id: "g" }), layerOf({ ...limited, id: "g" }, "key")], ann],
      [
        ["workspace", "g", "member", "ann"],
        ["workspace", "g", "key", "key-1"],
      ],
    ],
    [
      "the key's own limit, last",
      [[layerOf(limited, "key")], { ...ann, key: { ...NO_KEY_LIMIT, limitMicroUsd: 1n } }],
      [
        ["key", "guardrail-key", "key", "key-1"],
        ["own", "key-1", "key", "key-1"],
      ],
    ],
    ["a limit of zero", [[layerOf({ limit_usd: 0 }, "key")], ann], [["key", "guardrail-key", "key", "key-1"]]],
    [
      "an unsaved draft",
      [[layerOf({ ...limited, id: null }, "draft")], { ...ann, userId: null }],
      [["draft", "00000000-0000-0000-0000-000000000000", "key", "key-1"]],
    ],
  ])("%s", (_case, [layers, who], expected) => {
    expect(brief(budgetRules(layers, who))).toEqual(expected);
  });

  it("includes limit, window and ownership", () => {
    const key = { limitMicroUsd: 7n, limitReset: "daily", includeByokInLimit: true } as const;
    expect(
      budgetRules([layerOf({ limit_usd: 0.000001, reset_interval: "weekly", include_byok_in_budgets: true }, "key")], {
        ...ann,
        key,
      }),
    ).toMatchObject([
      {
        limitMicroUsd: 1n,
        interval: "weekly",
        includesByok: true,
        source: { guardrail_name: "Guardrail of the key", revision: 1 },
      },
      { limitMicroUsd: 7n, interval: "daily", includesByok: true, source: null },
    ]);
  });
});

describe("a rule's budget", () => {
  const rule: BudgetRule = {
    source: null,
    sourceId: "g",
    subject: "key",
    subjectId: "k",
    limitMicroUsd: 1n,
    interval: "daily",
    includesByok: false,
  };
  const noon = new Date("2026-11-20T12:00:00Z");
  const idOf = (given: Partial<BudgetRule>, now = noon) => budgetOf({ ...rule, ...given }, now).id;

  it("is the same throughout its window, whatever the limit", () => {
    expect(idOf({ limitMicroUsd: 2n, includesByok: true }, new Date("2026-11-20T23:59:59.999Z"))).toBe(idOf({}));
  });

  it("differs by guardrail, subject, interval and window start", () => {
    const ids = [
      {},
      { sourceId: "h" },
      { subject: "member" as const },
      { subjectId: "l" },
      { interval: "monthly" as const },
      { interval: null },
    ].map((given) => idOf(given));
    expect(new Set([...ids, idOf({}, new Date("2026-11-21T00:00:00Z"))]).size).toBe(7);
  });
});

it.each([
  ["platform", false, true],
  ["byok", false, false],
  ["platform", true, true],
  ["byok", true, true],
] as const)("spend over %s keys, own ones included %s: counts %s", (ownership, includesByok, expected) => {
  const rule: BudgetRule = {
    source: null,
    sourceId: "g",
    subject: "key",
    subjectId: "k",
    limitMicroUsd: 1n,
    interval: null,
    includesByok,
  };
  expect(countsToward(rule, endpointOf({ provider: { ownership } }))).toBe(expected);
});

describe("the highest possible charge", () => {
  it.each<[string, Partial<Endpoint["prices"]>, Partial<RequestSize>, Parameters<typeof endpointOf>[0], bigint]>([
    ["counts prompt and output", { prompt: "1", completion: "2" }, {}, {}, 70n],
    ["counts predicted output", { prompt: "0", completion: "1" }, { predictedTokens: 7 }, {}, 17n],
    ["counts every choice", { prompt: "1", completion: "1" }, { choices: 3, predictedTokens: 7 }, {}, 50n + 3n * 17n],
    ["is at least one unit", { prompt: "0.0000000001", completion: "0" }, {}, {}, 1n],
    ["counts the price of a request", { prompt: "0", completion: "0", request: "0.005" }, {}, {}, 5000n],
    [
      "counts web searches",
      { prompt: "0", completion: "0", details: { web_search: "0.01" } },
      { webSearches: 3 },
      {},
      30_000n,
    ],
    ["of a free model is 0", { prompt: "0", completion: "0" }, { prompt: { expected: 1, most: 1e6 } }, {}, 0n],
    ["has a limit", { completion: "1000000" }, { maxOutputTokens: Number.MAX_SAFE_INTEGER }, {}, 10n ** 15n],
    ["without a limit is the model's", {}, { maxOutputTokens: null }, { upstreamModel: "gpt-4o-2024-08-06" }, 16_434n],
    ["of a limit that the endpoint may ignore is the model's", {}, { isLimitIgnorable: true }, {}, 16_434n],
    ["is never below such a limit", {}, { isLimitIgnorable: true, maxOutputTokens: 20_000 }, {}, 20_050n],
    ["of a limit that the model takes", {}, { isLimitIgnorable: true }, { upstreamModel: "gpt-5" }, 60n],
    ["of a limit that is renamed", {}, { isLimitIgnorable: true }, { supportedParameters: ["max_tokens"] }, 60n],
    ["of a limit that is converted", {}, { isLimitIgnorable: true }, { provider: { protocol: "messages" } }, 60n],
    ["of an unknown model", {}, { maxOutputTokens: null }, {}, 16_434n],
    ["of a known context", {}, { maxOutputTokens: null }, { model: { contextLength: 1000 } }, 1050n],
    ["of a prompt beyond the context", {}, { maxOutputTokens: 1 }, { model: { contextLength: 20 } }, 21n],
    ["of a batch beyond one context", {}, { maxOutputTokens: 0, inputs: 2 }, { model: { contextLength: 20 } }, 40n],
    ["of a batch within its contexts", {}, { maxOutputTokens: 0, inputs: 9 }, { model: { contextLength: 20 } }, 50n],
    [
      "of an image at a model that counts more",
      { completion: "0" },
      { images: 1 },
      { upstreamModel: "gpt-4o-mini" },
      48_050n,
    ],
  ])("%s", (_name, prices, size, endpoint, expected) => {
    expect(maxChargeMicroUsd(endpointOf({ ...endpoint, prices }), sizeOf(size))).toBe(expected);
  });

  it("follows what the endpoint billed before", () => {
    const endpoint = endpointOf({ prices: { completion: "0" } });
    const at = (expected: number, differences: Spread | null, ratios: Spread | null) =>
      maxChargeMicroUsd(
        endpoint,
        sizeOf({ prompt: { expected, most: expected }, ratios: new Map([[endpoint.id, { differences, ratios }]]) }),
      );
    const spread = { typical: 2, highest: 30 };
    expect(at(10, spread, null)).toBe(44n);
    expect(at(1000, spread, null)).toBe(1000n);
    expect(at(1000, null, { typical: 1, highest: 2 })).toBe(2200n);
    expect(at(1000, null, { typical: 0.1, highest: 0.5 })).toBe(1000n);
  });
});
