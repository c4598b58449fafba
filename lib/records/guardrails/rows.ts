import "server-only";
import type { Guardrail as GuardrailRow } from "../../../prisma/generated/client";
import { json } from "../../platform/database/json";
import { fromMicroUsd, toMicroUsd } from "../../engine/money";
import type { BuiltinFilter, CustomFilter, Guardrail } from "./contract";
import { withLabels, type GuardrailChanges } from "./policy";
import { zdrVendorFields } from "../../engine/policy/zdr";

/** Converts wire fields to columns. */
export function toColumns(changes: GuardrailChanges) {
  return {
    name: changes.name,
    description: changes.description,
    allowedModels: json(changes.allowed_models),
    ignoredModels: json(changes.ignored_models),
    allowedProviders: json(changes.allowed_providers),
    ignoredProviders: json(changes.ignored_providers),
    limitMicroUsd: typeof changes.limit_usd === "number" ? toMicroUsd(changes.limit_usd) : changes.limit_usd,
    resetInterval: changes.reset_interval,
    includeByokInBudgets: changes.include_byok_in_budgets,
    enforceZdr: changes.enforce_zdr,
    enforceZdrVendorA: changes.enforce_zdr_vendor_a,
    enforceZdrVendorB: changes.enforce_zdr_vendor_b,
    enforceZdrVendorC: changes.enforce_zdr_vendor_c,
    enforceZdrOther: changes.enforce_zdr_other,
    contentFilterBuiltins: json(changes.content_filter_builtins),
    contentFilters: json(changes.content_filters),
  };
}

/** Converts a row to a wire record. JSON columns contain validated values. */
export function toGuardrail(row: GuardrailRow, vendors: readonly [string, string, string]): Guardrail {
  const switches = {
    enforce_zdr_vendor_a: row.enforceZdrVendorA,
    enforce_zdr_vendor_b: row.enforceZdrVendorB,
    enforce_zdr_vendor_c: row.enforceZdrVendorC,
    enforce_zdr_other: row.enforceZdrOther,
  };
  return {
    id: row.id,
    workspace_id: row.workspaceId,
    revision: row.revision,
    name: row.name,
    description: row.description,
    allowed_models: row.allowedModels as string[] | null,
    ignored_models: row.ignoredModels as string[] | null,
    allowed_providers: row.allowedProviders as string[] | null,
    ignored_providers: row.ignoredProviders as string[] | null,
    limit_usd: row.limitMicroUsd === null ? null : fromMicroUsd(row.limitMicroUsd),
    reset_interval: row.resetInterval,
    include_byok_in_budgets: row.includeByokInBudgets,
    enforce_zdr: row.enforceZdr,
    ...switches,
    ...zdrVendorFields(switches, vendors),
    content_filter_builtins: withLabels(row.contentFilterBuiltins as BuiltinFilter[] | null),
    content_filters: row.contentFilters as CustomFilter[] | null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt?.toISOString() ?? null,
  };
}
