import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { findGuardrail, lockGuardrail } from "../guardrails/store";
import type { Input, Result } from "../../platform/http/operation";
import type * as contract from "./thresholds-contract";

type Thresholds = Result<typeof contract.getGuardrailThresholds>["data"];

/** Reads a guardrail's thresholds. */
async function read(db: Database, { caller }: Context, guardrailId: string): Promise<Thresholds> {
  const own = await db.guardrailThresholds.findUnique({ where: { guardrailId } });
  const { budgetThresholds } = await db.organization.findUniqueOrThrow({
    where: { id: caller.organizationId },
    select: { budgetThresholds: true },
  });
  const percents = own ? (own.percents as number[]) : null;
  return { percents, in_force: percents ?? (budgetThresholds as number[]) };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getGuardrailThresholds>,
): Promise<Result<typeof contract.getGuardrailThresholds>> {
  const { id } = await findGuardrail(context.db, context, params.id);
  return { data: await read(context.db, context, id) };
}

export async function update(
  context: Context,
  { params, body }: Input<typeof contract.updateGuardrailThresholds>,
): Promise<Result<typeof contract.updateGuardrailThresholds>> {
  return inTransaction(context.db, async (db) => {
    const { id: guardrailId, name, workspaceId } = await lockGuardrail(db, context, params.id);
    const before = await read(db, context, guardrailId);
    const percents = body.percents?.toSorted((a, b) => a - b);
    if (percents)
      await db.guardrailThresholds.upsert({
        where: { guardrailId },
        create: { guardrailId, percents },
        update: { percents },
      });
    else await db.guardrailThresholds.deleteMany({ where: { guardrailId } });
    const after = await read(db, context, guardrailId);
    await recordChange(db, context, {
      action: "guardrail.set_thresholds",
      target: { type: "guardrail", id: guardrailId, name },
      workspaceId,
      before,
      after,
    });
    return { data: after };
  });
}
