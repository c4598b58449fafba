import "server-only";
import { invalid } from "../../platform/api-error";
import { recordChange } from "../../platform/audit/store";
import { workspacesOf, type Context } from "../../platform/context";
import { json } from "../../platform/database/json";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { endAll } from "../../records/exceptions/active-store";
import { inspected, type Inspect } from "../../platform/http/inspected";
import { prepared } from "../../platform/http/prepared";
import type { Input, Result } from "../../platform/http/operation";
import { uuidv7 } from "../../platform/ids";
import type { Guardrail as GuardrailRow, Prisma } from "../../../prisma/generated/client";
import { assertTested, testChanges, type Tested } from "../policy-tests/run-service";
import { lockedWorkspaceIdOfBody, resolveWorkspaceId } from "../../records/workspaces/store";
import type * as contract from "../../records/guardrails/contract";
import { findPage } from "../../records/guardrails/page-store";
import { sealCheckSecrets } from "../../records/guardrails/check-secret-rows";
import type { ExternalCheck } from "../../engine/checks/contract";
import {
  checkAddressIssues,
  guardrailChanges,
  guardrailIssues,
  movedCheckSecrets,
  type GuardrailChanges,
} from "../../records/guardrails/rules";
import { sealedSecrets, toColumns, toGuardrail } from "../../records/guardrails/rows";
import { findGuardrail, findMatching, lockGuardrail } from "../../records/guardrails/store";

/** Introduction date of the per-vendor switches, which deprecated `enforce_zdr` (RFC 9745). */
const ENFORCE_ZDR_DEPRECATION = "@1778198400";

const inspect: Inspect = (body, { zdrVendors, allowPrivateUpstreams }) => [
  ...guardrailIssues(body, zdrVendors),
  ...checkAddressIssues(body["external_checks"], allowPrivateUpstreams),
];

function warnOfDeprecation(context: Context, body: object): void {
  if ("enforce_zdr" in body) context.headers.set("deprecation", ENFORCE_ZDR_DEPRECATION);
}

export async function list(
  context: Context,
  { query }: Input<typeof contract.listGuardrails>,
): Promise<Result<typeof contract.listGuardrails>> {
  const workspaces =
    query.workspace_id === "all" ? workspacesOf(context) : [await resolveWorkspaceId(context, query.workspace_id)];
  const { ids, total } = await findPage(context.db, context.caller.organizationId, workspaces, query);
  const rows = await context.db.guardrail.findMany({ where: { id: { in: ids } } });
  const data = rows
    .map((row) => toGuardrail(row, context.settings.zdrVendors))
    .sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  return { data, total_count: total };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getGuardrail>,
): Promise<Result<typeof contract.getGuardrail>> {
  return { data: toGuardrail(await findGuardrail(context.db, context, params.id), context.settings.zdrVendors) };
}

export const create = inspected(
  inspect,
  async (
    context: Context,
    { body }: Input<typeof contract.createGuardrail>,
  ): Promise<Result<typeof contract.createGuardrail>> => {
    warnOfDeprecation(context, body);
    const vendors = context.settings.zdrVendors;
    const changes = guardrailChanges(body, vendors);
    const id = uuidv7(context.now);
    return inTransaction(context.db, async (db) => {
      const workspaceId = await lockedWorkspaceIdOfBody(db, context, body.workspace_id);
      const row = await db.guardrail.create({
        data: {
          ...toColumns(changes),
          checkSecrets: secretColumn(context, id, NO_CHECKS, body.external_checks),
          name: body.name,
          id,
          workspaceId,
          createdAt: context.now,
        },
      });
      const guardrail = toGuardrail(row, vendors);
      await keepRevision(db, context, guardrail, body.revision_message);
      await recordChange(db, context, {
        action: "guardrail.create",
        target: target(guardrail),
        workspaceId,
        after: guardrail,
      });
      return { data: guardrail };
    });
  },
);

