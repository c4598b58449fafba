import { describe, expect, it } from "vitest";
import { checkTable } from "../../testing/contract-table";
import { checkIssues } from "./rules";
import { CheckPolicyBody, MAX_DRAFTS } from "./contract";

const request = { model: "a/b", input: "hi" };
const ID = "0df9e665-d932-5740-b2c7-b52af166bc11";

checkTable("POST /policy/check", CheckPolicyBody, [
  [
    "a request alone",
    [{ request }],
    [
      [{}, "request"],
      [{ request: "hi" }, "request"],
    ],
  ],
  ["the protocol", [{ request, protocol: "chat_completions" }], [[{ request, protocol: "soap" }, "protocol"]]],
  [
    "the subject",
    [
      { request, key_hash: "x" },
      { request, user_id: "u", workspace_id: ID },
    ],
    [[{ request, workspace_id: "x" }, "workspace_id"]],
  ],
  [
    "drafts: any fields, or the ID of a stored guardrail",
    [{ request, guardrails: [{}, { id: ID }, { limit_usd: 1, enforce_zdr_openai: true }] }],
    [
      [{ request, guardrails: [{ id: "x" }] }, "guardrails.0.id"],
      [{ request, guardrails: [{ limit_usd: -1 }] }, "guardrails.0.limit_usd"],
      [{ request, guardrails: [{ surprise: 1 }] }, "guardrails.0.surprise"],
      [{ request, guardrails: Array.from({ length: MAX_DRAFTS + 1 }, () => ({})) }, "guardrails"],
    ],
  ],
  ["an answer", [{ request, answer: "hi" }], [[{ request, answer: { content: "hi" } }, "answer"]]],
  ["unknown fields", [], [[{ request, dry_run: true }, "dry_run"]]],
]);

describe("checkIssues", () => {
  const VENDORS = ["anthropic", "openai", "google"] as const;

  it.each<[fault: string, body: Record<string, unknown>, paths: string[]]>([
    ["none", { request }, []],
    [
      "chat completions without messages",
      { request: { model: "a/b", messages: [{ role: "user", content: "hi" }] }, protocol: "chat_completions" },
      [],
    ],
    ["a request of the other protocol", { request, protocol: "chat_completions" }, ["request.messages"]],
    ["no input", { request: { model: "a/b" } }, ["request.input"]],
    [
      "every invalid field of the request",
      { request: { ...request, temperature: "warm", provider: { speed: 1 } } },
      ["request.temperature", "request.provider.speed"],
    ],
    [
      "an invalid pattern",
      { request, guardrails: [{}, { content_filters: [{ pattern: "(", action: "flag" }] }] },
      ["guardrails.1.content_filters.0.pattern"],
    ],
    [
      "a vendor that isn't configured",
      { request, guardrails: [{ enforce_zdr_xai: true }] },
      ["guardrails.0.enforce_zdr_xai"],
    ],
    ["a workspace beside a key", { request, key_hash: "x", user_id: "u", workspace_id: ID }, ["workspace_id"]],
    ["schema errors are left to the schema", { request: null, guardrails: [null, 1] }, []],
  ])("%s", (_fault, body, paths) => {
    expect(checkIssues(body, VENDORS).map(({ path }) => path.join("."))).toEqual(paths);
  });
});
