import { describe, expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { layerOf } from "../../testing/layers";
import type { Layer } from "./layers";
import { DATA_REGIONS, type DataRegion } from "../vocabulary";
import { dataRegionsOf, refusalsOf } from "./routing";

const VENDORS = ["anthropic", "openai", "google"] as const;

const endpoint = endpointOf({
  model: { slug: "anthropic/claude", canonicalSlug: "anthropic/claude-2026", vendor: "anthropic" },
  provider: { slug: "bedrock", zdr: false },
});
const fieldsOf = (fields: Partial<Layer["guardrail"]>, of = endpoint) =>
  refusalsOf([layerOf(fields)], of, VENDORS).map(({ field }) => field);
const ofVendor = (vendor: string) => endpointOf({ model: { slug: `${vendor}/m`, vendor } });

describe("refusalsOf", () => {
  it.each<[rule: string, fields: Partial<Layer["guardrail"]>, refused: string[]]>([
    ["null has no effect", {}, []],
    [
      "an empty list has no effect",
      {
        allowed_models: [],
        ignored_models: [],
        allowed_providers: [],
        ignored_providers: [],
        allowed_data_regions: [],
      },
      [],
    ],
    ["allowed by slug", { allowed_models: ["x/y", "anthropic/claude"] }, []],
    ["allowed by canonical slug", { allowed_models: ["anthropic/claude-2026"] }, []],
    ["not an allowed model", { allowed_models: ["x/y"] }, ["allowed_models"]],
    ["blocked by slug", { ignored_models: ["anthropic/claude"] }, ["ignored_models"]],
    ["blocked by canonical slug", { ignored_models: ["anthropic/claude-2026"] }, ["ignored_models"]],
    ["a partial slug doesn't match", { ignored_models: ["anthropic/claud", "anthropic"] }, []],
    [
      "both allowed and blocked: blocked",
      { allowed_models: ["anthropic/claude"], ignored_models: ["anthropic/claude-2026"] },
      ["ignored_models"],
    ],
    ["allowed provider", { allowed_providers: ["bedrock"] }, []],
    ["not an allowed provider", { allowed_providers: ["acme"] }, ["allowed_providers"]],
    ["a blocked provider", { ignored_providers: ["bedrock"] }, ["ignored_providers"]],
    [
      "names are case-insensitive",
      { allowed_providers: ["Bedrock"], ignored_models: ["Anthropic/Claude"] },
      ["ignored_models"],
    ],
    ["ZDR for the vendor", { enforce_zdr_vendor_a: true }, ["enforce_zdr_vendor_a"]],
    ["ZDR for other vendors", { enforce_zdr_vendor_b: true, enforce_zdr_vendor_c: true, enforce_zdr_other: true }, []],
    ["ZDR switched off", { enforce_zdr_vendor_a: false }, []],
    ["the deprecated switch is expanded when written and has no effect by itself", { enforce_zdr: true }, []],
    [
      "every excluding field is returned",
      {
        allowed_models: ["x/y"],
        allowed_providers: ["acme"],
        ignored_providers: ["bedrock"],
        enforce_zdr_vendor_a: true,
      },
      ["allowed_models", "allowed_providers", "ignored_providers", "enforce_zdr_vendor_a"],
    ],
  ])("%s", (_rule, fields, refused) => expect(fieldsOf(fields)).toEqual(refused));

  it.each<[region: DataRegion, allowed: DataRegion[] | null, isRefused: boolean]>([
    ["global", null, false],
    ["europe", [], false],
    ["europe", ["europe"], false],
    ["europe", ["us", "europe"], false],
    ["us", ["europe"], true],
    ["global", ["europe"], true],
    ["global", ["europe", "us"], true],
    ["europe", ["global"], true],
  ])("an endpoint in %s under allowed_data_regions %j", (dataRegion, allowed_data_regions, isRefused) => {
    expect(fieldsOf({ allowed_data_regions }, endpointOf({ dataRegion }))).toEqual(
      isRefused ? ["allowed_data_regions"] : [],
    );
  });

  it("returns the switch for each vendor", () => {
    const all = {
      enforce_zdr_vendor_a: true,
      enforce_zdr_vendor_b: true,
      enforce_zdr_vendor_c: true,
      enforce_zdr_other: true,
    };
    const refused = ["anthropic", "openai", "google", "acme", "OpenAI"].map((vendor) =>
      fieldsOf(all, ofVendor(vendor)),
    );
    expect(refused).toEqual([
      ["enforce_zdr_vendor_a"],
      ["enforce_zdr_vendor_b"],
      ["enforce_zdr_vendor_c"],
      ["enforce_zdr_other"],
      ["enforce_zdr_vendor_b"],
    ]);
  });

  it.each([
    [null, true, []],
    [null, false, ["enforce_zdr_other"]],
    [true, false, []],
    [false, true, ["enforce_zdr_other"]],
  ])("an endpoint's own ZDR setting (%s) overrides its provider's (%s)", (own, ofProvider, refused) => {
    expect(fieldsOf({ enforce_zdr_other: true }, endpointOf({ zdr: own, provider: { zdr: ofProvider } }))).toEqual(
      refused,
    );
  });

  it("returns every excluding layer with its guardrail", () => {
    const layers = [
      layerOf({ id: "w", name: "Whole", revision: 3, ignored_models: ["anthropic/claude"] }, "workspace"),
      layerOf({}, "member"),
      layerOf({ id: "k", name: "Key", allowed_models: ["x/y"] }, "key"),
    ];
    expect(refusalsOf(layers, endpoint, VENDORS)).toEqual([
      { scope: "workspace", guardrail_id: "w", guardrail_name: "Whole", revision: 3, field: "ignored_models" },
      { scope: "key", guardrail_id: "k", guardrail_name: "Key", revision: 1, field: "allowed_models" },
    ]);
  });
});

describe("dataRegionsOf", () => {
  it.each<[lists: (DataRegion[] | null)[], allowed: readonly DataRegion[]]>([
    [[], DATA_REGIONS],
    [[null, []], DATA_REGIONS],
    [[["europe", "us"], null, ["us", "global"]], ["us"]],
    [[["europe"], ["us"]], []],
  ])("intersects %j", (lists, allowed) => {
    const layers = lists.map((allowed_data_regions) => layerOf({ allowed_data_regions }));
    expect(dataRegionsOf(layers)).toEqual(allowed);
  });
});
