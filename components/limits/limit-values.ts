import type { z } from "zod";
import type { CreateLimitBody, Limit } from "@/lib/records/limits/contract";

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

export const valuesOf = ({
  name,
  workspace_id,
  subject_type,
  subject_ids,
  metric,
  amount,
  reset_interval,
  time_zone,
  starts,
  include_byok,
  carry_over,
  enabled,
}: Limit): LimitValues => ({
  name,
  workspace_id,
  subject_type,
  subject_ids,
  metric,
  amount,
  reset_interval,
  time_zone,
  starts,
  include_byok,
  carry_over,
  enabled,
});

/** True for spend that resets. */
export const canCarryOver = ({ metric, reset_interval }: Pick<LimitValues, "metric" | "reset_interval">): boolean =>
  metric === "spend" && Boolean(reset_interval);
