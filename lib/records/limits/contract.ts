import { z } from "zod";
import { LIMIT_METRICS, LIMIT_SUBJECTS, MOST_SUBJECT_ID, MOST_SUBJECTS } from "../../engine/budgets/vocabulary";
import { LIMIT_INTERVALS } from "../../engine/vocabulary";
import { Deleted, envelope, IdParams, operation, Timestamp, Uuid } from "../../platform/http/operation";
import { page, PageQuery } from "../../platform/http/pagination";
import { newName } from "../../platform/name-contract";

/** Names like `Europe/Berlin`; an offset isn't one, because it has no daylight saving time. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,2}$/;

function isTimeZone(name: string): boolean {
  try {
    return ZONE_NAME.test(name) && new Intl.DateTimeFormat("en", { timeZone: name }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

const StartFields = z.strictObject({
  hour: z.number().int().min(0).max(23).meta({ description: "Hour of the day" }),
  weekday: z.number().int().min(1).max(7).meta({ description: "First day of the week; 1 is Monday" }),
  month_day: z.number().int().min(1).max(31).meta({
    description: "First day of the month; the last day of a month that is shorter",
  }),
});
const { hour, weekday, month_day } = StartFields.shape;
const Starts = z
  .strictObject({ hour: hour.default(0), weekday: weekday.default(1), month_day: month_day.default(1) })
  .meta({ description: "When a day, week or month starts in the time zone" });

const LimitFields = z.object({
  name: newName(100),
  workspace_id: Uuid.nullable().meta({ description: "Counts only requests of this workspace; null for all" }),
  subject_type: z.enum(LIMIT_SUBJECTS).meta({
    description:
      "Whose requests are counted; can't be changed later. `keys` is one limit that the listed keys share, every other kind counts each subject separately",
  }),
  subject_ids: z
    .array(z.string().min(1).max(MOST_SUBJECT_ID))
    .min(1)
    .max(MOST_SUBJECTS)
    .refine((ids) => new Set(ids).size === ids.length, "must not contain duplicates")
    .nullable()
    .meta({
      description:
        "Workspace IDs, tags, user IDs, key hashes, end users, or slugs of models or providers. null for each one of this kind that no other limit of the same metric and interval names; null for `organization`",
    }),
  metric: z.enum(LIMIT_METRICS).meta({ description: "What is counted; can't be changed later" }),
  amount: z.number().min(0).max(1_000_000_000_000).multipleOf(0.000001).meta({
    description: "USD (spend), or a whole number of requests or tokens",
  }),
  reset_interval: z.enum(LIMIT_INTERVALS).nullable().meta({
    description:
      "daily, weekly, monthly or null (never) for spend; any but null for requests and tokens; null for concurrent_requests",
  }),
  time_zone: z
    .string()
    .max(64)
    .refine(isTimeZone, "must be a name of the time zone database, such as Europe/Berlin")
    .meta({ description: "Time zone in which days, weeks and months start" }),
  starts: Starts,
  include_byok: z.boolean().meta({ description: "Whether spend on your own provider keys counts" }),
  carry_over: z.boolean().meta({
    description: "Whether what is unspent at the end of a period is added to the next one, once. For spend that resets",
  }),
  enabled: z.boolean(),
});

type Checked = Pick<
  z.output<typeof LimitFields>,
  "workspace_id" | "subject_type" | "subject_ids" | "metric" | "amount" | "reset_interval" | "carry_over"
>;

const INTERVALS_OF: Readonly<Record<Checked["metric"], readonly Checked["reset_interval"][]>> = {
  spend: ["daily", "weekly", "monthly", null],
  requests: LIMIT_INTERVALS,
  tokens: LIMIT_INTERVALS,
  concurrent_requests: [null],
};

/** Problems of values that depend on each other. */
export function limitIssues(limit: Checked): { path: string[]; message: string }[] {
  const { workspace_id, subject_type, subject_ids, metric, amount, reset_interval, carry_over } = limit;
  const issue = (isWrong: boolean, field: keyof Checked, message: string) =>
    isWrong ? [{ path: [field], message }] : [];
  return [
    ...issue(subject_type === "organization" && subject_ids !== null, "subject_ids", "must be null for organization"),
    ...issue(subject_type === "keys" && subject_ids === null, "subject_ids", "is required for keys"),
    ...issue(
      workspace_id !== null && (subject_type === "organization" || subject_type === "workspace"),
      "workspace_id",
      `must be null for ${subject_type}`,
    ),
    ...issue(
      !INTERVALS_OF[metric].includes(reset_interval),
      "reset_interval",
      `must be one of ${INTERVALS_OF[metric].map(String).join(", ")} for ${metric}`,
    ),
    ...issue(metric !== "spend" && !Number.isInteger(amount), "amount", `must be a whole number for ${metric}`),
    ...issue(
      carry_over && (metric !== "spend" || reset_interval === null),
      "carry_over",
      "can only be true for spend that resets",
    ),
  ];
}

export const CreateLimitBody = z
  .strictObject({
    ...LimitFields.shape,
    workspace_id: LimitFields.shape.workspace_id.default(null),
    subject_ids: LimitFields.shape.subject_ids.default(null),
    reset_interval: LimitFields.shape.reset_interval.default(null),
    time_zone: LimitFields.shape.time_zone.default("UTC"),
    starts: Starts.default({ hour: 0, weekday: 1, month_day: 1 }),
    include_byok: LimitFields.shape.include_byok.default(false),
    carry_over: LimitFields.shape.carry_over.default(false),
    enabled: LimitFields.shape.enabled.default(true),
  })
  .superRefine((limit, context) => {
    for (const issue of limitIssues(limit)) context.addIssue({ code: "custom", ...issue });
  });
