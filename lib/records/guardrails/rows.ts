import "server-only";
import type { Guardrail as GuardrailRow, Prisma } from "../../../prisma/generated/client";
import { toCamel } from "../../platform/database/column-names";
import { json } from "../../platform/database/json";
import { fromMicroUsd, toMicroUsd } from "../../engine/money";
import { GUARDRAIL_FIELDS, GuardrailFields } from "../../engine/policy/contract";
import type { Guardrail } from "./contract";
import { withLabels, type GuardrailChanges } from "./rules";
import { zdrVendorFields } from "../../engine/policy/zdr";
import type { Layer } from "../../engine/policy/layers";
import type { SealedSecrets } from "./check-secret-rows";

/** Fields with the name of their column. Only the limit has another name, because its unit differs. */
const NAMED_ALIKE = GUARDRAIL_FIELDS.filter((field) => field !== "limit_usd").map((field) => ({
  field,
  column: toCamel(field),
  isList: GuardrailFields.shape[field].safeParse([]).success,
}));

type Columns = Partial<Omit<Prisma.GuardrailUncheckedCreateInput, "id" | "workspaceId">>;

/** Converts API fields to columns. */
export function toColumns({ limit_usd, ...changes }: GuardrailChanges): Columns {
  const columns = NAMED_ALIKE.map(({ field, column, isList }) => [
    column,
    isList ? json(changes[field]) : changes[field],
  ]);
  return {
    ...(Object.fromEntries(columns) as Columns),
    limitMicroUsd: typeof limit_usd === "number" ? toMicroUsd(limit_usd) : limit_usd,
  };
}

/** Returns the encrypted secrets of a guardrail's external checks. */
export const sealedSecrets = ({ checkSecrets }: Pick<GuardrailRow, "checkSecrets">): SealedSecrets =>
  (checkSecrets as SealedSecrets | null) ?? {};

/** Returns a stored guardrail's secrets for its layer. */
export const layerSecrets = (row: Pick<GuardrailRow, "id" | "checkSecrets">): Pick<Layer, "checkSecrets"> =>
  row.checkSecrets === null ? {} : { checkSecrets: { guardrailId: row.id, values: sealedSecrets(row) } };

/** Converts a row to an API object. JSON columns contain validated values. */
export function toGuardrail(row: GuardrailRow, vendors: readonly [string, string, string]): Guardrail {
  const limit_usd = row.limitMicroUsd === null ? null : fromMicroUsd(row.limitMicroUsd);
  const sealed = sealedSecrets(row);
  const stored = Object.fromEntries(NAMED_ALIKE.map(({ field, column }) => [field, row[column]]));
  const fields = { ...stored, limit_usd } as GuardrailFields;
  return {
    id: row.id,
    workspace_id: row.workspaceId,
    revision: row.revision,
    ...fields,
    ...zdrVendorFields(fields, vendors),
    content_filter_builtins: withLabels(fields.content_filter_builtins),
    external_checks: fields.external_checks?.map((check) => ({ ...check, has_secret: check.name in sealed })) ?? null,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt?.toISOString() ?? null,
  };
}
