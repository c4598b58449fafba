import "server-only";
import type { GuardrailRevision } from "../../../prisma/generated/client";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { notFound } from "../../platform/api-error";
import { GUARDRAIL_FIELDS, UNRESTRICTED_FIELDS, type GuardrailFields } from "../../engine/policy/contract";
import type { Input, Result } from "../../platform/http/operation";
import { prepared } from "../../platform/http/prepared";
import { skipTake } from "../../platform/http/pagination";
import { nameOf } from "../../records/members/name";
import { guardrailChanges, revisionFields } from "../../records/guardrails/rules";
import { assertTested, testChanges } from "../policy-tests/run-service";
import { revise } from "./service";
import { findMatching, findOfGuardrail, lockGuardrail } from "../../records/guardrails/store";
import type * as contract from "../../records/guardrails/versions-contract";

/** Returns only the settable fields, because vendor aliases depend on the configuration. */
const fieldsOf = ({ fields }: GuardrailRevision) => revisionFields(fields);

/** True for a field that restricts nothing: null, an empty list, a switch that is off. */
const isUnset = (field: keyof GuardrailFields, value: unknown) =>
  (Array.isArray(value) && value.length === 0) || (field !== "name" && value === UNRESTRICTED_FIELDS[field]);

/** Returns the fields changed since the previous revision; for the first, all fields that are set. */
const changedFields = (before: GuardrailFields | null, after: GuardrailFields): string[] =>
  GUARDRAIL_FIELDS.filter((name) =>
    before ? JSON.stringify(before[name]) !== JSON.stringify(after[name]) : !isUnset(name, after[name]),
  );

async function authorsOf(db: Database, { caller }: Context, rows: readonly GuardrailRevision[]) {
  const ids = [...new Set(rows.flatMap(({ authorId }) => authorId ?? []))];
  const members = await db.member.findMany({ where: { id: { in: ids }, organizationId: caller.organizationId } });
  return new Map(members.map((member) => [member.id, { id: member.id, name: nameOf(member) }]));
}

/** Converts revisions to API objects with their changed fields. Each is compared with the next row. */
async function toVersions(db: Database, context: Context, rows: readonly GuardrailRevision[]) {
  const authors = await authorsOf(db, context, rows);
  return rows.map((row, index) => {
    const before = rows[index + 1];
    return {
      revision: row.revision,
      author: authors.get(row.authorId ?? "") ?? null,
      created_at: row.createdAt.toISOString(),
      message: row.message,
      changed_fields: changedFields(before ? fieldsOf(before) : null, fieldsOf(row)),
    };
  });
}

export async function list(
  context: Context,
  { params, query }: Input<typeof contract.listGuardrailVersions>,
): Promise<Result<typeof contract.listGuardrailVersions>> {
  const { skip, take } = skipTake(query);
  const { revisions, _count } = await findOfGuardrail(context.db, context, params.id, {
    revisions: { orderBy: { revision: "desc" }, skip, take: take + 1 },
    _count: { select: { revisions: true } },
  });
  const versions = await toVersions(context.db, context, revisions);
  return { data: versions.slice(0, take), total_count: _count.revisions };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getGuardrailVersion>,
): Promise<Result<typeof contract.getGuardrailVersion>> {
  const { revisions } = await findOfGuardrail(context.db, context, params.id, {
    revisions: { where: { revision: { in: [params.n, params.n - 1] } }, orderBy: { revision: "desc" } },
  });
  const [row] = revisions;
  const [version] = await toVersions(context.db, context, revisions);
  if (!row || !version || row.revision !== params.n) throw notFound();
  return { data: { ...version, fields: fieldsOf(row) } };
}

/** Writes the older fields as a new revision; the history is unchanged. */
export const restore = prepared(
  async (context: Context, { params }: Input<typeof contract.restoreGuardrailVersion>) => {
    const row = await findMatching(context.db, context, params.id);
    const revision = await context.db.guardrailRevision.findUnique({
      where: { guardrailId_revision: { guardrailId: row.id, revision: params.n } },
    });
    if (!revision) throw notFound();
    const changes = guardrailChanges(fieldsOf(revision), context.settings.zdrVendors);
    return { changes, tested: await testChanges(context, row, changes) };
  },
  async (context, { params, body }, { changes, tested }): Promise<Result<typeof contract.restoreGuardrailVersion>> =>
    inTransaction(context.db, async (db) => {
      const before = await lockGuardrail(db, context, params.id);
      await assertTested(db, before, tested);
      const message = body.revision_message ?? `Restored revision ${params.n}`;
      return { data: await revise(db, context, before, changes, message) };
    }),
);
