import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Exception } from "../../records/exceptions/contract";
import { DATA_REGIONS } from "../../engine/vocabulary";
import { UNRESTRICTED } from "../../records/guardrails/draft";
import { endpointOf } from "../../testing/endpoints";
import { layerOf } from "../../testing/layers";
import { LINT_CODES, type LintFinding } from "./contract";
import { lint, type LintFacts } from "./lint";

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
  duplicates: [],
  allowPrivate: false,
  allowsUnpriced: false,
  exceptions: [],
  zdrVendors: ["anthropic", "openai", "google"],
  ...facts,
});

const custom = (pattern: string, action: "block" | "redact" | "flag" = "redact") => ({ pattern, action });
const codes = (findings: readonly LintFinding[]) => findings.map(({ code, severity }) => `${severity} ${code}`);
const withDefault = (fields: Fields) => ({
  companions: [{ layer: layerOf({ name: "House rules", ...fields }), role: "the default of the workspace" }],
});

/** The endpoint of openai/gpt is in Europe; the endpoints of meta/llama are anywhere. */
const inEurope = {
  endpoints: endpoints.map((endpoint): (typeof endpoints)[number] =>
    endpoint.model.slug === "openai/gpt" ? { ...endpoint, dataRegion: "europe" } : endpoint,
  ),
};

/** openai/gpt exists again, as a separate model at another provider. */
const azure = endpointOf({ model: { slug: "azure/gpt", vendor: "openai" }, provider: { slug: "azure" } });
const duplicated = {
  endpoints: [...endpoints, azure],
  models: [...endpoints, azure].map(({ model }) => model),
  duplicates: [
    {
      model: { ...azure.model, providers: ["azure"] },
      of: { slug: "openai/gpt", canonicalSlug: "openai/gpt-2026", vendor: "openai", providers: ["openai"] },
    },
  ],
};

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

