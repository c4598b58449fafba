import "server-only";
import { recordChange } from "../../platform/audit/store";
import type { Context } from "../../platform/context";
import { inTransaction, type Database } from "../../platform/database/transaction";
import { findOfGuardrail, lockGuardrail } from "../guardrails/store";
import type { Input, Result } from "../../platform/http/operation";
import type * as contract from "./thresholds-contract";

type Thresholds = Result<typeof contract.getGuardrailThresholds>["data"];

/** Reads a guardrail's thresholds. */
async function read(db: Database, context: Context, guardrailId: string): Promise<Thresholds> {
  const { thresholds, workspace } = await findOfGuardrail(db, context, guardrailId, {
    thresholds: { select: { percents: true } },
    workspace: { select: { organization: { select: { budgetThresholds: true } } } },
  });
  const percents = thresholds ? (thresholds.percents as number[]) : null;
  return { percents, in_force: percents ?? (workspace.organization.budgetThresholds as number[]) };
}

export async function get(
  context: Context,
  { params }: Input<typeof contract.getGuardrailThresholds>,
): Promise<Result<typeof contract.getGuardrailThresholds>> {
  return { data: await read(context.db, context, params.id) };
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
