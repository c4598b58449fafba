import { expect, it } from "vitest";
import type { Receipt } from "../../engine/protocols/observe";
import type { Bill } from "./bill";
import { receiptOf } from "./receipt";

const CASES: [name: string, cost: bigint, parts: Bill["parts"], Pick<Receipt, "costUsd" | "costDetails">][] = [
  ["a free answer", 0n, {}, { costUsd: 0, costDetails: { prompt: 0, completion: 0, parts: {} } }],
  [
    "an answer",
    130n,
    { prompt: 100n, completion: 20n, request: 10n },
    {
      costUsd: 0.000_13,
      costDetails: {
        prompt: 0.0001,
        completion: 0.000_02,
        parts: { prompt: 0.0001, completion: 0.000_02, request: 0.000_01 },
      },
    },
  ],
  [
    "kinds of tokens, which belong to the prompt or to the completion",
    107n,
    { prompt: 1n, cache_read: 2n, cache_write: 4n, completion: 30n, reasoning: 70n },
    {
      costUsd: 0.000_107,
      costDetails: {
        prompt: 0.000_007,
        completion: 0.0001,
        parts: {
          prompt: 0.000_001,
          cache_read: 0.000_002,
          cache_write: 0.000_004,
          completion: 0.000_03,
          reasoning: 0.000_07,
        },
      },
    },
  ],
  [
    "failed attempts, which belong to neither",
    1_000_012n,
    { prompt: 1_000_000n, failed_attempts: 12n },
    {
      costUsd: 1.000_012,
      costDetails: { prompt: 1, completion: 0, parts: { prompt: 1, failed_attempts: 0.000_012 } },
    },
  ],
];

it.each(CASES)("states the cost of %s", (_, costMicroUsd, parts, expected) => {
  const recorded = Promise.resolve();
  const about = { completedAt: 1_700_000_000, serviceMetadata: { generation_id: "gen-1" }, recorded };
  expect(receiptOf({ costMicroUsd, isCostKnown: true, parts }, about)).toEqual({ ...expected, ...about });
});

it("states no cost that isn't known", () => {
  const about = { completedAt: 1_700_000_000, serviceMetadata: null, recorded: Promise.resolve() };
  const parts = { failed_attempts: 12n };
  expect(receiptOf({ costMicroUsd: 12n, isCostKnown: false, parts }, about)).toEqual({ costUsd: null, ...about });
});
