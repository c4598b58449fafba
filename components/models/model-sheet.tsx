"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { AuditLink } from "@/components/audit/audit-link";
import { DataState } from "@/components/layout/data-state";
import { Editable, May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { MonoId } from "@/components/ui/mono-id";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import type { Model } from "@/lib/records/models/contract";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { modelQuery, useDeleteModel } from "./model-queries";

const ModelForm = lazyComponent(() => import("./model-form").then((file) => file.ModelForm), {
  loading: () => <Skeleton className="h-96 w-full" />,
});

/** Side sheet to view and edit a model. */
export function ModelSheet({ slug, onClose }: { slug: string; onClose: () => void }) {
  const model = useQuery(modelQuery(slug));
  const [toDelete, setToDelete] = useState<Model | null>(null);
  const loaded = model.data?.data;
  return (
    <SideSheet
      open
      onClose={onClose}
      title={loaded?.name ?? slug}
      actions={
        loaded && (
          <>
            <AuditLink type="model" id={loaded.audit_id} />
            <May permission="providers:write">
              <Button onClick={() => setToDelete(loaded)}>Delete…</Button>
            </May>
          </>
        )
      }
    >
      <DataState query={model} subject="this model" skeleton={<Skeleton className="h-96 w-full" />}>
        {({ data }) => (
          <div className="grid gap-4">
            <p>
              <MonoId value={data.slug} name="model slug" />
            </p>
            <Editable permission="providers:write">
              <ModelForm model={data} onDone={onClose} />
            </Editable>
          </div>
        )}
      </DataState>
      <DeleteModel model={toDelete} onClose={() => setToDelete(null)} onDeleted={onClose} />
    </SideSheet>
  );
}

interface DeleteModelProps {
  /** Null when closed. */
  model: Model | null;
  onClose: () => void;
  onDeleted: () => void;
}

function DeleteModel({ model, onClose, onDeleted }: DeleteModelProps) {
  const deletion = useDeleteModel();
  const close = () => {
    deletion.reset();
    onClose();
  };
  const confirm = () => {
    if (!model) return;
    deletion.mutate(model, {
      onSuccess: () => {
        toast.success(`“${model.name}” deleted`);
        close();
        onDeleted();
      },
    });
  };
  const endpoints = model?.endpoints.length ?? 0;
  return (
    <ConfirmDialog
      open={model !== null}
      onOpenChange={(open) => !open && close()}
      title={`Delete “${model?.name ?? ""}”?`}
      action="Delete model"
      onConfirm={confirm}
      isPending={deletion.isPending}
      {...(model && { typed: model.slug })}
    >
      <p>
        Requests for this model will be rejected immediately, and its{" "}
        {endpoints === 1 ? "endpoint and price are" : `${endpoints} endpoints and their prices are`} deleted. Guardrails
        and presets still list it, and its requests stay in the log.
      </p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}
