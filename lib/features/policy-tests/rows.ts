import "server-only";
import type { PolicyTest as PolicyTestRow } from "../../../prisma/generated/client";
import { PolicyTest } from "./contract";

/** Converts a row to an API object. */
export const toPolicyTest = (row: PolicyTestRow): PolicyTest =>
  PolicyTest.parse({
    id: row.id,
    name: row.name,
    request: row.request,
    protocol: row.protocol as PolicyTest["protocol"],
    check_verdicts: row.checkVerdicts,
    answer: row.answer,
    expected: { outcome: row.outcome, field: row.field, rule: row.rule },
    created_by: row.createdBy,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt?.toISOString() ?? null,
  });
