"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { useMay } from "@/components/session/user-context";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { lazyComponent } from "@/components/ui/lazy-component";
import { MenuItem, MenuSeparator } from "@/components/ui/menu";
import { RelativeTime } from "@/components/ui/relative-time";
import { RowMenu } from "@/components/ui/row-menu";
import { Skeleton } from "@/components/ui/skeleton";
import { isNotFound } from "@/lib/browser/api-failure";
import type { WorkloadIdentity } from "@/lib/records/workload-identities/contract";
import { DeleteIdentity } from "./delete-identity";
import { HowToUse } from "./how-to-use";
import { identitiesQuery } from "./identity-queries";
import { lifetimeText } from "./lifetime-text";

const IdentityDialog = lazyComponent(() => import("./identity-dialog").then((file) => file.IdentityDialog));

/** Workload identities of an inference key. Nothing for the user's own key in a workspace where they may not see keys. */
export function IdentitiesSection({ keyHash }: { keyHash: string }) {
  const canChange = useMay("keys:write");
  const identities = useQuery(identitiesQuery(keyHash));
  const [isAdding, setAdding] = useState(false);
  const [edited, setEdited] = useState<WorkloadIdentity | null>(null);
  const [deleted, setDeleted] = useState<WorkloadIdentity | null>(null);
  const close = () => {
    setAdding(false);
    setEdited(null);
  };
  if (isNotFound(identities.error)) return null;
  return (
    <Card
      id="workload-identities"
      title="Workload identities"
      action={canChange && <Button onClick={() => setAdding(true)}>Add identity…</Button>}
    >
      <DataState query={identities} subject="workload identities" skeleton={<Skeleton className="h-12" />}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="text-muted">
              Let a pipeline or a pod exchange its own token for this key, so that it needs no stored secret.
            </p>
          ) : (
            <ul className="divide-y">
              {data.map((identity) => (
                <IdentityItem
                  key={identity.id}
                  identity={identity}
                  canChange={canChange}
                  onEdit={() => setEdited(identity)}
                  onDelete={() => setDeleted(identity)}
                />
              ))}
            </ul>
          )
        }
      </DataState>
      {(isAdding || edited) && <IdentityDialog keyHash={keyHash} identity={edited} onClose={close} />}
      {deleted && <DeleteIdentity identity={deleted} onClose={() => setDeleted(null)} />}
    </Card>
  );
}

interface IdentityItemProps {
  identity: WorkloadIdentity;
  canChange: boolean;
  onEdit: () => void;
  onDelete: () => void;
}

function IdentityItem({ identity, canChange, onEdit, onDelete }: IdentityItemProps) {
  const { name, issuer, claims, lifetime_seconds, last_used_at } = identity;
  return (
    <li className="grid gap-1.5 py-3 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-3">
        <div className="grid min-w-0 gap-0.5">
          <p className="font-medium wrap-anywhere">{name}</p>
          <p className="text-[13px] wrap-anywhere">{issuer}</p>
          {Object.entries(claims).map(([claim, value]) => (
            <code key={claim} className="font-mono text-[13px] wrap-anywhere">
              <span className="text-muted">{claim}:</span> {value}
            </code>
          ))}
          <p className="text-[13px] text-muted">
            {lifetimeText(lifetime_seconds)} ·{" "}
            {last_used_at ? (
              <>
                Used <RelativeTime at={last_used_at} />
              </>
            ) : (
              "Never used"
            )}
          </p>
        </div>
        {canChange && (
          <RowMenu name={name}>
            <MenuItem onSelect={onEdit}>Edit…</MenuItem>
            <MenuSeparator />
            <MenuItem isDestructive onSelect={onDelete}>
              Delete…
            </MenuItem>
          </RowMenu>
        )}
      </div>
      <details>
        <summary className="cursor-pointer text-[13px] text-muted">How to use</summary>
        <div className="mt-2">
          <HowToUse identity={identity} />
        </div>
      </details>
    </li>
  );
}
