import type { Sums, Usage } from "@/lib/features/analytics/usage-contract";
import { csvTable } from "@/lib/platform/csv";

interface UsageRow extends Sums {
  at: string;
  id: string | null;
  name: string | null;
}

/** One row per bucket and group, with all other groups together. */
function rowsOf({ groups, other }: Usage): UsageRow[] {
  const rows = groups.flatMap(({ id, name, series }) => series.map((bucket) => ({ ...bucket, id, name })));
  const rest = other?.series.map((bucket) => ({ ...bucket, id: null, name: "(others)" })) ?? [];
  return [...rows, ...rest].toSorted((one, next) => one.at.localeCompare(next.at));
}

/** Usage as CSV (RFC 4180), times in UTC. */
export function usageCsv(usage: Usage, by: string): string {
  const { head, line } = csvTable<UsageRow>({
    time: ({ at }) => at,
    [by]: ({ name, id }) => name ?? id,
    [`${by}_id`]: ({ id }) => id,
    requests: ({ requests }) => requests,
    succeeded: ({ succeeded }) => succeeded,
    failed: ({ failed }) => failed,
    blocked: ({ blocked }) => blocked,
    cancelled: ({ cancelled }) => cancelled,
    spend_usd: ({ spend_usd }) => spend_usd,
    unpriced_requests: ({ unpriced_requests }) => unpriced_requests,
    tokens_prompt: ({ tokens_prompt }) => tokens_prompt,
    tokens_completion: ({ tokens_completion }) => tokens_completion,
    tokens_cached: ({ tokens_cached }) => tokens_cached,
    tokens_per_second: ({ tokens_per_second }) => tokens_per_second,
  });
  return head + rowsOf(usage).map(line).join("");
}
