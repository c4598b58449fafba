"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { Query } from "@/lib/browser/api-client";
import type { listLimits } from "@/lib/browser/operations/limits";
import { limitsQuery } from "./limit-queries";
import { LimitEntry } from "./spend-branches";

/** The organization's limits that count the requests of a key or member. */
export function LimitsCard({ of }: { of: Pick<Query<typeof listLimits>, "key_hash" | "user_id"> }) {
  const limits = useQuery(limitsQuery(of));
  return (
    <Card
      id="limits"
      title="Limits"
      description="Limits of the organization, workspace, tags and members that count these requests."
      action={<TextLink href="/budgets">All limits</TextLink>}
    >
      <DataState query={limits} subject="limits" skeleton={<Skeleton className="h-10" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">No limits</p>
          ) : (
            <ul aria-label="Limits" className="grid gap-4">
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
