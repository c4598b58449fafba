"use client";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { AuditLink } from "@/components/audit/audit-link";
import { DeleteDialog } from "@/components/form/delete-dialog";
import { FailureAlert } from "@/components/form/failure-alert";
import { DataState } from "@/components/layout/data-state";
import { Button } from "@/components/ui/button";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";
import { AccessForm, accessValues } from "./access-form";
import { AddressList } from "./address-list";
import { addressesOf } from "./addresses";
import { useConnectionForm } from "./connection-form";
import { connectionQuery, useDeleteConnection, useUpdateConnection } from "./connection-queries";
import { ConnectionState } from "./connection-state";
import { OidcForm, oidcValues } from "./oidc-form";
import { SamlForm, samlValues } from "./saml-form";
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
  const isOidc = connection.protocol === "oidc";
  const provider = useConnectionForm(connection, isOidc ? oidcValues : samlValues);
  const access = useConnectionForm(connection, accessValues);
  const isUnsaved = provider.form.formState.isDirty || access.form.formState.isDirty;
  return (
    <div className="grid gap-6">
      <Step title="1. Register Signalbox at the provider" description="Enter these addresses there.">
        <AddressList addresses={addressesOf(connection)} />
        <ServiceFiles connection={connection} />
      </Step>
      <Step title="2. Enter the provider’s settings" description="Copy them from the application that you registered.">
        {isOidc ? (
          <OidcForm connection={connection} edit={provider} />
        ) : (
          <SamlForm connection={connection} edit={provider} />
        )}
      </Step>
      <Step title="3. Choose who signs in">
        <AccessForm connection={connection} edit={access} />
      </Step>
      <Step title="4. Test">
        <TestSection connection={connection} isUnsaved={isUnsaved} />
      </Step>
      <Step title="5. Turn on">
        <EnabledSection connection={connection} isUnsaved={isUnsaved} />
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

function EnabledSection({ connection, isUnsaved }: { connection: SignInConnection; isUnsaved: boolean }) {
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
          {enabled
            ? "Turning it off ends the sessions that it started."
            : isUnsaved
              ? "Save your changes above first."
              : tested_at === null && "Turning it on needs a successful test with the current settings."}
        </p>
        <Button
          variant={enabled ? "secondary" : "primary"}
          disabled={update.isPending || (!enabled && (isUnsaved || tested_at === null))}
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
  return (
    <section aria-label="Delete" className="flex flex-wrap items-center justify-between gap-3 border-t pt-5">
      <p className="text-muted">Ends the sessions that it started. Members keep their accounts.</p>
      <Button variant="danger" onClick={() => setAsking(true)}>
        Delete identity provider…
      </Button>
      {isAsking && (
        <DeleteDialog
          id={id}
          name={name}
          action="Delete identity provider"
          deletion={deletion}
          isTyped
          onClose={() => setAsking(false)}
          onDeleted={onDeleted}
        >
          Nobody can sign in with it any more, and members are signed out. This can&apos;t be undone.
        </DeleteDialog>
      )}
    </section>
  );
}
