"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AuditLink } from "@/components/audit/audit-link";
import { DeleteDialog } from "@/components/form/delete-dialog";
import { DataState } from "@/components/layout/data-state";
import { Editable, May } from "@/components/session/may";
import { deleteLimit, updateLimit } from "@/lib/browser/operations/limits";
import { Button } from "@/components/ui/button";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import type { Limit } from "@/lib/records/limits/contract";
import { LimitForm } from "./limit-form";
import { limitQuery, limitSubjectsQuery, useDeleteLimit } from "./limit-queries";
import { StandingMeter } from "./standing-meter";

interface NewLimitProps {
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function NewLimit({ onClose, onCreated }: NewLimitProps) {
  return (
    <SideSheet open onClose={onClose} title="New limit">
      <LimitForm limit={null} onCreated={onCreated} />
    </SideSheet>
  );
}

/** Side sheet with a limit's settings, and what its subjects have used. */
export function LimitSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const limit = useQuery(limitQuery(id));
  return (
    <SideSheet
      open
      onClose={onClose}
      title={limit.data?.data.name ?? "Limit"}
      actions={limit.data && <AuditLink type="limit" id={id} />}
    >
      <DataState query={limit} subject="this limit" skeleton={<Skeleton className="h-96 w-full" />}>
        {({ data }) => (
          <div className="grid gap-6">
            <Subjects limit={data} />
            <Editable permission={updateLimit}>
              <LimitForm limit={data} />
            </Editable>
            <May permission={deleteLimit}>
              <DeleteSection limit={data} onDeleted={onClose} />
            </May>
          </div>
        )}
      </DataState>
    </SideSheet>
  );
}

/** The subjects closest to the limit. */
function Subjects({ limit }: { limit: Limit }) {
  const subjects = useQuery(limitSubjectsQuery(limit.id));
  return (
    <section aria-labelledby="limit-subjects" className="grid gap-3">
      <h3 id="limit-subjects" className="text-[13px] font-medium">
        Used in this period
      </h3>
      <DataState query={subjects} subject="what is used" skeleton={<Skeleton className="h-10" />}>
        {({ data, total_count }) =>
          data.length === 0 ? (
            <p className="text-[13px] text-muted">Nothing yet</p>
          ) : (
            <ul aria-label="Subjects closest to the limit" className="grid gap-3">
              {data.map((standing) => (
                <li key={standing.id ?? ""}>
                  <StandingMeter limit={limit} standing={standing} />
                </li>
              ))}
              {total_count > data.length && (
                <li className="text-[13px] text-muted">
                  {(total_count - data.length).toLocaleString("en")} more, further from the limit
                </li>
              )}
            </ul>
          )
        }
      </DataState>
    </section>
  );
}

function DeleteSection({ limit: { id, name }, onDeleted }: { limit: Limit; onDeleted: () => void }) {
  const deletion = useDeleteLimit();
  const [isAsking, setAsking] = useState(false);
  return (
    <section aria-label="Delete" className="flex flex-wrap items-center justify-between gap-3 border-t pt-5">
      <p className="text-muted">To keep what it has counted, turn it off instead.</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete limit…
      </Button>
      {isAsking && (
        <DeleteDialog
          id={id}
          name={name}
          action="Delete limit"
          deletion={deletion}
          done="Limit deleted"
          onClose={() => setAsking(false)}
          onDeleted={onDeleted}
        >
          Requests aren&apos;t limited by it from now on. This can&apos;t be undone.
        </DeleteDialog>
      )}
    </section>
  );
}
