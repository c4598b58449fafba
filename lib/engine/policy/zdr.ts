import type { Issue } from "../../platform/api-error";
import { ZDR_VENDOR_FIELD } from "./contract";

export const ZDR_FIELDS = [
  "enforce_zdr_vendor_a",
  "enforce_zdr_vendor_b",
  "enforce_zdr_vendor_c",
  "enforce_zdr_other",
] as const;
export type ZdrField = (typeof ZDR_FIELDS)[number];
export type ZdrSwitches = Partial<Record<ZdrField, boolean | null>>;

type Vendors = readonly [string, string, string];
type Body = Readonly<Record<string, unknown>>;

/** Maps `enforce_zdr_anthropic` etc. to `enforce_zdr_vendor_a` etc., for the three configured vendors. */
const vendorNames = (vendors: Vendors): [ZdrField, string][] =>
  vendors.map((vendor, index) => [ZDR_FIELDS[index] as ZdrField, `enforce_zdr_${vendor}`]);

/** Reports aliases of vendors that aren't configured, and aliases whose value differs from their switch. */
export function zdrIssues(body: Body, vendors: Vendors): Issue[] {
  const names = vendorNames(vendors);
  const known = new Set<string>([...ZDR_FIELDS, ...names.map(([, name]) => name)]);
  const unknown = Object.keys(body).filter((key) => ZDR_VENDOR_FIELD.test(key) && !known.has(key));
  const conflicting = names.filter(
    ([field, name]) => body[field] !== undefined && body[name] !== undefined && body[field] !== body[name],
  );
  return [
    ...unknown.map((key) => ({ path: [key], message: "unknown field", code: "unrecognized_keys" })),
    ...conflicting.map(([field, name]) => ({
      path: [name],
      message: `must be the same as ${field}`,
      code: "conflicting_fields",
    })),
  ];
}

/**
 * The four switches that a write sets (docs/semantics.md#zdr-default): each switch that is not given takes the value of
 * `enforce_zdr` when that is given.
 */
export function zdrSwitches(body: Body, vendors: Vendors): ZdrSwitches {
  const names = new Map(vendorNames(vendors));
  const switches: ZdrSwitches = {};
  for (const field of ZDR_FIELDS) {
    const given =
      body[field] ??
      body[names.get(field) ?? ""] ??
      (field in body || (names.get(field) ?? "") in body ? null : body["enforce_zdr"]);
    if (given !== undefined) switches[field] = given as boolean | null;
  }
  return switches;
}

/** Returns the aliases of the vendor switches for responses. */
export const zdrVendorFields = (
  switches: Readonly<Record<ZdrField, boolean | null>>,
  vendors: Vendors,
): Record<string, boolean | null> =>
  Object.fromEntries(vendorNames(vendors).map(([field, name]) => [name, switches[field]]));
