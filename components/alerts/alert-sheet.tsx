"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { AuditLink } from "@/components/audit/audit-link";
import { DataState } from "@/components/layout/data-state";
import { Editable, May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { TabPanel, Tabs } from "@/components/ui/tabs";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Alert } from "@/lib/features/alerts/contract";
import { AlertState, Channels } from "./alert-columns";
import { AlertForm } from "./alert-form";
import { alertQuery, useDeleteAlert, useTestAlert, type FiringFilters } from "./alert-queries";
import { channelsText, conditionText } from "./alert-text";
import { Firings } from "./firings";

const VIEWS = [
  { value: "settings", label: "Settings" },
  { value: "history", label: "History" },
] as const;

interface NewAlertProps {
  onClose: () => void;
  onCreated: (id: string) => void;
}

export function NewAlert({ onClose, onCreated }: NewAlertProps) {
  return (
    <SideSheet open onClose={onClose} title="New alert">
      <AlertForm alert={null} onCreated={onCreated} />
    </SideSheet>
  );
}

/** Side sheet with a rule's settings and history. */
export function AlertSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const alert = useQuery(alertQuery(id));
  return (
    <SideSheet
      open
      onClose={onClose}
      title={alert.data?.data.name ?? "Alert"}
      actions={alert.data && <AuditLink type="alert" id={id} />}
    >
      <DataState query={alert} subject="this alert" skeleton={<Skeleton className="h-96 w-full" />}>
        {({ data }) => <AlertViews alert={data} onGone={onClose} />}
      </DataState>
    </SideSheet>
  );
}

function AlertViews({ alert, onGone }: { alert: Alert; onGone: () => void }) {
  const [view, setView] = useState<(typeof VIEWS)[number]["value"]>("settings");
  const [state, setFilter] = useState<FiringFilters["state"]>(null);
  const [offset, setOffset] = useState(0);
  const test = useTestAlert(alert.id);
  const sendTest = () =>
    test.mutate(undefined, {
      onSuccess: () => {
        toast.success("Test queued for every channel");
        setView("history");
      },
      onError: (error) => toast.error(toFailure(error).message),
    });
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex min-w-0 flex-wrap items-center gap-2 text-muted">
          <AlertState alert={alert} /> {conditionText(alert)}
          {channelsText(alert) === null && <Channels alert={alert} />}
        </p>
        <May permission="alerts:write">
          <Button size="sm" disabled={test.isPending} onClick={sendTest}>
            Send test
          </Button>
        </May>
      </div>
      <Tabs label="Alert" value={view} onChange={setView} items={VIEWS}>
        <TabPanel value="settings">
          <Editable permission="alerts:write">
            <div className="grid gap-6">
              <AlertForm alert={alert} />
              <DeleteSection alert={alert} onDeleted={onGone} />
            </div>
          </Editable>
        </TabPanel>
        <TabPanel value="history">
          <Firings
            workspace={null}
            alert={alert.id}
            state={state}
            offset={offset}
            onState={(next) => {
              setFilter(next);
              setOffset(0);
            }}
            onOffset={setOffset}
          />
        </TabPanel>
      </Tabs>
    </div>
  );
}

function DeleteSection({ alert: { id, name }, onDeleted }: { alert: Alert; onDeleted: () => void }) {
  const deletion = useDeleteAlert();
  const [isAsking, setAsking] = useState(false);
  const confirm = () =>
    deletion.mutate(id, {
      onSuccess: () => {
        toast.success("Alert deleted");
        onDeleted();
      },
    });
  return (
    <section aria-label="Delete" className="flex flex-wrap items-center justify-between gap-3 border-t pt-5">
      <p className="text-muted">Deletes the rule with its history.</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete alert…
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete ${name}?`}
        action="Delete alert"
        isPending={deletion.isPending}
        onConfirm={confirm}
      >
        <p>Nobody is notified anymore, and the history of this rule is deleted. This can&apos;t be undone.</p>
        {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
      </ConfirmDialog>
    </section>
  );
}
