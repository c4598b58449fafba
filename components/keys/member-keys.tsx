"use client";
import { useQuery } from "@tanstack/react-query";
import { DataState } from "@/components/layout/data-state";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { OWNED_KEY_COLUMNS } from "./key-columns";
import { memberKeysQuery } from "./key-queries";

/** Newest keys of a member. */
export function MemberKeys({ userId }: { userId: string }) {
  const keys = useQuery(memberKeysQuery(userId));
  return (
    <section aria-labelledby="member-keys" className="grid gap-3">
      <h2 id="member-keys" className="text-sm font-semibold">
        Keys
      </h2>
      <DataState query={keys} subject="keys" skeleton={<DataTableSkeleton columns={OWNED_KEY_COLUMNS} rows={2} />}>
        {({ data, total_count }) =>
          data.length === 0 ? (
            <p className="text-muted">No keys.</p>
          ) : (
            <>
              <DataTable label="Keys" columns={OWNED_KEY_COLUMNS} rows={data} rowKey={({ hash }) => hash} />
              {total_count > data.length && (
                <p className="text-[13px] text-muted">
                  Showing the newest {data.length} of {total_count.toLocaleString("en")}.
                </p>
              )}
            </>
          )
        }
      </DataState>
    </section>
  );
}
