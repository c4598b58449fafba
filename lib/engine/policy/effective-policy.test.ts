import { describe, expect, it } from "vitest";
import { layerOf } from "../../testing/layers";
import { effectiveFields } from "./effective-policy";
import type { Layer } from "./layers";

type Fields = Partial<Layer["guardrail"]>;
type ListField =
  | "allowed_models"
  | "ignored_models"
  | "allowed_providers"
  | "ignored_providers"
  | "allowed_data_regions";

/** Treats `a/b-2026` as the canonical slug of `a/b`. */
const identity = (name: string) => name.toLowerCase().replace(/-2026$/, "");
const under = (...[workspace, member, key]: Fields[]) =>
  effectiveFields([layerOf(workspace, "workspace"), layerOf(member, "member"), layerOf(key, "key")], identity);

describe("effectiveFields", () => {
  it.each<[rule: string, field: ListField, lists: (string[] | null)[], value: string[] | null, from: string[]]>([
    ["without lists everything is allowed", "allowed_models", [null, [], null], null, []],
    ["a single list is the result", "allowed_models", [null, ["a/b"], []], ["a/b"], ["member"]],
    [
      "allow lists intersect",
      "allowed_models",
      [
        ["a/b", "c/d", "e/f"],
        ["e/f", "c/d"],
        ["c/d", "e/f", "x/y"],
      ],
      ["c/d", "e/f"],
      ["workspace", "member", "key"],
    ],
    [
      "slug and canonical slug are the same model",
      "allowed_models",
      [["a/b", "c/d"], ["a/b-2026"], null],
      ["a/b"],
      ["workspace", "member"],
    ],
    ["disjoint lists allow nothing", "allowed_providers", [["a"], null, ["b"]], [], ["workspace", "key"]],
    [
      "providers are case-insensitive",
      "allowed_providers",
      [["OpenAI"], ["openai"], null],
      ["OpenAI"],
      ["workspace", "member"],
    ],
    [
      "data regions intersect",
      "allowed_data_regions",
      [["europe", "us"], [], ["us", "global"]],
      ["us"],
      ["workspace", "key"],
    ],
    ["without lists nothing is blocked", "ignored_models", [null, [], null], [], []],
    ["block lists unite", "ignored_models", [["a/b"], null, ["c/d", "a/b-2026"]], ["a/b", "c/d"], ["workspace", "key"]],
    ["provider block lists unite", "ignored_providers", [["a"], ["b", "A"], null], ["a", "b"], ["workspace", "member"]],
  ])("%s", (_rule, field, lists, value, from) => {
    const result = under(...lists.map((list) => ({ [field]: list })))[field];
    expect([result.value, result.sources.map(({ scope }) => scope)]).toEqual([value, from]);
  });

  it("enforces ZDR when any layer does, per vendor", () => {
    const fields = under(
      { enforce_zdr_vendor_a: true, enforce_zdr_other: false },
      { enforce_zdr_vendor_a: false },
      { enforce_zdr_vendor_a: true, enforce_zdr_vendor_c: true },
    );
    const inWords = (
      ["enforce_zdr_vendor_a", "enforce_zdr_vendor_b", "enforce_zdr_vendor_c", "enforce_zdr_other"] as const
    ).map((field) => `${fields[field].value} ${fields[field].sources.map(({ scope }) => scope).join()}`);
    expect(inWords).toEqual(["true workspace,key", "false ", "true key", "false "]);
  });

  it("lists every filter in force with its sources", () => {
    const fields = under(
      {
        content_filter_builtins: [{ slug: "email", action: "redact" }],
        content_filters: [{ pattern: "x", action: "redact", label: "[X]" }],
      },
      { content_filter_builtins: [{ slug: "email", action: "block", scan_scope: "user_only" }] },
      { content_filters: [{ pattern: "x", action: "block" }] },
    );
    const source = (scope: string) => ({
      scope,
      guardrail_id: `guardrail-${scope}`,
      guardrail_name: `Guardrail of the ${scope}`,
      revision: 1,
    });
    expect(fields.content_filter_builtins).toEqual([
      { slug: "email", action: "redact", scan_scope: "all_messages", label: "[EMAIL]", sources: [source("workspace")] },
      { slug: "email", action: "block", scan_scope: "user_only", label: "[EMAIL]", sources: [source("member")] },
    ]);
    expect(fields.content_filters).toEqual([
      { pattern: "x", action: "block", label: "[BLOCKED]", sources: [source("key")] },
    ]);
  });
});
