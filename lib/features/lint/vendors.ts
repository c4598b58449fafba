import { isZdr, type RoutableEndpoint } from "../../engine/endpoint";
import type { Layer } from "../../engine/policy/layers";
import { refusalsOf } from "../../engine/policy/routing";
import { ZDR_FIELDS } from "../../engine/policy/zdr";
import type { LintFinding } from "./contract";
import { namesText, plural } from "./text";

/** A model's endpoint; `hasVendor` is true when the model's maker is known. */
export type LintEndpoint = RoutableEndpoint & { model: { hasVendor?: boolean } };

/**
 * Lists models of unknown vendors that a guardrail with zero data retention allows. Only its switch for other vendors
 * covers them.
 */
export function lintVendors(
  guardrail: Layer["guardrail"],
  endpoints: readonly LintEndpoint[],
  zdrVendors: readonly [string, string, string],
): LintFinding[] {
  if (!ZDR_FIELDS.some((field) => guardrail[field] === true)) return [];
  const lists = { ...guardrail, ...Object.fromEntries(ZDR_FIELDS.map((field) => [field, null])) };
  const layers: Layer[] = [{ scope: "draft", guardrail: lists }];
  const slugs = endpoints
    .filter((endpoint) => endpoint.model.hasVendor === false && !isZdr(endpoint))
    .filter((endpoint) => refusalsOf(layers, endpoint, zdrVendors).length === 0)
    .map(({ model }) => model.slug);
  const names = [...new Set(slugs)];
  if (names.length === 0) return [];
  const isCovered = guardrail.enforce_zdr_other === true;
  return [
    {
      severity: isCovered ? "info" : "warning",
      code: "unknown_vendor",
      path: ["enforce_zdr_other"],
      message: `${plural(names, "model")} of unknown vendor (${namesText(names)}): ${
        isCovered
          ? "they count as other vendors"
          : "zero data retention doesn't apply to them, unless it covers other vendors"
      }. Set the vendor of these models.`,
    },
  ];
}
