"use client";
import { useQuery } from "@tanstack/react-query";
import { FailureAlert } from "@/components/form/failure-alert";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import type { Provider } from "@/lib/records/providers/contract";
import { servedModelsQuery, useDeleteProvider } from "./provider-queries";
import { count } from "@/lib/platform/count";

interface DeleteProviderProps {
  /** Null when closed. */
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
      <p>Its API key and headers are deleted, and requests are no longer routed to it. This can&apos;t be undone.</p>
      {deletion.error && <FailureAlert failure={toFailure(deletion.error)} />}
    </ConfirmDialog>
  );
}

/** Models served by the provider, and those without any other provider. */
function Touches({ slug }: { slug: string }) {
  const { data, isError } = useQuery(servedModelsQuery(slug));
  if (isError) return <p>Couldn&apos;t load the models it serves.</p>;
  if (!data) return <p>Loading models…</p>;
  const stranded = data.data.filter(({ endpoints }) => endpoints.every(({ provider }) => provider === slug));
  if (data.total_count === 0) return <p>It serves no models.</p>;
  return (
    <>
      <p>
        It serves {count(data.total_count, "model")}.{" "}
        {stranded.length === 0
          ? "All of them have other providers."
          : `${stranded.length} ${stranded.length === 1 ? "has" : "have"} no other provider:`}
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
