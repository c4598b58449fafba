"use client";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { AuditLink } from "@/components/audit/audit-link";
import { FailureAlert } from "@/components/form/failure-alert";
import { DataState } from "@/components/layout/data-state";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";
import { AddressList } from "./address-list";
import { addressesOf } from "./addresses";
import { connectionQuery, useDeleteConnection, useUpdateConnection } from "./connection-queries";
import { ConnectionState } from "./connection-state";
import { PeopleForm } from "./people-form";
import { OidcForm } from "./oidc-form";
import { SamlForm } from "./saml-form";
import { ServiceFiles } from "./service-files";
import { TestSection } from "./test-section";

/** Side sheet that leads through the setup of an identity provider. */
export function ConnectionSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const connection = useQuery(connectionQuery(id));
  return (
    <SideSheet
      open
      onClose={onClose}
      title={connection.data?.data.name ?? "Identity provider"}
      actions={connection.data && <AuditLink type="sign_in_connection" id={id} />}
    >
      <DataState query={connection} subject="this identity provider" skeleton={<Skeleton className="h-96 w-full" />}>
        {({ data }) => <Steps connection={data} onDeleted={onClose} />}
      </DataState>
    </SideSheet>
  );
}

function Steps({ connection, onDeleted }: { connection: SignInConnection; onDeleted: () => void }) {
  return (
    <div className="grid gap-6">
      <Step title="1. Register Signalbox at the provider" description="Enter these addresses there.">
        <AddressList addresses={addressesOf(connection)} />
        <ServiceFiles connection={connection} />
      </Step>
      <Step title="2. Enter the provider’s settings" description="Copy them from the application that you registered.">
        {connection.protocol === "oidc" ? <OidcForm connection={connection} /> : <SamlForm connection={connection} />}
      </Step>
      <Step title="3. Choose who signs in">
        <PeopleForm connection={connection} />
      </Step>
      <Step title="4. Test">
        <TestSection connection={connection} />
      </Step>
      <Step title="5. Turn on">
        <EnabledSection connection={connection} />
      </Step>
      <DeleteSection connection={connection} onDeleted={onDeleted} />
    </div>
  );
}

const Step = ({ title, description, children }: { title: string; description?: string; children: ReactNode }) => (
  <section aria-label={title} className="grid gap-3 border-t pt-5 first:border-t-0 first:pt-0">
    <div className="grid gap-0.5">
      <h3 className="font-semibold">{title}</h3>
      {description && <p className="text-[13px] text-muted">{description}</p>}
    </div>
    {children}
  </section>
);

function EnabledSection({ connection }: { connection: SignInConnection }) {
  const { id, enabled, tested_at } = connection;
  const update = useUpdateConnection(id);
  const change = () =>
    update.mutate(
      { enabled: !enabled },
      { onSuccess: () => toast.success(enabled ? "Identity provider turned off" : "Identity provider turned on") },
    );
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex flex-wrap items-center gap-2 text-muted">
          <ConnectionState connection={connection} />
          {!enabled && tested_at === null && "Turning it on needs a successful test with the current settings."}
          {enabled && "Turning it off ends the sessions that it started."}
        </p>
        <Button
          variant={enabled ? "secondary" : "primary"}
          disabled={update.isPending || (!enabled && tested_at === null)}
          onClick={change}
        >
          {enabled ? "Turn off" : "Turn on"}
        </Button>
      </div>
      {update.error && <FailureAlert failure={toFailure(update.error)} />}
    </div>
  );
}

interface DeleteSectionProps {
  connection: SignInConnection;
  onDeleted: () => void;
}

function DeleteSection({ connection: { id, name }, onDeleted }: DeleteSectionProps) {
  const deletion = useDeleteConnection();
  const [isAsking, setAsking] = useState(false);
  const confirm = () =>
    deletion.mutate(id, {
      onSuccess: () => {
        toast.success("Identity provider deleted");
        onDeleted();
      },
    });
  return (
    <section aria-label="Delete" className="flex flex-wrap items-center justify-between gap-3 border-t pt-5">
      <p className="text-muted">Ends the sessions that it started. Members keep their accounts.</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete identity provider…
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Delete “${name}”?`}
        action="Delete identity provider"
        typed={name}
        isPending={deletion.isPending}
        onConfirm={confirm}
      >
        <p>Nobody can sign in with it any more, and members are signed out. This can&apos;t be undone.</p>
        {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
      </ConfirmDialog>
    </section>
  );
}
