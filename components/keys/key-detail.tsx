"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { RecentGenerations } from "@/components/generations/recent-generations";
import { AuditLink } from "@/components/audit/audit-link";
import { DataState } from "@/components/layout/data-state";
import { PageHeader } from "@/components/layout/page-header";
import { TwoColumns, TwoColumnsSkeleton } from "@/components/layout/two-columns";
import { BudgetsLeft } from "@/components/policy/budgets-left";
import {
  EffectivePolicy,
  ExceptionsSection,
  LimitsCard,
  SubjectUsage,
  TestPanel,
  WorkloadIdentities,
} from "@/components/policy/subject-sections";
import { useMay } from "@/components/session/user-context";
import { Alert } from "@/components/ui/alert";
import { Badge } from "@/components/ui/badge";
import { lazyComponent } from "@/components/ui/lazy-component";
import { LinkButton } from "@/components/ui/link-button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import type { Key } from "@/lib/records/keys/contract";
import { Button } from "@/components/ui/button";
import { usePageRouter } from "@/lib/browser/page-router";
import { KeyFacts } from "./key-facts";
import { keyQuery } from "./key-queries";
import { KeyStatus } from "./key-status";
import { useCanManageOwnKeys } from "./use-own-key-caps";
import { DeleteKeys } from "./delete-keys";
import { DisableOwnKey } from "./disable-own-key";
import { useKeyActions } from "./use-key-actions";

const EditKeyForm = lazyComponent(() => import("./edit-key-form").then((file) => file.EditKeyForm), {
  loading: () => <Skeleton className="h-96 rounded-lg" />,
});

const RenameKeyForm = lazyComponent(() => import("./rename-key-form").then((file) => file.RenameKeyForm), {
  loading: () => <Skeleton className="h-32 rounded-lg" />,
});

export function KeyDetail({ hash }: { hash: string }) {
  const canManageAll = useMay("keys:write");
  const query = useQuery(keyQuery(hash));
  const canManageOwn = useCanManageOwnKeys();
  const key = query.data?.data;
  const canManage = canManageAll || (canManageOwn && key?.kind === "inference");
  return (
    <>
      <PageHeader
        title={key?.name ?? "API key"}
        badge={
          key && (
            <>
              <KeyStatus {...key} />
              {key.kind === "management" && <Badge tone="accent">Management</Badge>}
            </>
          )
        }
        description={key && <code className="font-mono text-[13px]">{key.label}</code>}
        action={
          key && (
            <>
              {key.kind === "inference" && !key.disabled && (
                <LinkButton href={`/playground?key=${key.hash}`}>Playground</LinkButton>
              )}
              <AuditLink type="key" id={key.id} />
              {canManage && <KeyActionsBar record={key} />}
            </>
          )
        }
      />
      <DataState query={query} subject="this key" skeleton={<TwoColumnsSkeleton />}>
        {({ data }) => <Sections record={data} canManageAll={canManageAll} canManage={canManage} />}
      </DataState>
    </>
  );
}

interface SectionsProps {
  record: Key;
  /** False for a member who manages only their own keys. */
  canManageAll: boolean;
  canManage: boolean;
}

function Sections({ record, canManageAll, canManage }: SectionsProps) {
  const canSeePolicy = useMay("guardrails:read");
  const canSeeKeys = useMay("keys:read");
  const isInference = record.kind === "inference";
  const seesLimits = useMay("budgets:read");
  return (
    <TwoColumns
      aside={
        <>
          {isInference && <BudgetsLeft of={{ key_hash: record.hash }} />}
          {isInference && seesLimits && <LimitsCard of={{ key_hash: record.hash }} />}
          {canManageAll && <EditKeyForm record={record} />}
          {!canManageAll && canManage && <RenameKeyForm record={record} />}
        </>
      }
    >
      {record.old_text_expires_at && (
        <Alert kind="info" title="The previous key still works">
          It expires <RelativeTime at={record.old_text_expires_at} isUpcoming />. Its requests count towards this key.
        </Alert>
      )}
      <KeyFacts record={record} canManage={canManageAll} />
      {isInference && <SubjectUsage of={{ key_hash: record.hash }} />}
      {isInference && <ExceptionsSection subject={{ key_hash: record.hash }} name={record.name} />}
      {isInference && canSeeKeys && <WorkloadIdentities keyHash={record.hash} />}
      {isInference && canSeePolicy && <EffectivePolicy keyHash={record.hash} />}
      {isInference && canSeePolicy && <TestPanel keyHash={record.hash} />}
      {isInference && <RecentGenerations of={{ key_hash: record.hash }} />}
    </TwoColumns>
  );
}

const RotateKeyDialog = lazyComponent(() => import("./rotate-key-dialog").then((file) => file.RotateKeyDialog));

/** Actions on the key's page. */
function KeyActionsBar({ record }: { record: Key }) {
  const router = usePageRouter();
  const { setDisabled, isPending } = useKeyActions();
  const canManageAll = useMay("keys:write");
  const [isRotating, setRotating] = useState(false);
  const [isDisabling, setDisabling] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  return (
    <>
      <Button onClick={() => setRotating(true)}>Rotate…</Button>
      {canManageAll && (
        <Button disabled={isPending} onClick={() => setDisabled([record], !record.disabled)}>
          {record.disabled ? "Enable" : "Disable"}
        </Button>
      )}
      {!canManageAll && !record.disabled && (
        <Button disabled={isPending} onClick={() => setDisabling(true)}>
          Disable…
        </Button>
      )}
      <Button className="text-danger" onClick={() => setDeleting(true)}>
        Delete…
      </Button>
      {isRotating && <RotateKeyDialog record={record} onClose={() => setRotating(false)} />}
      <DisableOwnKey record={isDisabling ? record : null} onClose={() => setDisabling(false)} />
      <DeleteKeys
        keys={isDeleting ? [record] : []}
        onClose={() => setDeleting(false)}
        onDeleted={() => router.push("/keys")}
      />
    </>
  );
}
