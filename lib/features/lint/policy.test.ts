import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exception } from "../exceptions/contract";
import { UNRESTRICTED } from "../policy-check/draft-policy";
import { endpointOf } from "../../testing/endpoints";
import { layerOf } from "../../testing/layers";
import { LINT_CODES, type LintFinding } from "./contract";
import { lint, type LintFacts } from "./policy";

type Fields = Partial<LintFacts["guardrail"]>;

const endpoints = [
  endpointOf({ model: { slug: "openai/gpt", canonicalSlug: "openai/gpt-2026" }, provider: { slug: "openai" } }),
  endpointOf({ model: { slug: "meta/llama" }, provider: { slug: "groq", zdr: true } }),
  endpointOf({ model: { slug: "meta/llama" }, provider: { slug: "together" } }),
];

const factsOf = (fields: Fields, facts: Partial<LintFacts> = {}): LintFacts => ({
  guardrail: { ...UNRESTRICTED, ...fields },
  endpoints,
  models: endpoints.map(({ model }) => model),
  providers: ["openai", "groq", "together"],
  companions: [],
  assigned: { keys: 1, members: 0, isDefault: false },
  busiest: null,
  presets: [],
  exceptions: [],
  zdrVendors: ["anthropic", "openai", "google"],
  ...facts,
});

const custom = (pattern: string, action: "block" | "redact" | "flag" = "redact") => ({ pattern, action });
const codes = (findings: readonly LintFinding[]) => findings.map(({ code, severity }) => `${severity} ${code}`);
const withDefault = (fields: Fields) => ({
  companions: [{ layer: layerOf({ name: "House rules", ...fields }), role: "the default of the workspace" }],
});

const excepted = (fields: Partial<Exception>): Exception => ({
  id: "e",
  kind: "lift_rule",
  status: "active",
  key_hash: null,
  key_name: null,
  user_id: null,
  user_name: null,
  guardrail_id: "g",
  guardrail_name: "G",
  field: null,
  rule: null,
  raise_usd: null,
  phrase: null,
  reason: "r",
  created_by: null,
  created_by_name: null,
  created_at: "2026-11-20T10:00:00.000Z",
  expires_at: "2026-11-21T10:00:00.000Z",
  ended_at: null,
  ...fields,
});

