import { describe, expect, it } from "vitest";
import { duplicatesOf, placeModels, type StoredModel } from "./import-placement";
import type { PlannedModel } from "./import-plan";

const planned = (
  slug: string,
  upstreamModel: string,
  vendor = "openai",
  source: "catalogue" | "unknown" = "catalogue",
) =>
  ({
    slug,
    upstreamModel,
    name: slug,
    vendor: { vendor, source },
    contextLength: null,
    price: null,
    priceSource: "unknown",
    dataRegion: "global",
  }) satisfies PlannedModel;
const stored = (slug: string, providerId: string, upstreamModel: string, more: Partial<StoredModel> = {}) =>
  ({
    slug,
    canonicalSlug: slug,
    vendor: "openai",
    endpoints: [{ providerId, upstreamModel }],
    ...more,
  }) satisfies StoredModel;
const place = (models: readonly PlannedModel[], known: readonly StoredModel[], isNamed = false) => {
  const { added, existing } = placeModels(models, known, { providerId: "second", isNamed });
  return [
    ...added.map(({ action, slug, canonicalSlug }) => [
      action,
      slug,
      ...(canonicalSlug === slug ? [] : [canonicalSlug]),
    ]),
    ...existing.map(({ slug, duplicate_of }) => [
      "exists",
      slug,
      ...(duplicate_of === undefined ? [] : [duplicate_of]),
    ]),
  ];
};

const GPT = planned("openai2/gpt-5", "gpt-5");
const OPUS = planned("bedrock/anthropic.claude-opus-5-v1:0", "anthropic.claude-opus-5-v1:0", "anthropic");
const CLAUDE = { vendor: "anthropic" };

