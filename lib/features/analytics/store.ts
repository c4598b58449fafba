import "server-only";
import { Prisma } from "../../../prisma/generated/client";
import { ruleFacts } from "./facts-store";
import type { Counted } from "./tables";
import { NO_ID } from "./measure-columns";

const { sql } = Prisma;
const TOP_RULES = 10;

export interface RuleRow {
  guardrail_id: string | null;
  guardrail_name: string | null;
  field: string;
  rule: string | null;
  action: string;
  requests: number;
}

/** Query for the rules of guardrails and keys' limits that applied to the most requests. */
export const rulesOf = (of: Counted): Prisma.Sql => sql`
  SELECT nullif(fired.guardrail_id, ${NO_ID}::uuid) AS guardrail_id, fired.field, fired.rule, fired.action, fired.requests,
    coalesce(guardrails.name, fired.stored_name) AS guardrail_name
  FROM (
    SELECT guardrail_id, max(guardrail_name) AS stored_name, field, max(rule) AS rule, action, sum(requests)::int AS requests
    FROM (${ruleFacts(of)}) facts
    GROUP BY guardrail_id, field, rule_hash, action
    ORDER BY requests DESC, nullif(guardrail_id, ${NO_ID}::uuid), field, max(rule), action LIMIT ${TOP_RULES}
  ) AS fired LEFT JOIN guardrails ON guardrails.id = fired.guardrail_id
  ORDER BY fired.requests DESC, nullif(fired.guardrail_id, ${NO_ID}::uuid), fired.field, fired.rule, fired.action`;