export const update = inspected(
  inspect,
  prepared(
    async (context: Context, { params, body }: Input<typeof contract.updateGuardrail>): Promise<Tested> => {
      warnOfDeprecation(context, body);
      const row = await findMatching(context.db, context, params.id);
      assertSecretsSent(context, row, body);
      return testChanges(context, row, guardrailChanges(body, context.settings.zdrVendors));
    },
    async (context, { params, body }, tested): Promise<Result<typeof contract.updateGuardrail>> => {
      const changes = guardrailChanges(body, context.settings.zdrVendors);
      return inTransaction(context.db, async (db) => {
        const before = await lockGuardrail(db, context, params.id);
        assertSecretsSent(context, before, body);
        await assertTested(db, before, tested);
        return { data: await revise(db, context, before, changes, body.revision_message, body.external_checks) };
      });
    },
  ),
);

function assertSecretsSent({ settings }: Context, row: GuardrailRow, body: contract.UpdateGuardrailBody): void {
  const issues = movedCheckSecrets(toGuardrail(row, settings.zdrVendors).external_checks, body.external_checks);
  if (issues.length > 0) throw invalid(issues);
}

const NO_CHECKS = { checks: [], sealed: {} };

/** Returns the column of encrypted secrets; undefined when the checks don't change. */
function secretColumn(
  { settings }: Context,
  id: string,
  before: Parameters<typeof sealCheckSecrets>[2],
  checks: readonly ExternalCheck[] | null | undefined,
) {
  if (checks === undefined) return undefined;
  const sealed = sealCheckSecrets(settings, id, before, checks ?? []);
  return json(Object.keys(sealed).length > 0 ? { ...sealed } : null);
}

/** Writes the next revision of a locked guardrail. `checks` are the changed external checks with new secrets. */
export async function revise(
  db: Database,
  context: Context,
  before: GuardrailRow,
  changes: GuardrailChanges,
  message: string | undefined,
  checks: readonly ExternalCheck[] | null | undefined = changes.external_checks,
): Promise<contract.Guardrail> {
  const vendors = context.settings.zdrVendors;
  const stored = { checks: toGuardrail(before, vendors).external_checks ?? [], sealed: sealedSecrets(before) };
  const row = await db.guardrail.update({
    where: { id: before.id },
    data: {
      ...toColumns(changes),
      checkSecrets: secretColumn(context, before.id, stored, checks),
      revision: before.revision + 1,
      updatedAt: context.now,
    },
  });
  const guardrail = toGuardrail(row, vendors);
  await keepRevision(db, context, guardrail, message);
  await recordChange(db, context, {
    action: "guardrail.update",
    target: target(guardrail),
    workspaceId: row.workspaceId,
    before: toGuardrail(before, vendors),
    after: guardrail,
  });
  return guardrail;
}

/** Deletes the guardrail and its assignments. The row remains because the history references it. */
export async function remove(
  context: Context,
  { params }: Input<typeof contract.deleteGuardrail>,
): Promise<Result<typeof contract.deleteGuardrail>> {
  return inTransaction(context.db, async (db) => {
    const before = await lockGuardrail(db, context, params.id);
    await db.guardrailKeyAssignment.deleteMany({ where: { guardrailId: before.id } });
    await db.guardrailMemberAssignment.deleteMany({ where: { guardrailId: before.id } });
    await endAll(db, { guardrailId: before.id }, context.now);
    await db.workspace.updateMany({ where: { defaultGuardrailId: before.id }, data: { defaultGuardrailId: null } });
    await db.guardrail.update({ where: { id: before.id }, data: { deletedAt: context.now } });
    const guardrail = toGuardrail(before, context.settings.zdrVendors);
    await recordChange(db, context, {
      action: "guardrail.delete",
      target: target(guardrail),
      workspaceId: before.workspaceId,
      before: guardrail,
    });
    return { deleted: true as const };
  });
}

const target = ({ id, name }: contract.Guardrail) => ({ type: "guardrail", id, name });

async function keepRevision(
  db: Database,
  context: Context,
  guardrail: contract.Guardrail,
  message: string | undefined,
): Promise<void> {
  const { id, revision, workspace_id: _, created_at: __, updated_at: ___, ...fields } = guardrail;
  await db.guardrailRevision.create({
    data: {
      guardrailId: id,
      revision,
      fields: fields as Prisma.InputJsonObject,
      authorId: context.caller.userId,
      message: message ?? null,
      createdAt: context.now,
    },
  });
}
