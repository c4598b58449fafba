import { z } from "zod";
import { Decision } from "../../engine/decision/contract";
import { GenerationFilters } from "../../records/generations/contract";
import { GuardrailTrial } from "../../records/guardrails/contract";
import { RESET_INTERVALS } from "../../engine/vocabulary";
import { envelope, Instant, operation, Timestamp } from "../../platform/http/operation";
import { PolicyCheck } from "../policy-check/contract";
import { CHANGES, DEFAULT_SELECTED, MAX_ROWS, MAX_SELECTED, OBSTACLES, type Obstacle } from "./vocabulary";

const count = z.number().int().min(0);

const Selection = z.strictObject({
  last: z
    .number()
    .int()
    .min(1)
    .max(MAX_SELECTED)
    .default(DEFAULT_SELECTED)
    .meta({ description: "Maximum number of generations, newest first" }),
  from: Instant.optional().meta({
    description: "At or after this time. Default: 30 days before `to`, or before now",
  }),
  to: Instant.optional().meta({ description: "Before" }),
  filters: z
    .strictObject(GenerationFilters.omit({ from: true, to: true, workspace_id: true }).shape)
    .prefault({})
    .meta({ description: "Filters as in the query of `GET /generations`" }),
});

export const ReplayBody = z.strictObject({
  guardrail: GuardrailTrial.meta({
    description: "Fields of a draft, or the ID of a stored guardrail with changed fields",
  }),
  key_hashes: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(1000)
    .optional()
    .meta({ description: "Evaluate as if assigned to these keys, and only for their requests" }),
  selection: Selection.prefault({}),
  limit: z.number().int().min(1).max(MAX_ROWS).default(100).meta({ description: "Maximum number of rows to return" }),
  cursor: z
    .string()
    .max(500)
    .optional()
    .meta({ description: "`next_cursor` of the previous response; counts refer to the rest" }),
});
export type ReplayBody = z.output<typeof ReplayBody>;

const Verdict = z.object({
  outcome: PolicyCheck.shape.outcome,
  message: z.string().nullable(),
  provider: z.string().nullable().meta({ description: "The first candidate; null for none" }),
  model: z.string().nullable(),
  decisions: z.array(Decision),
});

export const ReplayRow = z
  .object({
    generation_id: z.string(),
    created_at: Timestamp,
    change: z.enum(CHANGES),
    before: Verdict.meta({ description: "As recorded" }),
    after: Verdict,
    why: z.string(),
    found: z
      .array(
        z.object({
          path: Decision.shape.spans.element.shape.path,
          start: z.number().int(),
          end: z.number().int(),
          rule: z.string(),
        }),
      )
      .meta({
        description: "Matches in stored content of filters that were not in force then; paths start with `messages`",
      }),
  })
  .meta({ id: "ReplayRow" });
export type ReplayRow = z.output<typeof ReplayRow>;

const ReachedBudget = z.object({
  counted_per: z.enum(["key", "member"]),
  key_hash: z.string().nullable(),
  user_id: z.string().nullable(),
  limit_usd: z.number(),
  reset_interval: z.enum(RESET_INTERVALS).nullable(),
  window_start: Timestamp.nullable(),
  reached_at: Timestamp,
  generation_id: z.string().meta({ description: "The request that reached the limit" }),
  stopped: count.meta({ description: "Number of selected requests it would have blocked" }),
});

const counts = {
  evaluated: count,
  not_evaluable: count,
  obstacles: z
    .partialRecord(z.enum(Object.keys(OBSTACLES) as [Obstacle, ...Obstacle[]]), count)
    .meta({ description: "Number of requests that can't be evaluated, by reason" }),
  unchanged: count,
  ...(Object.fromEntries(CHANGES.map((change) => [change, count])) as Record<(typeof CHANGES)[number], typeof count>),
};

export const ReplayProgress = z.object({ selected: count, ...counts }).meta({ id: "ReplayProgress" });
export type ReplayProgress = z.output<typeof ReplayProgress>;

export const Replay = z
  .object({
    selected: count,
    truncated: z
      .boolean()
      .meta({ description: "Whether more generations match the time range and filters than were selected" }),
    ...counts,
    budgets: z.array(ReachedBudget).meta({
      description:
        "The draft's limits that the selected requests alone would have reached, with each window starting at zero",
    }),
    rows: z.array(ReplayRow).meta({ description: "Changed generations, newest first" }),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: "Replay" });
export type Replay = z.output<typeof Replay>;

export const replayGuardrail = operation({
  tag: "Guardrails",
  access: "management",
  id: "replayGuardrail",
  permission: "guardrails:read",
  byWorkspace: true,
  method: "POST",
  path: "/guardrails/replay",
  summary: "Replay recorded requests against a guardrail or a draft of one. Nothing is sent, charged or changed",
  body: ReplayBody,
  bodySize: "medium",
  inspected: true,
  status: 200,
  result: envelope(Replay),
  streams: envelope(z.union([ReplayProgress, Replay])),
  errors: [404],
  example: {
    body: { guardrail: { content_filter_builtins: [{ slug: "email", action: "redact" }] }, selection: { last: 500 } },
  },
});
