import "server-only";
import type { Prisma } from "../../../prisma/generated/client";
import { nameOf } from "../../records/members/name";
import { fromMicroUsd } from "../../engine/money";
import type { Exception } from "../../records/exceptions/contract";
import { statusOf } from "../../records/exceptions/rules";

const NAMED = { select: { id: true, firstName: true, lastName: true, email: true } } as const;

/** Relations with the names shown in an API object. */
export const withNames = {
  key: { select: { hash: true, name: true } },
  member: NAMED,
  guardrail: { select: { name: true } },
} as const satisfies Prisma.ExceptionInclude;

export type ExceptionRow = Prisma.ExceptionGetPayload<{ include: typeof withNames }>;

/** Converts a row to an API object; `authors` maps member ids to names. */
export const toException = (row: ExceptionRow, authors: ReadonlyMap<string, string>, now: Date): Exception => ({
  id: row.id,
  kind: row.kind,
  status: statusOf(row, now),
  key_hash: row.key?.hash ?? null,
  key_name: row.key?.name ?? null,
  user_id: row.userId,
  user_name: row.member && nameOf(row.member),
  guardrail_id: row.guardrailId,
  guardrail_name: row.guardrail?.name ?? null,
  field: row.field as Exception["field"],
  rule: row.rule,
  raise_usd: row.raiseMicroUsd === null ? null : fromMicroUsd(row.raiseMicroUsd),
  phrase: row.phrase,
  reason: row.reason,
  created_by: row.createdBy,
  created_by_name: authors.get(row.createdBy ?? "") ?? null,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt.toISOString(),
  ended_at: row.endedAt?.toISOString() ?? null,
});
