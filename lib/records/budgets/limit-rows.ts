import "server-only";
import type { Limit as Row } from "../../../prisma/generated/client";
import type { Limit as Rule } from "../../engine/budgets/budget-rule";

/** Returns a stored limit as the engine applies it. */
export const toRule = (row: Row): Rule => ({
  id: row.id,
  name: row.name,
  workspaceId: row.workspaceId,
  subject: row.subject,
  subjectIds: row.isForEach ? null : row.subjectIds,
  metric: row.metric,
  amount: row.amount,
  cycle: {
    interval: row.window === "lifetime" ? null : row.window,
    timeZone: row.timeZone,
    hour: row.startHour,
    weekday: row.startWeekday,
    monthDay: row.startMonthDay,
  },
  includesByok: row.includeByok,
  carriesSince: row.carryOver ? row.carriesSince : null,
});
