"use client";
import { useQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { Pager, useOffset } from "@/components/layout/pager";
import { useUser } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { DataTable, DataTableSkeleton } from "@/components/ui/data-table";
import { EmptyState } from "@/components/ui/empty-state";
import { toFailure } from "@/lib/browser/api-failure";
import type { Key } from "@/lib/keys/contract";
import { CreateKeyDialog } from "./create-key-dialog";
import { keyColumns } from "./key-columns";
import { DeleteKey, DisableKey } from "./key-confirmations";
import { keyListQuery, useSetKeyDisabled } from "./key-queries";

export function KeyList() {
  const [offset] = useOffset();
  const keys = useQuery(keyListQuery(offset));
  const { isAdmin } = useUser();
  const [isCreating, setCreating] = useState(false);
  const [toDisable, setToDisable] = useState<Key | null>(null);
  const [toDelete, setToDelete] = useState<Key | null>(null);
  const change = useSetKeyDisabled();
  const enable = (key: Key) =>
    change.mutate(
      { key, disabled: false },
      {
        onSuccess: () => toast.success(`“${key.name}” enabled`),
        onError: (error) => toast.error(`“${key.name}” could not be enabled`, { description: toFailure(error).message }),
      },
    );
  const columns = keyColumns(isAdmin ? { onDisable: setToDisable, onEnable: enable, onDelete: setToDelete } : null);
  const createButton = isAdmin && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description={isAdmin ? "Inference keys call models, management keys manage the organization." : "The keys that you created."}
        action={createButton}
      />
      <DataState query={keys} subject="the keys" skeleton={<DataTableSkeleton columns={columns} />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <EmptyState icon={KeyRound} title="No keys yet" action={createButton}>
              {isAdmin ? "An application needs an inference key to send requests through Signalbox." : "Ask an admin of your organization for a key."}
            </EmptyState>
          ) : (
            <>
              <DataTable label="API keys" columns={columns} rows={data} rowKey={({ hash }) => hash} />
              <Pager total={total_count} shown={data.length} />
            </>
          )
        }
      </DataState>
      <CreateKeyDialog open={isCreating} onClose={() => setCreating(false)} />
      <DisableKey target={toDisable} onClose={() => setToDisable(null)} />
      <DeleteKey target={toDelete} onClose={() => setToDelete(null)} />
    </>
  );
}
