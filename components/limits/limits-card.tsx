"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { Query } from "@/lib/browser/api-client";
import { isNotFound } from "@/lib/browser/api-failure";
import type { listLimits } from "@/lib/browser/operations/limits";
import { LIMIT_METRICS } from "@/lib/engine/budgets/vocabulary";
import { limitsQuery } from "./limit-queries";
import { LimitEntry } from "./spend-branches";

const RATES = LIMIT_METRICS.filter((metric) => metric !== "spend");

/**
 * Limits on the requests and tokens of a key or member; those on spend are among its budgets. Nothing for a key in a workspace where the
 * user may not see budgets.
 */
export function LimitsCard({ of }: { of: Pick<Query<typeof listLimits>, "key_hash" | "user_id"> }) {
  const limits = useQuery(limitsQuery({ ...of, metric: RATES }));
  if (isNotFound(limits.error)) return null;
  return (
    <Card
      id="limits"
      title="Rate limits"
      description="Limits on requests and tokens of the organization, workspace, tags and members."
      action={<TextLink href="/budgets">All limits</TextLink>}
    >
      <DataState query={limits} subject="limits" skeleton={<Skeleton className="h-10" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">No rate limits</p>
          ) : (
            <ul aria-label="Rate limits" className="grid gap-4">
              {data.map((limit) => (
                <li key={limit.id}>
                  <LimitEntry limit={limit} />
                </li>
              ))}
            </ul>
          )
        }
      </DataState>
    </Card>
  );
}
