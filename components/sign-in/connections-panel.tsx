"use client";
import { useQuery } from "@tanstack/react-query";
import { LogIn } from "lucide-react";
import { ResourceList } from "@/components/layout/resource-list";
import { May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import type { Column } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { RelativeTime } from "@/components/ui/relative-time";
import { count } from "@/lib/platform/count";
import type { SignInConnection } from "@/lib/records/sign-in-connections/contract";
import { connectionsQuery } from "./connection-queries";
import { ConnectionState } from "./connection-state";
import { PasswordCard } from "./password-card";
import { PROTOCOL_LABELS } from "./protocols";

interface ConnectionsPanelProps {
  onOpen: (id: string) => void;
  onNew: () => void;
}

/** Identity providers of the organization, and who may sign in by password. */
export function ConnectionsPanel({ onOpen, onNew }: ConnectionsPanelProps) {
  const connections = useQuery(connectionsQuery);
  return (
    <div className="grid gap-6">
      <ResourceList
        label="Identity providers"
        subject="identity providers"
        query={connections}
        columns={columnsOf(onOpen)}
        rowKey={({ id }) => id}
        skeletonRows={2}
        onOpen={({ id }) => onOpen(id)}
        empty={
          <EmptyState
            icon={LogIn}
            title="No identity providers yet"
            isHeaderAction
            action={
              <May permission="sign_in:write">
                <Button variant="primary" onClick={onNew}>
                  New identity provider
                </Button>
              </May>
            }
          >
            Let members sign in with Entra ID, Okta, Google or another provider, which decides who has access and which
            groups they are in.
          </EmptyState>
        }
      />
      {connections.data && <PasswordCard />}
    </div>
  );
}

const columnsOf = (onOpen: (id: string) => void): Column<SignInConnection>[] => [
  {
    id: "name",
    header: "Name",
    className: "md:w-[35%]",
    cell: ({ id, name, protocol }) => (
      <div className="grid justify-items-start gap-0.5">
        <button
          type="button"
          onClick={() => onOpen(id)}
          className="text-left font-medium wrap-anywhere after:absolute after:inset-0"
        >
          {name}
        </button>
        <span className="text-[13px] text-muted">{PROTOCOL_LABELS[protocol]}</span>
      </div>
    ),
  },
  {
    id: "domains",
    header: "Domains",
    cell: ({ domains }) =>
      domains.length === 1 ? domains[0] : <span title={domains.join(", ")}>{count(domains.length, "domain")}</span>,
  },
  { id: "status", header: "Status", cell: (connection) => <ConnectionState connection={connection} /> },
  { id: "created", header: "Created", cell: ({ created_at }) => <RelativeTime at={created_at} /> },
];
