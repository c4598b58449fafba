"use client";
import { useQuery } from "@tanstack/react-query";
import { ResourceList } from "@/components/layout/resource-list";
import { LinkButton } from "@/components/ui/link-button";
import { generationColumns } from "./generation-columns";
import type { Subject } from "./log-link";
import { recentGenerationsQuery } from "./recent-generations-query";

const SHOWN = new Set(["model", "status", "key", "cost", "time"]);
const COLUMNS = generationColumns((id) => `/generations/${id}`).filter(({ id }) => SHOWN.has(id));

const logOf = (filters: Record<string, string>) => `/generations?${new URLSearchParams({ ...filters, range: "30d" })}`;

/** Recent requests of a key or member, with a link to the full log. */
export function RecentGenerations({ of }: { of: Subject }) {
  const generations = useQuery(recentGenerationsQuery(of));
  const columns = COLUMNS.filter(({ id }) => id !== "key" || "user_id" in of);
  return (
    <section aria-labelledby="recent-generations" className="grid gap-3">
      <div className="flex min-h-7 flex-wrap items-center justify-between gap-3">
        <h2 id="recent-generations" className="text-sm font-semibold">
          Recent generations
        </h2>
        {(generations.data?.data.length ?? 0) > 0 && (
          <div className="flex gap-2">
            <LinkButton size="sm" href={logOf({ ...of, status: "blocked" })}>
              View blocked
            </LinkButton>
            <LinkButton size="sm" href={logOf(of)}>
              View all
            </LinkButton>
          </div>
        )}
      </div>
      <ResourceList
        label="Recent generations"
        subject="generations"
        query={generations}
        columns={columns}
        rowKey={({ id }) => id}
        skeletonRows={3}
        empty={<p className="text-muted">No generations in the last 30 days.</p>}
      />
    </section>
  );
}