describe("placing an imported model", () => {
  it.each<[string, PlannedModel[], StoredModel[], unknown[]]>([
    ["creates it where there is none", [GPT], [], [["create", "openai2/gpt-5"]]],
    [
      "joins the same model of another provider",
      [GPT],
      [stored("openai/gpt-5", "first", "gpt-5")],
      [["join", "openai/gpt-5"]],
    ],
    [
      "joins the model under the vendor's own name, not a copy of it",
      [planned("openai3/gpt-5", "gpt-5")],
      [stored("openai2/gpt-5", "first", "gpt-5"), stored("openai/gpt-5", "third", "gpt-5")],
      [["join", "openai/gpt-5"]],
    ],
    [
      "joins the model whose slug is canonical",
      [planned("openai3/gpt-5", "gpt-5")],
      [
        stored("openai/gpt-5", "first", "gpt-5", { canonicalSlug: "azure/gpt-5" }),
        stored("azure/gpt-5", "third", "gpt-5"),
      ],
      [["join", "azure/gpt-5"]],
    ],
    [
      "joins with each inference profile on Bedrock",
      [OPUS, planned("bedrock/us.anthropic.claude-opus-5-v1:0", "us.anthropic.claude-opus-5-v1:0", "anthropic")],
      [stored("anthropic/claude-opus-5", "first", "claude-opus-5", CLAUDE)],
      [
        ["join", "anthropic/claude-opus-5"],
        ["join", "anthropic/claude-opus-5"],
      ],
    ],
    [
      "joins the snapshot of the same date if there is one",
      [planned("vertex/claude-opus-4-5@20251101", "claude-opus-4-5@20251101", "anthropic")],
      [
        stored("anthropic/claude-opus-4-5", "first", "claude-opus-4-5", CLAUDE),
        stored("anthropic/claude-opus-4-5-20251101", "first", "claude-opus-4-5@20251101", CLAUDE),
      ],
      [["join", "anthropic/claude-opus-4-5-20251101"]],
    ],
    [
      "adds the vendor's name to a model that a cloud gave its name",
      [planned("anthropic/claude-opus-5", "claude-opus-5", "anthropic")],
      [stored(OPUS.slug, "first", OPUS.upstreamModel, CLAUDE)],
      [["join", OPUS.slug, "anthropic/claude-opus-5"]],
    ],
    [
      "creates a second name of one provider as a model of its own",
      [planned("openai/gpt-5", "gpt-5"), planned("openai/models/gpt-5", "models/gpt-5")],
      [],
      [
        ["create", "openai/gpt-5"],
        ["create", "openai/models/gpt-5"],
      ],
    ],
    ["leaves what exists", [GPT], [stored("openai2/gpt-5", "second", "gpt-5")], [["exists", "openai2/gpt-5"]]],
    [
      "leaves what exists under another slug",
      [GPT],
      [stored("openai/gpt-5", "first", "gpt-5", { endpoints: [{ providerId: "second", upstreamModel: "gpt-5" }] })],
      [["exists", "openai/gpt-5"]],
    ],
    [
      "names the model that an existing one duplicates",
      [GPT],
      [stored("openai2/gpt-5", "second", "gpt-5"), stored("openai/gpt-5", "first", "gpt-5")],
      [["exists", "openai2/gpt-5", "openai/gpt-5"]],
    ],
    [
      "names no duplicate once both have one canonical slug",
      [GPT],
      [
        stored("openai2/gpt-5", "second", "gpt-5", { canonicalSlug: "openai/gpt-5" }),
        stored("openai/gpt-5", "first", "gpt-5"),
      ],
      [["exists", "openai2/gpt-5"]],
    ],
    ["doesn't join another model", [GPT], [stored("openai/gpt-5-mini", "first", "gpt-5-mini")], [["create", GPT.slug]]],
    [
      "doesn't join a model that an admin named otherwise",
      [GPT],
      [stored("acme/fast", "first", "gpt-5")],
      [["create", GPT.slug]],
    ],
    [
      "doesn't join a model with this name that is served by another one",
      [GPT],
      [stored("openai/gpt-5", "first", "sandbox/echo")],
      [["create", GPT.slug]],
    ],
    [
      "doesn't join a model of another vendor",
      [GPT],
      [stored("openai/gpt-5", "first", "gpt-5", { vendor: "acme" })],
      [["create", GPT.slug]],
    ],
    [
      "doesn't join if nobody knows the vendor",
      [planned("proxy/own", "own", "unknown", "unknown")],
      [stored("other/own", "first", "own", { vendor: "unknown" })],
      [["create", "proxy/own"]],
    ],
  ])("%s", (_, models, known, expected) => expect(place(models, known)).toEqual(expected));

  it("joins only the same slug if an admin names the models", () => {
    expect(place([GPT], [stored("openai/gpt-5", "first", "gpt-5")], true)).toEqual([["create", "openai2/gpt-5"]]);
    expect(place([GPT], [stored("openai2/gpt-5", "first", "x")], true)).toEqual([["join", "openai2/gpt-5"]]);
  });
});

it.each<[string, StoredModel[], [string, string][]]>([
  [
    "two providers' models of one name",
    [stored("openai2/gpt-5", "second", "gpt-5"), stored("openai/gpt-5", "first", "gpt-5")],
    [["openai2/gpt-5", "openai/gpt-5"]],
  ],
  [
    "names that clouds write differently",
    [
      stored("bedrock/anthropic.claude-opus-5-v1:0", "first", "anthropic.claude-opus-5-v1:0", CLAUDE),
      stored("anthropic/claude-opus-5", "second", "claude-opus-5", CLAUDE),
      stored("vertex/claude-opus-5", "third", "claude-opus-5", CLAUDE),
    ],
    [
      ["bedrock/anthropic.claude-opus-5-v1:0", "anthropic/claude-opus-5"],
      ["vertex/claude-opus-5", "anthropic/claude-opus-5"],
    ],
  ],
  [
    "none with one canonical slug",
    [
      stored("openai2/gpt-5", "second", "gpt-5", { canonicalSlug: "openai/gpt-5" }),
      stored("openai/gpt-5", "first", "gpt-5"),
    ],
    [],
  ],
  [
    "none of different models or of a chosen name",
    [
      stored("openai/gpt-5", "first", "gpt-5"),
      stored("openai2/gpt-5-mini", "second", "gpt-5-mini"),
      stored("acme/fast", "second", "gpt-5"),
    ],
    [],
  ],
])("finds stored models that duplicate another one: %s", (_, models, expected) => {
  expect(duplicatesOf(models).map(({ model, of }) => [model.slug, of.slug])).toEqual(expected);
});
