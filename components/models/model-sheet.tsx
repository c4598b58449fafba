"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { Button } from "@/components/ui/button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { MonoId } from "@/components/ui/mono-id";
import { SideSheet } from "@/components/ui/side-sheet";
import { Skeleton } from "@/components/ui/skeleton";
import type { Model } from "@/lib/records/models/contract";
import { DeleteModel } from "./delete-model";
import { modelQuery } from "./model-queries";

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
      actions={loaded && <Button onClick={() => setToDelete(loaded)}>Delete…</Button>}
    >
      <DataState query={model} subject="this model" skeleton={<Skeleton className="h-96 w-full" />}>
        {({ data }) => (
          <div className="grid gap-4">
            <p>
              <MonoId value={data.slug} name="model slug" />
            </p>
            <ModelForm model={data} onDone={onClose} />
          </div>
        )}
      </DataState>
      <DeleteModel model={toDelete} onClose={() => setToDelete(null)} onDeleted={onClose} />
    </SideSheet>
  );
}
