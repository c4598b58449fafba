import { expect, it } from "vitest";
import { requestsOf } from "./requests";

const startedAt = new Date("2026-03-10T12:00:00.000Z");
const fired = {
  kind: "error_rate",
  workspaceId: null,
  windowMinutes: 15,
  filters: {},
  subject: "",
  startedAt,
  resolvedAt: null,
} as const;
const FROM = "2026-03-10T11:45:00.000Z";

it.each([
  ["failed requests of the window", fired, { status: "failed", from: FROM }],
  [
    "those of the rule's workspace, key and guardrail, until it resolved",
    {
      ...fired,
      workspaceId: "w1",
      filters: { key_hash: "k1", guardrail_id: "g1" },
      resolvedAt: new Date("2026-03-10T12:30:00.000Z"),
    },
    {
      workspace_id: "w1",
      key_hash: "k1",
      guardrail_id: "g1",
      status: "failed",
      from: FROM,
      to: "2026-03-10T12:30:00.000Z",
    },
  ],
  [
    "those that the guardrail blocked",
    { ...fired, kind: "block_spike", filters: { guardrail_id: "g1" } },
    { status: "blocked", blocked_by: "g1", from: FROM },
  ],
  ["all requests, slow or not", { ...fired, kind: "latency_p95" }, { from: FROM }],
  ["those of the provider", { ...fired, kind: "provider_down", subject: "acme" }, { provider: "acme", from: FROM }],
  [
    "a day of a key's budget",
    { ...fired, kind: "budget", subject: "own/key/abc" },
    { key_hash: "abc", from: "2026-03-09T12:00:00.000Z" },
  ],
  [
    "a day of a member's budget of a guardrail",
    { ...fired, kind: "budget", subject: "g1/member/user_1", filters: { guardrail_id: "g1" } },
    { user_id: "user_1", from: "2026-03-09T12:00:00.000Z" },
  ],
  [
    "a week of a deprecated model",
    { ...fired, kind: "deprecated_model", subject: "openai/old" },
    { model: "openai/old", from: "2026-03-03T12:00:00.000Z" },
  ],
] as const)("lists %s", (_, given, expected) => {
  expect(requestsOf(given)).toEqual(expected);
});
