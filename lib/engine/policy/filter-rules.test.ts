import { describe, expect, it } from "vitest";
import type { BuiltinFilter, CustomFilter } from "../filters/contract";
import { layerOf } from "../../testing/layers";
import { filterRules } from "./filter-rules";
import type { LayerScope } from "./layers";

const builtin = (scope: LayerScope, ...filters: BuiltinFilter[]) =>
  layerOf({ content_filter_builtins: filters }, scope);
const custom = (scope: LayerScope, ...filters: CustomFilter[]) => layerOf({ content_filters: filters }, scope);

/** Formats rules as `block email (user) [label] by workspace+key`. */
const inWords = (layers: Parameters<typeof filterRules>[0]) =>
  filterRules(layers).map(({ action, detector, scanScope, label, sources }) => {
    const what = detector.kind === "builtin" ? detector.slug : `/${detector.pattern}/`;
    return `${action} ${what}${scanScope === "all_messages" ? "" : ` of ${scanScope}`} ${label} by ${sources.map(({ scope }) => scope).join("+")}`;
  });

describe("filterRules", () => {
  it.each<[rule: string, layers: Parameters<typeof filterRules>[0], rules: string[]]>([
    ["no layers, no rules", [], []],
    ["null and empty lists, no rules", [layerOf({ content_filter_builtins: [], content_filters: null })], []],
    [
      "filters of all layers unite",
      [
        builtin("workspace", { slug: "email", action: "redact" }),
        builtin("key", { slug: "ssn", action: "block" }),
        custom("member", { pattern: "a+", action: "flag" }),
      ],
      ["redact email [EMAIL] by workspace", "block ssn [SSN] by key", "flag /a+/ [REDACTED] by member"],
    ],
    [
      "block is stronger than redact on the same entity",
      [builtin("workspace", { slug: "email", action: "redact" }), builtin("key", { slug: "email", action: "block" })],
      ["block email [EMAIL] by key"],
    ],
    [
      "redact is stronger than flag",
      [
        builtin("workspace", { slug: "regex-prompt-injection", action: "flag" }),
        builtin("key", { slug: "regex-prompt-injection", action: "redact" }),
      ],
      ["redact regex-prompt-injection of untrusted [PROMPT_INJECTION] by key"],
    ],
    [
      "every layer that sets the action is a source, broadest first",
      [
        builtin("workspace", { slug: "email", action: "block" }),
        builtin("member", { slug: "email", action: "redact" }),
        builtin("key", { slug: "email", action: "block" }),
      ],
      ["block email [EMAIL] by workspace+key"],
    ],
    [
      "a stronger rule for user messages applies beside a weaker one for all messages",
      [
        builtin("workspace", { slug: "email", action: "block", scan_scope: "user_only" }),
        builtin("key", { slug: "email", action: "redact" }),
      ],
      ["block email of user_only [EMAIL] by workspace", "redact email [EMAIL] by key"],
    ],
    [
      "a rule for user messages is dropped when the rule for all messages is as strong",
      [
        builtin("workspace", { slug: "email", action: "redact", scan_scope: "user_only" }),
        builtin("key", { slug: "email", action: "redact", scan_scope: "all_messages" }),
      ],
      ["redact email [EMAIL] by key"],
    ],
    [
      "prompt injection isn't read for in the application's own texts unless a guardrail says so",
      [builtin("key", { slug: "regex-prompt-injection", action: "block" })],
      ["block regex-prompt-injection of untrusted [PROMPT_INJECTION] by key"],
    ],
    [
      "prompt injection in all messages covers the default of another guardrail that is as strong",
      [
        builtin("workspace", { slug: "regex-prompt-injection", action: "flag" }),
        builtin("key", { slug: "regex-prompt-injection", action: "block", scan_scope: "all_messages" }),
      ],
      ["block regex-prompt-injection [PROMPT_INJECTION] by key"],
    ],
    [
      "equal patterns are the same entry, with the label of the broadest layer that redacts",
      [
        custom("workspace", { pattern: "x", label: "[FLAG]", action: "flag" }),
        custom("member", { pattern: "x", action: "redact" }),
        custom("key", { pattern: "x", label: "[KEY]", action: "redact" }, { pattern: "X", action: "redact" }),
      ],
      ["redact /x/ [KEY] by member+key", "redact /X/ [REDACTED] by key"],
    ],
    [
      "a label is literal, even when empty",
      [custom("key", { pattern: "x", label: "", action: "redact" })],
      ["redact /x/  by key"],
    ],
    [
      "a block without a label uses a default label",
      [custom("key", { pattern: "x", action: "block" })],
      ["block /x/ [BLOCKED] by key"],
    ],
    [
      "a pattern twice in one guardrail: the stronger action, one source",
      [
        custom(
          "key",
          { pattern: "x", action: "redact" },
          { pattern: "x", action: "block" },
          { pattern: "x", action: "block" },
        ),
      ],
      ["block /x/ [BLOCKED] by key"],
    ],
  ])("%s", (_rule, layers, rules) => expect(inWords(layers)).toEqual(rules));
});

it("selects and merges the filters of requests and of answers separately", () => {
  const layers = [
    layerOf({
      content_filter_builtins: [
        { slug: "email", action: "redact", scope: "both", scan_scope: "user_only" },
        { slug: "ssn", action: "block" },
      ],
    }),
    layerOf({ content_filter_builtins: [{ slug: "email", action: "block", scope: "response" }] }, "key"),
  ];
  const rules = (direction: "request" | "response") =>
    filterRules(layers, direction).map(({ detector, action, scanScope, sources }) => [
      detector.kind === "builtin" ? detector.slug : detector.pattern,
      action,
      scanScope,
      sources.map(({ scope }) => scope).join(),
    ]);
  expect(rules("request")).toEqual([
    ["email", "redact", "user_only", "workspace"],
    ["ssn", "block", "all_messages", "workspace"],
  ]);
  expect(rules("response")).toEqual([["email", "block", "all_messages", "key"]]);
});

describe("regions", () => {
  const phone = { slug: "phone", action: "redact" } as const;
  const inGermany = { ...builtin("workspace", phone, { slug: "email", action: "redact" }), regions: ["FR", "DE"] };
  const detectors = (layers: Parameters<typeof filterRules>[0]) => filterRules(layers).map(({ detector }) => detector);

  it("are passed to detectors of national formats, in one order", () => {
    expect(detectors([inGermany])).toEqual([
      { kind: "builtin", slug: "phone", regions: ["DE", "FR"] },
      { kind: "builtin", slug: "email" },
    ]);
    expect(detectors([inGermany, { ...builtin("key", phone), regions: ["DE", "FR"] }])).toHaveLength(2);
  });

  it("keep rules apart, so that a layer recorded with other regions is reproduced", () => {
    expect(detectors([{ ...builtin("workspace", phone), regions: ["DE"] }, builtin("key", phone)])).toEqual([
      { kind: "builtin", slug: "phone", regions: ["DE"] },
      { kind: "builtin", slug: "phone" },
    ]);
  });
});
