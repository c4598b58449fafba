"use client";
import { useQuery } from "@tanstack/react-query";
import { ResourceList } from "@/components/layout/resource-list";
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
      <ResourceList
        label="Keys"
        subject="keys"
        query={keys}
        columns={OWNED_KEY_COLUMNS}
        rowKey={({ hash }) => hash}
        skeletonRows={2}
        empty={<p className="text-muted">No keys.</p>}
        pages={({ data, total_count }) =>
          total_count > data.length && (
            <p className="text-[13px] text-muted">
              Showing the newest {data.length} of {total_count.toLocaleString("en")}.
            </p>
          )
        }
      />
    </section>
  );
}
