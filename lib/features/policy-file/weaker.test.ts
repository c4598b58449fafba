import { describe, expect, it } from "vitest";
import type { FileGuardrail, FileWorkspace, PolicyFile } from "./contract";
import { diff } from "./diff";
import { weakerChanges } from "./weaker";

const file = (workspace: Partial<FileWorkspace>, more: Partial<PolicyFile> = {}): PolicyFile => ({
  version: 1,
  workspaces: [{ slug: "default", name: "Default", ...workspace }],
  ...more,
});
const weaker = (before: PolicyFile, after: PolicyFile, prune = false) =>
  weakerChanges(diff(before, after, { prune }).changes).map(({ kind, fields }) => [kind, ...fields]);
const guardrail = (fields: Partial<FileGuardrail>) => file({ guardrails: [{ name: "G", ...fields }] });

const PROVIDER = { slug: "acme", name: "Acme", base_url: "https://acme.example/v1" };
const EMAIL = { slug: "email", action: "redact" } as const;

describe("changes that reduce protection", () => {
  it.each<[string, Partial<FileGuardrail>, Partial<FileGuardrail>]>([
    ["allowed_models", { allowed_models: ["a"] }, {}],
    ["allowed_models", { allowed_models: ["a"] }, { allowed_models: ["a", "b"] }],
    ["ignored_providers", { ignored_providers: ["a", "b"] }, { ignored_providers: ["a"] }],
    ["content_filter_builtins", { content_filter_builtins: [EMAIL] }, {}],
    [
      "content_filter_builtins",
      { content_filter_builtins: [EMAIL] },
      { content_filter_builtins: [{ ...EMAIL, action: "flag" }] },
    ],
    ["limit_usd", { limit_usd: 1 }, { limit_usd: 2 }],
    ["limit_usd", { limit_usd: 1 }, {}],
    ["reset_interval", { limit_usd: 1, reset_interval: "weekly" }, { limit_usd: 1, reset_interval: "daily" }],
    ["enforce_zdr_other", { enforce_zdr_other: true }, { enforce_zdr_other: false }],
    ["tests_required", { tests_required: true }, {}],
    ["mode", {}, { mode: "observe" }],
  ])("are found in a guardrail's %s, and not in the opposite direction", (field, strict, loose) => {
    expect(weaker(guardrail(strict), guardrail(loose))).toEqual([["guardrail", field]]);
    expect(weaker(guardrail(loose), guardrail(strict))).toEqual([]);
  });

  it("include a default guardrail that is left out, a removed assignment and a removed limit", () => {
    const before = file({
      default_guardrail: "G",
      guardrails: [{ name: "G" }],
      keys: [{ name: "k", guardrail: "G", limit: 5 }],
      members: [{ email: "a@b.c", guardrail: "G" }],
    });
    const after = file({ guardrails: [{ name: "G" }], keys: [{ name: "k" }], members: [] });
    expect(weaker(before, after, true)).toEqual([
      ["key", "guardrail", "limit"],
      ["member", "guardrail"],
      ["default_guardrail", "guardrail"],
    ]);
  });

  it("include a deleted guardrail, a provider that claims zero data retention, and a region that is added", () => {
    expect(weaker(guardrail({}), file({ guardrails: [] }), true)).toEqual([["guardrail"]]);
    expect(
      weaker({ version: 1, providers: [PROVIDER] }, { version: 1, providers: [{ ...PROVIDER, zdr: true }] }),
    ).toEqual([["provider", "zdr"]]);
    expect(weaker(file({ regions: ["DE"] }), file({}))).toEqual([["workspace", "regions"]]);
  });

  it("don't include new objects and other settings", () => {
    expect(weaker({ version: 1, workspaces: [] }, guardrail({ limit_usd: 9 }))).toEqual([]);
    expect(weaker(guardrail({ description: "Old" }), guardrail({}))).toEqual([]);
    expect(weaker(guardrail({}), guardrail({ limit_usd: 1, reset_interval: "weekly" }))).toEqual([]);
  });
});

it("a workspace without content_logging in the file stores no prompts", () => {
  const changes = diff(file({ content_logging: true }), file({}), { prune: false }).changes;
  expect(changes).toMatchObject([
    { kind: "workspace", fields: [{ field: "content_logging", before: true, after: false }] },
  ]);
  expect(diff(file({ content_logging: false }), file({}), { prune: false }).changes).toEqual([]);
});
