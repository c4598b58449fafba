import { expect, it } from "vitest";
import { UNRESTRICTED } from "../../records/guardrails/draft";
import { endpointOf } from "../../testing/endpoints";
import { lintVendors } from "./vendors";

const VENDORS = ["anthropic", "openai", "google"] as const;
const named = endpointOf({ model: { slug: "openai/gpt" } });
const unknown = endpointOf({ model: { slug: "bedrock/own", vendor: "unknown" } });
const endpoints = [named, { ...unknown, model: { ...unknown.model, hasVendor: false } }];
const found = (fields: Partial<typeof UNRESTRICTED>, given = endpoints) =>
  lintVendors({ ...UNRESTRICTED, ...fields }, given, VENDORS).map(({ severity, code }) => `${severity} ${code}`);

it.each<[string, Partial<typeof UNRESTRICTED>, string[]]>([
  ["no zero data retention", {}, []],
  ["that of one vendor", { enforce_zdr_vendor_a: true }, ["warning unknown_vendor"]],
  ["that of other vendors", { enforce_zdr_other: true }, ["info unknown_vendor"]],
  ["other models allowed", { enforce_zdr_vendor_a: true, allowed_models: ["openai/gpt"] }, []],
])("lists models of unknown vendors: %s", (_, fields, expected) => expect(found(fields)).toEqual(expected));

it("leaves out models at endpoints with zero data retention", () => {
  const safe = endpoints.map((endpoint) => ({ ...endpoint, zdr: true }));
  expect(found({ enforce_zdr_vendor_a: true }, safe)).toEqual([]);
});
