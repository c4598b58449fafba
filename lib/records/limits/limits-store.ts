import "server-only";
import { Prisma, type Limit as Row } from "../../../prisma/generated/client";
import { indexLimits, type LimitIndex } from "../../engine/budgets/limit";
import { selectList } from "../../platform/database/column-names";
import { cached, type Loaded } from "../../platform/database/policy-cache";
import type { Database } from "../../platform/database/transaction";
import { toRule } from "../budgets/limit-rows";

const NO_LIMITS = indexLimits([]);

/** Returns the limits in force in an organization. */
export const loadLimits = async (db: Database, organizationId: string): Promise<LimitIndex> =>
  (await cached(db, ["limits", organizationId], () => load(db, organizationId))) ?? NO_LIMITS;

const COLUMNS = selectList("limits", Prisma.LimitScalarFieldEnum);

/** Uses raw SQL because it runs on many requests. */
async function load(db: Database, organizationId: string): Promise<Loaded<LimitIndex>> {
  const rows = await db.$queryRaw<Row[]>`
    SELECT ${COLUMNS} FROM limits WHERE organization_id = ${organizationId}::uuid AND enabled ORDER BY id`;
  return { organizationId, value: indexLimits(rows.map(toRule)) };
}