/** What is wrong, what is found, the field and its fix. */
const CASES: [string, Fields, Partial<LintFacts>, string[], Partial<LintFinding>?][] = [
  ["nothing", { allowed_models: ["openai/gpt"], limit_usd: 5, reset_interval: "daily" }, {}, []],
  [
    "exceptions that hold, and one of a rule that is gone",
    { limit_usd: 5, reset_interval: "daily" },
    {
      exceptions: [
        excepted({ kind: "raise_limit", key_name: "nightly" }),
        excepted({ kind: "lift_rule", field: "content_filter_builtins", rule: "email", user_name: "Ada" }),
      ],
    },
    ["warning exception_without_effect", "info active_exceptions"],
    { path: ["content_filter_builtins"] },
  ],
  [
    "a model allowed and ignored",
    { allowed_models: ["OpenAI/GPT", "meta/llama"], ignored_models: ["openai/gpt-2026"] },
    {},
    ["warning allowed_and_ignored"],
    { path: ["allowed_models"], fix: { path: "allowed_models", value: ["meta/llama"] } },
  ],
  [
    "the only model allowed and ignored: shortening the list would allow everything",
    { allowed_models: ["openai/gpt"], ignored_models: ["openai/gpt", "meta/llama"] },
    {},
    ["error allowed_and_ignored"],
    { fix: { path: "ignored_models", value: ["meta/llama"] } },
  ],
  [
    "a provider allowed and ignored",
    { allowed_providers: ["openai", "groq"], ignored_providers: ["Groq"] },
    {},
    ["warning allowed_and_ignored"],
    { path: ["allowed_providers"], fix: { path: "allowed_providers", value: ["openai"] } },
  ],
  [
    "an unknown model",
    { allowed_models: ["openai/gpt", "openai/gtp"] },
    {},
    ["warning unknown_model"],
    { fix: { path: "allowed_models", value: ["openai/gpt"] } },
  ],
  [
    "only unknown models",
    { allowed_models: ["openai/gtp"] },
    {},
    ["error no_endpoint", "warning unknown_model"],
    { path: ["allowed_models"] },
  ],
  ["a model known by its canonical slug alone", { allowed_models: ["openai/gpt-2026"] }, {}, []],
  ["known providers, written otherwise", { allowed_providers: ["OpenAI"], ignored_providers: ["Groq"] }, {}, []],
  ["a model allowed, another ignored", { allowed_models: ["openai/gpt"], ignored_models: ["meta/llama"] }, {}, []],
  ["a provider for the model", { allowed_models: ["openai/gpt"], allowed_providers: ["openai"] }, {}, []],
  [
    "an unknown ignored provider",
    { ignored_providers: ["azur"] },
    {},
    ["warning unknown_provider"],
    { fix: { path: "ignored_providers", value: [] } },
  ],
  [
    "no provider for the model",
    { allowed_models: ["openai/gpt"], allowed_providers: ["groq"] },
    {},
    ["error no_endpoint"],
  ],
  [
    "zero data retention without an endpoint for an allowed model",
    { allowed_models: ["openai/gpt", "meta/llama"], enforce_zdr_vendor_b: true },
    {},
    ["warning zdr_without_endpoint"],
    { path: ["allowed_models"], fix: { path: "allowed_models", value: ["meta/llama"] } },
  ],
  [
    "zero data retention without any endpoint",
    { allowed_models: ["openai/gpt"], enforce_zdr_vendor_b: true },
    {},
    ["error zdr_without_endpoint"],
  ],
  [
    "zero data retention without an endpoint for some model",
    { enforce_zdr_vendor_b: true },
    {},
    ["info zdr_without_endpoint"],
    { path: ["enforce_zdr_vendor_b"] },
  ],
  [
    "zero data retention that another endpoint of the model keeps",
    { allowed_models: ["meta/llama"], enforce_zdr_other: true },
    {},
    [],
  ],
  [
    "no model in common with the default",
    { allowed_models: ["openai/gpt"] },
    withDefault({ allowed_models: ["meta/llama"] }),
    ["error empty_intersection"],
    { path: ["allowed_models"] },
  ],
  [
    "a model in common under its other name",
    { allowed_models: ["openai/gpt"] },
    withDefault({ allowed_models: ["openai/gpt-2026"] }),
    [],
  ],
  [
    "no provider in common with the default",
    { allowed_providers: ["openai"] },
    withDefault({ allowed_providers: ["groq"] }),
    ["error empty_intersection"],
    { path: ["allowed_providers"] },
  ],
  [
    "nothing left under the default's zero data retention",
    { allowed_models: ["openai/gpt"] },
    withDefault({ enforce_zdr_vendor_b: true }),
    ["error empty_intersection"],
    { path: [] },
  ],
  [
    "a pattern that matches nothing at all",
    { content_filters: [custom("[0-9]*")] },
    {},
    ["warning pattern_matches_empty"],
    { path: ["content_filters", 0, "pattern"], fix: { path: "content_filters", value: [custom("[0-9]+")] } },
  ],
  [
    "a pattern that only matches nothing at all",
    { content_filters: [custom("^$"), custom("KEY")] },
    {},
    ["warning pattern_matches_empty"],
    { fix: { path: "content_filters", value: [custom("KEY")] } },
  ],
  [
    "a pattern that may match nothing in two ways: only said",
    { content_filters: [custom("[0-9]*|x*")] },
    {},
    ["warning pattern_matches_empty"],
  ],
  ["a pattern whose every match is a text", { content_filters: [custom("[0-9]+")] }, {}, []],
  ["a pattern that ends in a star that is a sign", { content_filters: [custom("\\*")] }, {}, []],
  [
    "a pattern that matches everything",
    { content_filters: [custom("."), custom("KEY")] },
    {},
    ["warning pattern_matches_everything"],
    { fix: { path: "content_filters", value: [custom("KEY")] } },
  ],
  [
    "a pattern that blocks everything",
    { content_filters: [custom("(?s).+", "block")] },
    {},
    ["error pattern_matches_everything"],
  ],
  ["a pattern that matches every word, but not every sign", { content_filters: [custom("[a-zA-Z]+")] }, {}, []],
  ["patterns that differ", { content_filters: [custom("KEY"), custom("LOCKS?")] }, {}, []],
  [
    "the same pattern twice",
    { content_filters: [custom("KEY"), custom("KEY")] },
    {},
    ["warning duplicate_pattern"],
    { path: ["content_filters", 1, "pattern"] },
  ],
  [
    "the same pattern, the stricter one last",
    { content_filters: [custom("KEY", "flag"), custom("KEY", "block")] },
    {},
    ["warning duplicate_pattern"],
    { fix: { path: "content_filters", value: [custom("KEY", "block")] } },
  ],
  [
    "words that another filter blocks already",
    { content_filters: [custom("secret", "block"), custom("secretkey", "redact")] },
    {},
    ["warning shadowed_pattern"],
    { path: ["content_filters", 1, "pattern"] },
  ],
  [
    "words that another filter redacts whole",
    { content_filters: [custom("PROJ-123"), custom("[A-Z]+-[0-9]+")] },
    {},
    ["warning shadowed_pattern"],
    { path: ["content_filters", 0, "pattern"] },
  ],
  [
    "words that another filter only redacts in part",
    { content_filters: [custom("secret"), custom("secretkey")] },
    {},
    [],
  ],
  [
    "words that a milder filter finds",
    { content_filters: [custom("PROJ-123", "block"), custom("[A-Z]+-[0-9]+")] },
    {},
    [],
  ],
  [
    "words that another filter finds only where they stand alone",
    { content_filters: [custom("^PROJ$", "block"), custom("PROJ")] },
    {},
    [],
  ],
  [
    "a pattern that a builtin repeats",
    { content_filters: [custom("[a-z.]+@[a-z.]+")], content_filter_builtins: [{ slug: "email", action: "redact" }] },
    {},
    ["info builtin_duplicate"],
    { fix: { path: "content_filters", value: [] } },
  ],
  ["a pattern that a builtin would repeat, were it on", { content_filters: [custom("[a-z.]+@[a-z.]+")] }, {}, []],
  [
    "a stricter pattern that a milder builtin repeats: only said",
    {
      content_filters: [custom("[a-z.]+@[a-z.]+", "block")],
      content_filter_builtins: [{ slug: "email", action: "redact" }],
    },
    {},
    ["info builtin_duplicate"],
  ],
  [
    "an interval without a limit",
    { reset_interval: "daily" },
    {},
    ["warning interval_without_limit"],
    { fix: { path: "reset_interval", value: null } },
  ],
  ["a limit and its interval", { limit_usd: 0, reset_interval: "daily" }, {}, []],
  ["neither", { limit_usd: null, reset_interval: null }, {}, []],
  [
    "a limit without an interval",
    { limit_usd: 5 },
    {},
    ["info limit_without_interval"],
    { fix: { path: "reset_interval", value: "monthly" } },
  ],
  [
    "a limit that an average day exceeds",
    { limit_usd: 5, reset_interval: "monthly" },
    { busiest: { name: "Key “CI”", usdPerDay: 7.2 } },
    ["warning budget_below_average_day"],
    { fix: { path: "limit_usd", value: 8 } },
  ],
  [
    "a limit that an average day reaches",
    { limit_usd: 5, reset_interval: "daily" },
    { busiest: { name: "Key “CI”", usdPerDay: 5 } },
    [],
  ],
  [
    "assigned to nothing",
    {},
    { assigned: { keys: 0, members: 0, isDefault: false } },
    ["warning assigned_to_nothing"],
    { path: [] },
  ],
  ["assigned to one member", {}, { assigned: { keys: 0, members: 1, isDefault: false } }, []],
  ["a default that is assigned to nothing else", {}, { assigned: { keys: 0, members: 0, isDefault: true } }, []],
  ["a draft", {}, { assigned: null }, []],
];

