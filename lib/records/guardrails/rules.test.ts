import { describe, expect, it } from "vitest";
import { guardrailChanges, guardrailIssues, withLabels } from "./rules";
import { zdrSwitches } from "../../engine/policy/zdr";

const VENDORS = ["anthropic", "openai", "google"] as const;
const codes = (body: Record<string, unknown>) =>
  guardrailIssues(body, VENDORS).map(({ path, code }) => `${path.join(".")} ${code}`);

describe("zdrSwitches", () => {
  it.each<[rule: string, body: Record<string, unknown>, expected: object]>([
    ["an empty input sets nothing", {}, {}],
    [
      "a missing switch takes enforce_zdr",
      { enforce_zdr: true, enforce_zdr_vendor_b: false },
      { enforce_zdr_vendor_a: true, enforce_zdr_vendor_b: false, enforce_zdr_vendor_c: true, enforce_zdr_other: true },
    ],
    [
      "enforce_zdr null clears missing switches",
      { enforce_zdr: null, enforce_zdr_other: true },
      { enforce_zdr_vendor_a: null, enforce_zdr_vendor_b: null, enforce_zdr_vendor_c: null, enforce_zdr_other: true },
    ],
    [
      "without enforce_zdr only the given switch is set",
      { enforce_zdr_vendor_c: true },
      { enforce_zdr_vendor_c: true },
    ],
    ["the alias sets the same switch", { enforce_zdr_openai: true }, { enforce_zdr_vendor_b: true }],
    [
      "a switch set to null counts as given",
      { enforce_zdr: true, enforce_zdr_vendor_a: null, enforce_zdr_google: null },
      { enforce_zdr_vendor_a: null, enforce_zdr_vendor_b: true, enforce_zdr_vendor_c: null, enforce_zdr_other: true },
    ],
  ])("%s", (_, body, expected) => expect(zdrSwitches(body, VENDORS)).toEqual(expected));
});

describe("guardrailIssues", () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ["an alias with an equal value is accepted", { enforce_zdr_vendor_a: true, enforce_zdr_anthropic: true }, []],
    [
      "an alias with a different value conflicts",
      { enforce_zdr_vendor_a: true, enforce_zdr_anthropic: false },
      ["enforce_zdr_anthropic conflicting_fields"],
    ],
    [
      "null and true conflict",
      { enforce_zdr_vendor_a: null, enforce_zdr_anthropic: true },
      ["enforce_zdr_anthropic conflicting_fields"],
    ],
    [
      "an alias of an unconfigured vendor is an unknown field",
      { enforce_zdr_xai: true },
      ["enforce_zdr_xai unrecognized_keys"],
    ],
    [
      "every invalid pattern is reported",
      { content_filters: [{ pattern: "(" }, { pattern: "ok" }, { pattern: "(?=a)" }] },
      ["content_filters.0.pattern invalid_regex_pattern", "content_filters.2.pattern invalid_regex_pattern"],
    ],
    ["an invalid filter is left to the schema", { content_filters: [null, 1, { pattern: 2 }] }, []],
    ["an invalid list is left to the schema", { content_filters: "x" }, []],
  ])("%s", (_, body, expected) => expect(codes(body)).toEqual(expected));
});

describe("guardrailChanges", () => {
  it("removes duplicates from a list and keeps its order", () => {
    expect(guardrailChanges({ allowed_models: ["b", "a", "b"] }, VENDORS).allowed_models).toEqual(["b", "a"]);
  });

  it("distinguishes null, an empty list and a missing field", () => {
    const changes = guardrailChanges({ allowed_models: [], ignored_models: null }, VENDORS);
    expect([changes.allowed_models, changes.ignored_models, changes.allowed_providers]).toEqual([[], null, undefined]);
  });

  it("doesn't store a builtin's read-only label, and returns it", () => {
    const { content_filter_builtins } = guardrailChanges(
      { content_filter_builtins: [{ slug: "email", action: "redact", label: "[X]" }] },
      VENDORS,
    );
    expect(content_filter_builtins).toEqual([{ slug: "email", action: "redact" }]);
    expect(withLabels(content_filter_builtins ?? null)).toEqual([
      { slug: "email", action: "redact", scan_scope: "all_messages", label: "[EMAIL]" },
    ]);
  });
});
