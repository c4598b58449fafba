import { z } from "zod";
import { OBSERVED_ACTIONS } from "../../engine/policy/vocabulary";
import { Decision } from "../../engine/decision/contract";
import { envelope, IdParams, operation, Timestamp } from "../../platform/http/operation";

/** Maximum number of rules, and of keys. */
export const MOST_LISTED = 100;
const count = z.number().int().min(0);

export const Observations = z
  .object({
    from: Timestamp,
    to: Timestamp,
    requests: count.meta({ description: "Requests that a rule of the guardrail would have changed or denied" }),
    rules: z
      .array(
        z.object({
          ...Decision.pick({ field: true, rule: true }).shape,
          action: z.enum(OBSERVED_ACTIONS),
          requests: count,
          keys: count.meta({ description: "Keys that sent them" }),
        }),
      )
      .max(MOST_LISTED)
      .meta({ description: "Most requests first" }),
    keys: z
      .array(z.object({ key_hash: z.string().nullable(), key_name: z.string().nullable(), requests: count }))
      .max(MOST_LISTED)
      .meta({ description: "Most requests first" }),
  })
  .meta({ id: "Observations" });
export type Observations = z.output<typeof Observations>;

export const getObservations = operation({
  tag: "Guardrails",
  access: "management",
  id: "getObservations",
  permission: "guardrails:read",
  byWorkspace: true,
  method: "GET",
  path: "/guardrails/{id}/observations",
  summary: "Count what a guardrail that only observes would have done, by rule and by key",
  params: IdParams,
  query: z.object({
    from: Timestamp.optional().meta({ description: "Defaults to 24 hours before `to`" }),
    to: Timestamp.optional().meta({ description: "Defaults to now" }),
  }),
  status: 200,
  result: envelope(Observations),
  errors: [404],
});