describe("finds", () => {
  it.each(CASES)("%s", (_, fields, facts, expected, detail) => {
    const findings = lint(factsOf(fields, facts));
    expect(codes(findings)).toEqual(expected);
    if (detail) expect(findings[0]).toMatchObject(detail);
  });

  it("every code that it declares, but for those of presets, which come as they are", () => {
    const found = new Set(CASES.flatMap(([, fields, facts]) => lint(factsOf(fields, facts)).map(({ code }) => code)));
    expect([...found].sort()).toEqual(LINT_CODES.filter((code) => !code.startsWith("preset_")).sort());
  });
});

it("offers fixes that settle what they fix, add no error, and never widen a list to everything", () => {
  for (const [name, fields, facts] of CASES) {
    const findings = lint(factsOf(fields, facts));
    const errors = findings.filter(({ severity }) => severity === "error").length;
    for (const { code, path, fix } of findings) {
      if (!fix) continue;
      const after = lint(factsOf({ ...fields, [fix.path]: fix.value }, facts));
      expect(
        after.some((other) => other.code === code && String(other.path) === String(path)),
        `${name}: ${code}`,
      ).toBe(false);
      expect(after.filter(({ severity }) => severity === "error").length, `${name}: ${code}`).toBeLessThanOrEqual(
        errors,
      );
      if (fix.path.startsWith("allowed")) expect(fix.value, name).not.toEqual([]);
    }
  }
});

it("is settled by applying fixes, whatever a guardrail says", () => {
  const some = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1 }), { nil: null });
  const models = ["openai/gpt", "openai/gpt-2026", "meta/llama", "unknown/one", "unknown/two"];
  const drafts = fc.record({
    allowed_models: some(models),
    ignored_models: some(models),
    allowed_providers: some(["openai", "groq", "together", "azur"]),
    ignored_providers: some(["openai", "groq", "azur"]),
    content_filters: some([
      custom("[0-9]*"),
      custom("KEY"),
      custom("KEY", "block"),
      custom("."),
      custom("[A-Z]+", "block"),
      custom("[a-z.]+@[a-z.]+"),
    ]),
    content_filter_builtins: fc
      .boolean()
      .map((isOn): Fields["content_filter_builtins"] => (isOn ? [{ slug: "email", action: "block" }] : null)),
    limit_usd: fc.constantFrom(null, 0, 5),
    reset_interval: fc.constantFrom(null, "daily" as const),
    enforce_zdr_vendor_b: fc.boolean(),
  });
  fc.assert(
    fc.property(drafts, (draft) => {
      let fields: Fields = draft;
      for (let step = 0; step < 30; step += 1) {
        const fix = lint(factsOf(fields, { busiest: { name: "Key “CI”", usdPerDay: 3 } })).find(
          (finding) => finding.fix,
        )?.fix;
        if (!fix) return;
        fields = { ...fields, [fix.path]: fix.value };
      }
      throw new Error(`fixes never end: ${JSON.stringify(fields)}`);
    }),
  );
});
