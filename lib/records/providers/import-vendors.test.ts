import { describe, expect, it } from "vitest";
import { refusalsOf, zdrFieldOf } from "../../engine/policy/routing";
import { layerOf } from "../../testing/layers";
import { catalogueModels, makerOfApi } from "../catalogue/catalogue";
import { VENDORS } from "../catalogue/vendors";
import { planImport } from "./import-plan";

const NOW = new Date("2026-11-20T10:00:00.000Z");
const ZDR_VENDORS = ["anthropic", "openai", "google"] as const;

/**
 * Determines a model's maker in another way than the code: from the API's owner, the author in the name, or the family.
 */
function madeBy(api: string, id: string): string | null {
  const name = id.toLowerCase();
  if (name.includes("claude")) return "anthropic";
  if (/gemini|gemma/.test(name)) return "google";
  if (/gpt-?\d|gpt-oss|chatgpt/.test(name) || (api === "azure" && !/phi|mai-|wizardlm/.test(name))) return "openai";
  if (ZDR_VENDORS.includes(api as never)) return api;
  return ZDR_VENDORS.find((vendor) => new RegExp(`(?:^|[~./])${vendor}[./]`).test(name)) ?? null;
}

/** Returns the names of the same model at a kind of provider. */
const variants = (kind: string, id: string): string[] => {
  if (kind === "bedrock")
    return [id, ...["us", "eu", "apac"].map((region) => id.replace(/^\w+\.(?=\w+\.)/, `${region}.`))];
  if (kind === "gemini") return [id, `models/${id}`];
  return [id];
};

describe.each(VENDORS.map(({ slug, baseUrl, kind }) => [slug, baseUrl, kind] as const))(
  "of the catalogue of %s",
  (api, baseUrl, kind) => {
    it.each([api, "openai2", "my-proxy"])(
      "no model of a named vendor passes that vendor's zero data retention at the provider %s",
      (providerSlug) => {
        const listed = catalogueModels(api, NOW).flatMap(({ id }) =>
          variants(kind, id).map((name) => ({ id: name, contextLength: null })),
        );
        const owners = providerSlug === api ? [makerOfApi(baseUrl)] : [makerOfApi(baseUrl), null];
        const planned = owners.flatMap(
          (ownVendor) =>
            planImport(listed, {
              providerSlug,
              models: listed.map(({ id }) => id),
              prefix: null,
              ownVendor,
              isRetired: () => false,
              zdrVendors: ZDR_VENDORS,
              lookUp: () => null,
            }).planned,
        );
        const passing = planned.flatMap(({ slug, upstreamModel, vendor: { vendor } }) => {
          const maker = madeBy(api, upstreamModel);
          if (maker === null) return [];
          const endpoint = {
            model: { slug, canonicalSlug: slug, vendor },
            provider: { slug: providerSlug, zdr: false },
            zdr: null,
            dataRegion: "global" as const,
          };
          const layers = [layerOf({ [zdrFieldOf(maker, ZDR_VENDORS)]: true })];
          return refusalsOf(layers, endpoint, ZDR_VENDORS).length === 0 ? [`${upstreamModel}: ${vendor}`] : [];
        });
        expect(passing).toEqual([]);
        expect(planned.length).toBeGreaterThan(0);
      },
    );
  },
);
