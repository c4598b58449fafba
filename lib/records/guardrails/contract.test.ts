import { describe, expect, it } from "vitest";
import { KeyHashesBody } from "./assignments-contract";
import { CreateGuardrailBody, UpdateGuardrailBody } from "./contract";
import { BUILTIN_SLUGS, PERSONAL_DATA_BUILTINS } from "../../engine/filters/vocabulary";

const issuesOf = (body: object) =>
  CreateGuardrailBody.safeParse({ name: "G", ...body }).error?.issues.map(({ path }) => path.join(".")) ?? [];

const CHECK = { name: "c", url: "https://checks.example/" };
const SIGNING = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
const JUDGE = { name: "j", model: "a/b", instructions: "No threats", action: "block" };

describe("guardrail fields", () => {
  it.each<[fact: string, body: object]>([
    ["description: string or null", { description: null }],
    ["allowed_models: array of string", { allowed_models: ["openai/gpt-5", "anthropic/claude"] }],
    ["an empty list is accepted", { allowed_models: [], ignored_providers: [] }],
    ["allowed_data_regions: array of global, europe, us", { allowed_data_regions: ["global", "europe", "us"] }],
    ["allowed_data_regions null", { allowed_data_regions: null }],
    ["limit_usd 0", { limit_usd: 0 }],
    ["limit_usd 1,000,000,000", { limit_usd: 1_000_000_000 }],
    ["limit_usd with 6 decimals", { limit_usd: 0.000001 }],
    ["limit_usd 0.1 + 0.2 rounded to 6 decimals", { limit_usd: 0.3 }],
    ["limit_usd without reset_interval", { limit_usd: 5 }],
    ["reset_interval daily", { reset_interval: "daily" }],
    ["reset_interval weekly", { reset_interval: "weekly" }],
    ["reset_interval monthly", { reset_interval: "monthly" }],
    ["reset_interval null", { reset_interval: null }],
    ["enforce_zdr is deprecated, still accepted", { enforce_zdr: true }],
    ["enforce_zdr_vendor_a: boolean or null", { enforce_zdr_vendor_a: null }],
    [
      "flag with regex-prompt-injection",
      { content_filter_builtins: [{ slug: "regex-prompt-injection", action: "flag" }] },
    ],
    [
      "scan_scope user_only",
      { content_filter_builtins: [{ slug: "regex-prompt-injection", action: "block", scan_scope: "user_only" }] },
    ],
    [
      "each scope of a filter",
      {
        content_filter_builtins: [
          { slug: "email", action: "block", scope: "response" },
          { slug: "regex-prompt-injection", action: "flag", scope: "both", scan_scope: "user_only" },
        ],
        content_filters: [{ pattern: "a", action: "flag", scope: "request" }],
      },
    ],
    [
      "every builtin slug with block",
      { content_filter_builtins: BUILTIN_SLUGS.map((slug) => ({ slug, action: "block" })) },
    ],
    [
      "every builtin slug with redact",
      { content_filter_builtins: BUILTIN_SLUGS.map((slug) => ({ slug, action: "redact" })) },
    ],
    ["custom filter without label", { content_filters: [{ pattern: "x", action: "redact" }] }],
    [
      "custom filter actions block, redact, flag",
      { content_filters: ["block", "redact", "flag"].map((action) => ({ pattern: "x", action })) },
    ],
    [
      "custom filter pattern of 10,000 characters",
      { content_filters: [{ pattern: "x".repeat(10_000), action: "flag" }] },
    ],
    ["an external check", { external_checks: [{ name: "c", url: "https://checks.example/a?b=1" }] }],
    [
      "an external check with every field",
      {
        external_checks: [
          { ...CHECK, format: "signalbox", scope: "request", timeout_ms: 100, secret: SIGNING, has_secret: true },
          { ...CHECK, name: "d", format: "litellm", timeout_ms: 30_000, secret: null },
          { ...CHECK, name: "e", format: "litellm", secret: "any-text" },
        ],
      },
    ],
    ["a model judge", { judges: [{ ...JUDGE, threshold: 1, scope: "request", timeout_ms: 30_000 }] }],
    ["100 custom filters", { content_filters: Array.from({ length: 100 }, () => ({ pattern: "x", action: "flag" })) }],
  ])("accepts %s", (_, body) => expect(issuesOf(body)).toEqual([]));

  it.each<[fact: string, body: object, path: string]>([
    ["name is required", { name: undefined }, "name"],
    ["name with only spaces", { name: "   " }, "name"],
    ["name over 200 characters", { name: "x".repeat(201) }, "name"],
    ["description over 1000 characters", { description: "x".repeat(1001) }, "description"],
    ["an empty model", { allowed_models: [""] }, "allowed_models.0"],
    ["a model over 200 characters", { ignored_models: ["x".repeat(201)] }, "ignored_models.0"],
    [
      "over 1000 providers",
      { allowed_providers: Array.from({ length: 1001 }, (_, i) => `p${i}`) },
      "allowed_providers",
    ],
    ["a provider that isn't a string", { ignored_providers: [1] }, "ignored_providers.0"],
    ["an unknown data region", { allowed_data_regions: ["europe", "eu"] }, "allowed_data_regions.1"],
    ["a data region in another case", { allowed_data_regions: ["Europe"] }, "allowed_data_regions.0"],
    ["limit_usd below 0", { limit_usd: -0.01 }, "limit_usd"],
    ["limit_usd over 1,000,000,000", { limit_usd: 1_000_000_001 }, "limit_usd"],
    ["limit_usd with 7 decimals", { limit_usd: 0.0000001 }, "limit_usd"],
    ["limit_usd as text", { limit_usd: "5" }, "limit_usd"],
    ["reset_interval yearly", { reset_interval: "yearly" }, "reset_interval"],
    [
      "an unknown builtin",
      { content_filter_builtins: [{ slug: "passport", action: "block" }] },
      "content_filter_builtins.0.slug",
    ],
    [
      "a builtin twice",
      { content_filter_builtins: [0, 1].map(() => ({ slug: "email", action: "block" })) },
      "content_filter_builtins",
    ],
    [
      "an unknown scope",
      { content_filters: [{ pattern: "a", action: "block", scope: "answer" }] },
      "content_filters.0.scope",
    ],
    [
      "user messages of a response",
      { content_filter_builtins: [{ slug: "email", action: "block", scope: "response", scan_scope: "user_only" }] },
      "content_filter_builtins.0.scan_scope",
    ],
    [
      "an unknown scan_scope",
      { content_filter_builtins: [{ slug: "email", action: "block", scan_scope: "none" }] },
      "content_filter_builtins.0.scan_scope",
    ],
    ...PERSONAL_DATA_BUILTINS.map((slug): [string, object, string] => [
      `flag with ${slug}: personal-data slugs accept only block or redact`,
      { content_filter_builtins: [{ slug, action: "flag" }] },
      "content_filter_builtins.0.action",
    ]),
    ["an empty pattern", { content_filters: [{ pattern: "", action: "block" }] }, "content_filters.0.pattern"],
    [
      "a pattern over 10,000 characters",
      { content_filters: [{ pattern: "x".repeat(10_001), action: "block" }] },
      "content_filters.0.pattern",
    ],
    [
      "a label over 100 characters",
      { content_filters: [{ pattern: "x", label: "x".repeat(101), action: "block" }] },
      "content_filters.0.label",
    ],
    ["a check without a name", { external_checks: [{ ...CHECK, name: " " }] }, "external_checks.0.name"],
    ["a check's name twice", { external_checks: [CHECK, CHECK] }, "external_checks.1.name"],
    ["a check with another scheme", { external_checks: [{ ...CHECK, url: "ftp://x" }] }, "external_checks.0.url"],
    ["a check with credentials", { external_checks: [{ ...CHECK, url: "https://a:b@x/" }] }, "external_checks.0.url"],
    ["a check with another format", { external_checks: [{ ...CHECK, format: "x" }] }, "external_checks.0.format"],
    ["a check of an unknown scope", { external_checks: [{ ...CHECK, scope: "answer" }] }, "external_checks.0.scope"],
    ["a check's deadline", { external_checks: [{ ...CHECK, timeout_ms: 30_001 }] }, "external_checks.0.timeout_ms"],
    ["a check's signing secret", { external_checks: [{ ...CHECK, secret: "password" }] }, "external_checks.0.secret"],
    [
      "a secret with spaces",
      { external_checks: [{ ...CHECK, format: "litellm", secret: "with a space" }] },
      "external_checks.0.secret",
    ],
    ["an unknown field of a check", { external_checks: [{ ...CHECK, headers: {} }] }, "external_checks.0"],
    [
      "six checks",
      { external_checks: Array.from({ length: 6 }, (_, index) => ({ ...CHECK, name: String(index) })) },
      "external_checks",
    ],
    ["a judge without a rule", { judges: [{ ...JUDGE, instructions: "" }] }, "judges.0.instructions"],
    ["a preset as judge", { judges: [{ ...JUDGE, model: "@preset/x" }] }, "judges.0.model"],
    ["a judge that redacts", { judges: [{ ...JUDGE, action: "redact" }] }, "judges.0.action"],
    ["a judge's threshold", { judges: [{ ...JUDGE, threshold: 0 }] }, "judges.0.threshold"],
    ["a judge's name twice", { judges: [JUDGE, JUDGE] }, "judges"],
    ["an unknown action", { content_filters: [{ pattern: "x", action: "warn" }] }, "content_filters.0.action"],
    [
      "an unknown field of a filter",
      { content_filters: [{ pattern: "x", action: "block", flags: "i" }] },
      "content_filters.0",
    ],
    [
      "over 100 custom filters",
      { content_filters: Array.from({ length: 101 }, () => ({ pattern: "x", action: "flag" })) },
      "content_filters",
    ],
    ["a workspace_id that isn't a UUID", { workspace_id: "w" }, "workspace_id"],
    ["a vendor switch that isn't a boolean", { enforce_zdr_anthropic: "yes" }, "enforce_zdr_anthropic"],
    ["an unknown field", { budget: 5 }, ""],
  ])("rejects %s", (_, body, path) => expect(issuesOf(body)).toEqual([path]));

  it("reports every problem at once", () => {
    expect(issuesOf({ limit_usd: -1, reset_interval: "yearly", bogus: 1 }).sort()).toEqual([
      "",
      "limit_usd",
      "reset_interval",
    ]);
  });

  it("accepts any subset on update, except workspace_id", () => {
    expect(UpdateGuardrailBody.safeParse({}).success).toBe(true);
    expect(UpdateGuardrailBody.safeParse({ content_filters: null, content_filter_builtins: null }).success).toBe(true);
    expect(UpdateGuardrailBody.safeParse({ workspace_id: "0df9e665-d932-5740-b2c7-b52af166bc11" }).success).toBe(false);
  });

  it("accepts 1 to 1000 key hashes", () => {
    const hashes = (length: number) =>
      KeyHashesBody.safeParse({ key_hashes: Array.from({ length }, (_, i) => `${i}`) }).success;
    expect([0, 1, 1000, 1001].map(hashes)).toEqual([false, true, true, false]);
  });
});
