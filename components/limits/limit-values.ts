import type { z } from "zod";
import type { CreateLimitBody, Limit, UpdateLimitBody } from "@/lib/records/limits/contract";

export type LimitValues = z.input<typeof CreateLimitBody>;

export const newValues = (timeZone: string): LimitValues => ({
  name: "",
  workspace_id: null,
  subject_type: "workspace",
  subject_ids: null,
  metric: "spend",
  // The field is empty at first; the schema then says that it is required.
  amount: null as unknown as number,
  reset_interval: "monthly",
  time_zone: timeZone,
  starts: { hour: 0, weekday: 1, month_day: 1 },
  include_byok: false,
  carry_over: false,
  enabled: true,
});

/** Fields that can be changed. */
const CHANGEABLE = [
  "name",
  "subject_ids",
  "amount",
  "reset_interval",
  "time_zone",
  "starts",
  "include_byok",
  "carry_over",
  "enabled",
] as const;
const FIELDS = [...CHANGEABLE, "workspace_id", "subject_type", "metric"] as const;

function pick<Fields, Name extends keyof Fields>(fields: Fields, names: readonly Name[]): Pick<Fields, Name> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<Fields, Name>;
}

export const valuesOf = (limit: Limit): LimitValues => pick(limit, FIELDS);

/** Returns the fields of a change that the user has changed. */
export const changesOf = (
  values: z.output<typeof CreateLimitBody>,
  dirty: Partial<Record<keyof LimitValues, unknown>>,
): UpdateLimitBody =>
  pick(
    values,
    CHANGEABLE.filter((field) => dirty[field]),
  );