export type CreateLimitBody = z.input<typeof CreateLimitBody>;

export const UpdateLimitBody = z.strictObject(
  LimitFields.omit({ subject_type: true, metric: true, workspace_id: true })
    .extend({ starts: StartFields.partial().meta({ description: "Fields that aren't given stay as they are" }) })
    .partial().shape,
);
export type UpdateLimitBody = z.input<typeof UpdateLimitBody>;

export const LimitStanding = z
  .object({
    id: z
      .string()
      .nullable()
      .meta({ description: "The subject; null for the organization, and for keys that share a limit" }),
    name: z.string(),
    limit: z.number().meta({ description: "Including what is carried over from the period before" }),
    used: z.number().meta({ description: "Counted in this period; 0 for concurrent requests" }),
    reserved: z
      .number()
      .min(0)
      .meta({ description: "Reserved by running requests; of other processes as of half a second ago" }),
    remaining: z.number().min(0),
    window_start: Timestamp.nullable(),
    resets_at: Timestamp.nullable(),
    exhausted_at: Timestamp.nullable().meta({
      description:
        "When the limit is reached at the pace of this period; null when it resets before, or isn't of spend",
    }),
  })
  .meta({ id: "LimitStanding" });
export type LimitStanding = z.output<typeof LimitStanding>;

export const Limit = z
  .object({
    id: Uuid,
    ...LimitFields.shape,
    name: z.string(),
    starts: z.object({ hour: z.number().int(), weekday: z.number().int(), month_day: z.number().int() }),
    subject_names: z.array(z.string()).nullable().meta({ description: "Names of subject_ids, in their order" }),
    closest: LimitStanding.nullable().meta({
      description: "The subject closest to the limit; null when none has used it in this period",
    }),
    revision: z.number().int().min(1),
    created_at: Timestamp,
    updated_at: Timestamp.nullable(),
  })
  .meta({ id: "Limit" });
export type Limit = z.output<typeof Limit>;

const limits = { tag: "Limits", access: "management" } as const;

export const listLimits = operation({
  ...limits,
  permission: "budgets:read",
  byWorkspace: true,
  id: "listLimits",
  method: "GET",
  path: "/limits",
  summary: "List limits on spend, requests and tokens by name, each with the subject closest to it",
  query: PageQuery.extend({
    subject_type: z.enum(LIMIT_SUBJECTS).optional(),
    metric: z
      .union([z.enum(LIMIT_METRICS), z.array(z.enum(LIMIT_METRICS)).max(LIMIT_METRICS.length)])
      .optional()
      .meta({ description: "What is counted; repeated for any of several" }),
    key_hash: z.string().min(1).max(256).optional().meta({
      description: "Limits that count the key's requests; `closest` is then a subject of these requests",
    }),
    user_id: z.string().min(1).max(256).optional().meta({
      description: "Limits that count the member's requests; `closest` is then a subject of these requests",
    }),
    workspace_id: Uuid.optional().meta({ description: "Limits that count requests of the workspace" }),
  }),
  status: 200,
  result: page(Limit),
  errors: [404],
});

export const getLimit = operation({
  ...limits,
  permission: "budgets:read",
  byWorkspace: true,
  id: "getLimit",
  method: "GET",
  path: "/limits/{id}",
  summary: "Get a limit",
  params: IdParams,
  status: 200,
  result: envelope(Limit),
  etag: true,
});

export const listLimitSubjects = operation({
  ...limits,
  permission: "budgets:read",
  byWorkspace: true,
  id: "listLimitSubjects",
  method: "GET",
  path: "/limits/{id}/subjects",
  summary: "List the subjects that have used a limit in its current period, closest to it first",
  params: IdParams,
  query: PageQuery,
  status: 200,
  result: page(LimitStanding),
});

export const createLimit = operation({
  ...limits,
  permission: "budgets:write",
  id: "createLimit",
  method: "POST",
  path: "/limits",
  summary: "Limit what subjects may spend or send; counts requests from now on",
  body: CreateLimitBody,
  status: 201,
  result: envelope(Limit),
  errors: [409],
  idempotent: true,
  etag: true,
  example: {
    body: {
      name: "Search team",
      subject_type: "tag",
      subject_ids: ["team:search"],
      metric: "spend",
      amount: 500,
      reset_interval: "monthly",
      time_zone: "Europe/Berlin",
    },
  },
});

export const updateLimit = operation({
  ...limits,
  permission: "budgets:write",
  id: "updateLimit",
  method: "PATCH",
  path: "/limits/{id}",
  summary:
    "Update the given fields of a limit; another period starts counting from zero, and one that it had before resumes its count",
  params: IdParams,
  body: UpdateLimitBody,
  status: 200,
  result: envelope(Limit),
  errors: [409],
  etag: true,
  ifMatch: true,
  example: { body: { amount: 750 } },
});

export const deleteLimit = operation({
  ...limits,
  permission: "budgets:write",
  id: "deleteLimit",
  method: "DELETE",
  path: "/limits/{id}",
  summary: "Delete a limit",
  params: IdParams,
  status: 200,
  result: Deleted,
  ifMatch: true,
});
