"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { AuditLink } from "@/components/audit/audit-link";
import { DataState } from "@/components/layout/data-state";
import { Editable, May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Facts } from "@/components/ui/facts";
import { RelativeTime } from "@/components/ui/relative-time";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { ExportDestination } from "@/lib/features/exports/contract";
import { Alert } from "@/components/ui/alert";
import { ExportState } from "./export-columns";
import { ExportForm, NewExportForm } from "./export-form";
import { exportQuery, useDeleteExport, useTestExport, useUpdateExport } from "./export-queries";
import { ExportRuns } from "./export-runs";
import { addressOf, CONTENT_LABELS, KIND_LABELS } from "./export-text";

const VIEWS = [
  { value: "runs", label: "Runs" },
  { value: "settings", label: "Settings" },
] as const;

interface NewExportProps {
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function NewExport({ onClose, onCreated }: NewExportProps) {
  return (
    <SideSheet open onClose={onClose} title="New export destination">
      <NewExportForm onCreated={onCreated} />
    </SideSheet>
  );
}

/** Side sheet with a destination's state, runs and settings. */
export function ExportSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const destination = useQuery(exportQuery(id));
  return (
    <SideSheet
      open
      onClose={onClose}
      title={destination.data?.data.name ?? "Export destination"}
      actions={destination.data && <AuditLink type="export_destination" id={id} />}
    >
      <DataState query={destination} subject="this export destination" skeleton={<Skeleton className="h-96 w-full" />}>
        {({ data }) => <ExportViews destination={data} onGone={onClose} />}
      </DataState>
    </SideSheet>
  );
}

function ExportViews({ destination, onGone }: { destination: ExportDestination; onGone: () => void }) {
  const [view, setView] = useState<(typeof VIEWS)[number]["value"]>("runs");
  const { kind, otlp, content, exported_until, oldest_pending_at, enabled, failing_since, next_run_at } = destination;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex min-w-0 flex-wrap items-center gap-2">
          <ExportState destination={destination} />
          <span className="font-mono text-[13px] wrap-anywhere text-muted">{addressOf(destination)}</span>
        </p>
        <May permission="organization:write">
          <Actions destination={destination} onTested={() => setView("runs")} />
        </May>
      </div>
      <ExportTrouble destination={destination} />
      <Facts
        facts={[
          { term: "Kind", value: KIND_LABELS[kind] },
          {
            term: "Signals",
            value: otlp && <span className="inline-block first-letter:uppercase">{otlp.signals.join(" and ")}</span>,
          },
          { term: "Content", value: CONTENT_LABELS[content] },
          { term: "Exported until", value: exported_until ? <RelativeTime at={exported_until} /> : "Nothing yet" },
          { term: "Oldest pending", value: oldest_pending_at ? <RelativeTime at={oldest_pending_at} /> : "None" },
          {
            term: "Next run",
            value: enabled && failing_since === null && <RelativeTime at={next_run_at} isUpcoming />,
          },
        ]}
      />
      <Tabs label="Export destination" value={view} onChange={setView} items={VIEWS}>
        <TabPanel value="runs">
          <ExportRuns id={destination.id} />
        </TabPanel>
        <TabPanel value="settings">
          <Editable permission="organization:write">
            <div className="grid gap-6">
              <ExportForm destination={destination} />
              <DeleteSection destination={destination} onDeleted={onGone} />
            </div>
          </Editable>
        </TabPanel>
      </Tabs>
    </div>
  );
}

interface ActionsProps {
  destination: ExportDestination;
  onTested: () => void;
}

function Actions({ destination: { id, enabled }, onTested }: ActionsProps) {
  const test = useTestExport(id);
  const update = useUpdateExport(id);
  const onError = (error: Error) => toast.error(toFailure(error).message);
  const sendTest = () =>
    test.mutate(undefined, {
      onError,
      onSuccess: ({ data: { error, duration_ms } }) => {
        onTested();
        if (error === null) toast.success(`Test accepted in ${duration_ms.toLocaleString("en")} ms`);
        else toast.error(`Test failed: ${error}`);
      },
    });
  const toggle = () =>
    update.mutate(
      { enabled: !enabled },
      { onError, onSuccess: () => toast.success(enabled ? "Export paused" : "Export resumed") },
    );
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" disabled={test.isPending} onClick={sendTest}>
        Send test
      </Button>
      <Button size="sm" variant={enabled ? "secondary" : "primary"} disabled={update.isPending} onClick={toggle}>
        {enabled ? "Pause" : "Resume"}
      </Button>
    </div>
  );
}

interface DeleteSectionProps {
  destination: ExportDestination;
  onDeleted: () => void;
}

function DeleteSection({ destination: { id, name }, onDeleted }: DeleteSectionProps) {
  const deletion = useDeleteExport(id);
  const [isAsking, setAsking] = useState(false);
  const confirm = () =>
    deletion.mutate(undefined, {
      onSuccess: () => {
        toast.success("Export destination deleted");
        onDeleted();
      },
    });
  return (
    <section aria-label="Delete" className="flex flex-wrap items-center justify-between gap-3 border-t pt-5">
      <p className="text-muted">Ends the export. Exported data is kept.</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete destination…
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete ${name}?`}
        action="Delete destination"
        typed={name}
        isPending={deletion.isPending}
        onConfirm={confirm}
      >
        <p>
          Its position, credentials and run history are deleted. A new destination starts at its own position. This
          can&apos;t be undone.
        </p>
        {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
      </ConfirmDialog>
    </section>
  );
}

/** Alert for a paused or failing destination. */
function ExportTrouble({
  destination: { enabled, paused_reason, failing_since, next_run_at, last_run },
}: {
  destination: ExportDestination;
}) {
  if (!enabled)
    return (
      <Alert kind="warning" title={paused_reason === null ? "Paused" : `Paused: ${paused_reason}`}>
        Generations aren&apos;t lost: exports continue at the same position once you resume, as long as the log still
        has them.
      </Alert>
    );
  return (
    failing_since !== null && (
      <Alert
        kind="warning"
        title={
          <>
            Started failing <RelativeTime at={failing_since} />
            {last_run?.error && `: ${last_run.error}`}
          </>
        }
      >
        Next attempt: <RelativeTime at={next_run_at} isUpcoming />. After a day of failures the destination is paused.
      </Alert>
    )
  );
}
