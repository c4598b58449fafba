"use client";
import { useQuery } from "@tanstack/react-query";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Provider } from "@/lib/records/providers/contract";
import { servedModelsQuery, useDeleteProvider } from "./provider-queries";

interface DeleteProviderProps {
  /** Null: closed. */
  provider: Provider | null;
  onClose: () => void;
  onDeleted?: () => void;
}

export function DeleteProvider({ provider, onClose, onDeleted }: DeleteProviderProps) {
  const deletion = useDeleteProvider();
  const close = () => {
    deletion.reset();
    onClose();
  };
  const confirm = () => {
    if (!provider) return;
    deletion.mutate(provider, {
      onSuccess: () => {
        toast.success(`“${provider.name}” deleted`);
        close();
        onDeleted?.();
      },
    });
  };
  return (
    <ConfirmDialog
      open={provider !== null}
      onOpenChange={(open) => !open && close()}
      title={`Delete “${provider?.name ?? ""}”?`}
      action="Delete provider"
      onConfirm={confirm}
      isPending={deletion.isPending}
      {...(provider && { typed: provider.slug, touches: <Touches slug={provider.slug} /> })}
    >
      <p>Its API key and headers are forgotten, and no request goes there any more. This can&apos;t be undone.</p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}

/** Which models lose a way to be reached, and which their last one. */
function Touches({ slug }: { slug: string }) {
  const { data, isError } = useQuery(servedModelsQuery(slug));
  if (isError) return <p>Which models it serves could not be loaded.</p>;
  if (!data) return <p>Looking up its models…</p>;
  const stranded = data.data.filter(({ endpoints }) => endpoints.every(({ provider }) => provider === slug));
  if (data.total_count === 0) return <p>It serves no model.</p>;
  return (
    <>
      <p>
        It serves {data.total_count} {data.total_count === 1 ? "model" : "models"}.{" "}
        {stranded.length === 0
          ? "Other providers serve all of them."
          : `${stranded.length} can't be reached without it:`}
      </p>
      {stranded.length > 0 && (
        <ul className="mt-1 list-disc pl-4 font-mono text-[13px] wrap-anywhere">
          {stranded.map((model) => (
            <li key={model.slug}>{model.slug}</li>
          ))}
        </ul>
      )}
    </>
  );
}