/** Description, fields, changed facts, expected findings, and the fixed field. */
const CASES: [string, Fields, Partial<LintFacts>, string[], Partial<LintFinding>?][] = [
  ["nothing", { allowed_models: ["openai/gpt"], limit_usd: 5, reset_interval: "daily" }, {}, []],
  [
    "active exceptions, and one for a missing rule",
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
    "the only allowed model is ignored: removing it would allow everything",
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
  [
    "a wildcard that matches nothing",
    { allowed_models: ["openai/*", "acme/*"] },
    {},
    ["warning empty_wildcard"],
    { path: ["allowed_models"], fix: { path: "allowed_models", value: ["openai/*"] } },
  ],
  [
    "wildcards of vendors and providers",
    { allowed_models: ["meta/*"], ignored_models: ["openai/*"], allowed_providers: ["groq/*", "together"] },
    {},
    [],
  ],
  [
    "a limit and a model without a known price",
    { limit_usd: 5, reset_interval: "daily" },
    { endpoints: [...endpoints, endpointOf({ model: { slug: "acme/tiny-1" }, prices: null })] },
    ["warning unpriced_model"],
    { path: ["limit_usd"] },
  ],
  [
    "a limit and a model without a known price that another endpoint has",
    { limit_usd: 5, reset_interval: "daily" },
    { endpoints: [...endpoints, endpointOf({ model: { slug: "meta/llama" }, prices: null })] },
    [],
  ],
  [
    "a limit and a model without a known price that the workspace allows",
    { limit_usd: 5, reset_interval: "daily" },
    { endpoints: [endpointOf({ model: { slug: "acme/tiny-1" }, prices: null })], allowsUnpriced: true },
    [],
  ],
  ["a model known by its canonical slug alone", { allowed_models: ["openai/gpt-2026"] }, {}, []],
  ["known providers in another case", { allowed_providers: ["OpenAI"], ignored_providers: ["Groq"] }, {}, []],
  ["a model allowed, another ignored", { allowed_models: ["openai/gpt"], ignored_models: ["meta/llama"] }, {}, []],
  ["a provider of the model", { allowed_models: ["openai/gpt"], allowed_providers: ["openai"] }, {}, []],
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
    "zero data retention without an endpoint of an allowed model",
    { allowed_models: ["openai/gpt", "meta/llama"], enforce_zdr_vendor_b: true },
    {},
    ["warning zdr_without_endpoint"],
    { path: ["allowed_models"], fix: { path: "allowed_models", value: ["meta/llama"] } },
  ],
  [
    "zero data retention of a vendor, and a model whose vendor nobody knows",
    { enforce_zdr_vendor_a: true },
    { endpoints: endpoints.map((endpoint) => ({ ...endpoint, model: { ...endpoint.model, hasVendor: false } })) },
    ["warning unknown_vendor"],
    { path: ["enforce_zdr_other"] },
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
    "zero data retention supported by another endpoint of the model",
    { allowed_models: ["meta/llama"], enforce_zdr_other: true },
    {},
    [],
  ],
  [
    "data regions without an endpoint of an allowed model",
    { allowed_models: ["openai/gpt", "meta/llama"], allowed_data_regions: ["europe"] },
    inEurope,
    ["warning data_region_without_endpoint"],
    { path: ["allowed_models"], fix: { path: "allowed_models", value: ["openai/gpt"] } },
  ],
  [
    "data regions without any endpoint",
    { allowed_data_regions: ["us"] },
    inEurope,
    ["error data_region_without_endpoint"],
    { path: ["allowed_data_regions"] },
  ],
  ["the region of every endpoint", { allowed_data_regions: ["global"] }, {}, []],
  [
    "data regions without an endpoint for some model",
    { allowed_data_regions: ["europe", "us"] },
    inEurope,
    ["info data_region_without_endpoint"],
    { path: ["allowed_data_regions"] },
  ],
  [
    "one model lost by its region, another by zero data retention",
    { allowed_data_regions: ["europe"], enforce_zdr_vendor_b: true },
    inEurope,
    ["error data_region_without_endpoint", "error zdr_without_endpoint"],
  ],
  [
    "no data region in common with the default",
    { allowed_data_regions: ["europe"] },
    { ...inEurope, ...withDefault({ allowed_data_regions: ["global", "us"] }) },
    ["error empty_intersection", "info data_region_without_endpoint"],
    { path: ["allowed_data_regions"] },
  ],
  [
    "no model in common with the default",
    { allowed_models: ["openai/gpt"] },
    withDefault({ allowed_models: ["meta/llama"] }),
    ["error empty_intersection"],
    { path: ["allowed_models"] },
  ],
  [
    "a common model under another name",
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
    "no endpoint available with the default's zero data retention",
    { allowed_models: ["openai/gpt"] },
    withDefault({ enforce_zdr_vendor_b: true }),
    ["error empty_intersection"],
    { path: [] },
  ],
  [
    "a pattern that also matches the empty string",
    { content_filters: [custom("[0-9]*")] },
    {},
    ["warning pattern_matches_empty"],
    { path: ["content_filters", 0, "pattern"], fix: { path: "content_filters", value: [custom("[0-9]+")] } },
  ],
  [
    "a pattern that only matches the empty string",
    { content_filters: [custom("^$"), custom("KEY")] },
    {},
    ["warning pattern_matches_empty"],
    { fix: { path: "content_filters", value: [custom("KEY")] } },
  ],
  [
    "a pattern that matches the empty string in two ways: no fix",
    { content_filters: [custom("[0-9]*|x*")] },
    {},
    ["warning pattern_matches_empty"],
  ],
  ["a pattern whose every match is a text", { content_filters: [custom("[0-9]+")] }, {}, []],
  ["a pattern that ends with a literal star", { content_filters: [custom("\\*")] }, {}, []],
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
  ["a pattern that matches every word, but not every character", { content_filters: [custom("[a-zA-Z]+")] }, {}, []],
  ["patterns that differ", { content_filters: [custom("KEY"), custom("LOCKS?")] }, {}, []],
  [
    "the same pattern twice",
    { content_filters: [custom("KEY"), custom("KEY")] },
    {},
    ["warning duplicate_pattern"],
    { path: ["content_filters", 1, "pattern"] },
  ],
  [
    "the same pattern, the stricter action last",
    { content_filters: [custom("KEY", "flag"), custom("KEY", "block")] },
    {},
    ["warning duplicate_pattern"],
    { fix: { path: "content_filters", value: [custom("KEY", "block")] } },
  ],
  [
    "a judge whose model is in the catalogue",
    { judges: [{ name: "j", model: "openai/gpt-2026", instructions: "x", action: "block" }] },
    {},
    [],
  ],
  [
    "a judge whose model isn't",
    { judges: [{ name: "j", model: "openai/gone", instructions: "x", action: "flag" }] },
    {},
    ["error unknown_model"],
    { path: ["judges", 0, "model"] },
  ],
  [
    "an external check on an allowed address, with a secret",
    { external_checks: [{ name: "c", url: "https://checks.example/", has_secret: true }] },
    {},
    [],
  ],
  [
    "an external check on a private address",
    { external_checks: [{ name: "c", url: "http://127.0.0.1/", has_secret: true }] },
    {},
    ["error check_address_not_allowed"],
    { path: ["external_checks", 0, "url"] },
  ],
  [
    "an external check on a private address that the install allows",
    { external_checks: [{ name: "c", url: "http://127.0.0.1/", has_secret: true }] },
    { allowPrivate: true },
    [],
  ],
  [
    "an external check without a secret",
    { external_checks: [{ name: "c", url: "https://checks.example/" }] },
    {},
    ["warning check_without_secret"],
    { path: ["external_checks", 0, "secret"] },
  ],
  [
    "an external check with a long deadline",
    { external_checks: [{ name: "c", url: "https://checks.example/", has_secret: true, timeout_ms: 20_000 }] },
    {},
    ["warning check_deadline_long"],
    { path: ["external_checks", 0, "timeout_ms"] },
  ],
  [
    "words already blocked by another filter",
    { content_filters: [custom("secret", "block"), custom("secretkey", "redact")] },
    {},
    ["warning shadowed_pattern"],
    { path: ["content_filters", 1, "pattern"] },
  ],
  [
    "words completely redacted by another filter",
    { content_filters: [custom("PROJ-123"), custom("[A-Z]+-[0-9]+")] },
    {},
    ["warning shadowed_pattern"],
    { path: ["content_filters", 0, "pattern"] },
  ],
  ["words partly redacted by another filter", { content_filters: [custom("secret"), custom("secretkey")] }, {}, []],
  [
    "words covered by a filter with a weaker action",
    { content_filters: [custom("PROJ-123", "block"), custom("[A-Z]+-[0-9]+")] },
    {},
    [],
  ],
  [
    "words covered by another filter only as separate words",
    { content_filters: [custom("^PROJ$", "block"), custom("PROJ")] },
    {},
    [],
  ],
  [
    "a pattern duplicated by a builtin",
    { content_filters: [custom("[a-z.]+@[a-z.]+")], content_filter_builtins: [{ slug: "email", action: "redact" }] },
    {},
    ["info builtin_duplicate"],
    { fix: { path: "content_filters", value: [] } },
  ],
  ["a pattern duplicated by a builtin that is off", { content_filters: [custom("[a-z.]+@[a-z.]+")] }, {}, []],
  [
    "a stricter pattern duplicated by a weaker builtin: no fix",
    {
      content_filters: [custom("[a-z.]+@[a-z.]+", "block")],
      content_filter_builtins: [{ slug: "email", action: "redact" }],
    },
    {},
    ["info builtin_duplicate"],
  ],
  [
    "a filter of answers that holds streams back",
    {
      content_filters: [
        { ...custom("PROJ-[0-9]+"), scope: "both" },
        { ...custom("PROJ-[0-9]{1,9}x"), scope: "response" },
        custom("TASK-[0-9]+"),
      ],
      content_filter_builtins: [{ slug: "regex-prompt-injection", action: "block", scope: "response" }],
    },
    {},
    ["info response_held_back", "info response_held_back"],
    { path: ["content_filter_builtins", 0] },
  ],
  [
    "the same pattern for requests and for answers",
    { content_filters: [custom("PROJ"), { ...custom("PROJ"), scope: "response" }] },
    {},
    [],
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
    "a limit below an average day's spend",
    { limit_usd: 5, reset_interval: "monthly" },
    { busiest: { name: "Key “CI”", usdPerDay: 7.2 } },
    ["warning budget_below_average_day"],
    { fix: { path: "limit_usd", value: 8 } },
  ],
  [
    "a limit equal to an average day's spend",
    { limit_usd: 5, reset_interval: "daily" },
    { busiest: { name: "Key “CI”", usdPerDay: 5 } },
    [],
  ],
  [
    "a blocked model whose duplicate isn't blocked",
    { ignored_models: ["openai/gpt"] },
    duplicated,
    ["warning duplicate_model"],
    { path: ["ignored_models"], fix: { path: "ignored_models", value: ["openai/gpt", "azure/gpt"] } },
  ],
  [
    "a blocked model whose duplicate is allowed by name: no fix",
    { allowed_models: ["azure/gpt", "meta/llama"], ignored_models: ["openai/gpt"] },
    duplicated,
    ["warning duplicate_model"],
    expect.not.objectContaining({ fix: expect.anything() as object }) as object,
  ],
  [
    "an allowed model whose duplicate isn't allowed",
    { allowed_models: ["azure/gpt"] },
    duplicated,
    ["info duplicate_model"],
    { path: ["allowed_models"], message: expect.stringContaining("allowed one: openai/gpt.") as string },
  ],
  ["a wildcard that covers duplicates", { allowed_models: ["openai/*"] }, duplicated, []],
  ["a list with neither of two duplicates", { ignored_models: ["meta/llama"] }, duplicated, []],
  ["a list with both duplicates", { ignored_models: ["openai/gpt", "azure/gpt"] }, duplicated, []],
  [
    "without assignments",
    {},
    { assigned: { keys: 0, members: 0, isDefault: false } },
    ["warning assigned_to_nothing"],
    { path: [] },
  ],
  ["assigned to one member", {}, { assigned: { keys: 0, members: 1, isDefault: false } }, []],
  ["a default without other assignments", {}, { assigned: { keys: 0, members: 0, isDefault: true } }, []],
  ["a draft", {}, { assigned: null }, []],
  [
    "a guardrail that only observes",
    { mode: "observe" },
    {},
    ["info only_observes"],
    { path: ["mode"], fix: { path: "mode", value: "enforce" } },
  ],
];

describe("finds", () => {
  it.each(CASES)("%s", (_, fields, facts, expected, detail) => {
    const findings = lint(factsOf(fields, facts));
    expect(codes(findings)).toEqual(expected);
    if (detail) expect(findings[0]).toMatchObject(detail);
  });

  it("every declared code, except those of presets, which pass through", () => {
    const found = new Set(CASES.flatMap(([, fields, facts]) => lint(factsOf(fields, facts)).map(({ code }) => code)));
    expect([...found].sort()).toEqual(LINT_CODES.filter((code) => !code.startsWith("preset_")).sort());
  });
});

it("suggests fixes that resolve their finding, add no error, and never make a list unrestricted", () => {
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

it("has no findings left after applying all fixes, for any guardrail", () => {
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
    allowed_data_regions: some(DATA_REGIONS),
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
