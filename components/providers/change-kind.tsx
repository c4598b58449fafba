"use client";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { Provider, UpdateProviderBody } from "@/lib/records/providers/contract";
import { KIND_LABELS } from "./kind-fields";

interface ChangeKindProps {
  provider: Provider;
  /** Changes with another kind, to be confirmed; null when closed. */
  changes: UpdateProviderBody | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a provider gets another kind, which decides where its secrets are sent and how. */
export function ChangeKind({ provider, changes, onConfirm, onClose }: ChangeKindProps) {
  const label = changes?.kind ? KIND_LABELS[changes.kind] : "";
  return (
    <ConfirmDialog
      open={changes !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Change the kind to ${label}?`}
      action="Change kind"
      isDestructive={false}
      onConfirm={onConfirm}
    >
      <p>From the next request on, requests are addressed and authenticated for {label}.</p>
      {changes && <p>{credentialsText(provider, changes, label)}</p>}
      <p>Models keep their upstream names. Check that {label} knows them.</p>
    </ConfirmDialog>
  );
}

function credentialsText(provider: Provider, { api_key, credentials }: UpdateProviderBody, label: string): string {
  const { has_api_key, credential_names } = provider;
  const stored = [...(has_api_key ? ["API key"] : []), ...(credential_names.length > 0 ? ["credentials"] : [])].join(
    " and ",
  );
  if (credentials)
    return `The credentials you entered are stored.${stored && ` The stored ${stored} can't be restored.`}`;
  if (api_key) return `The API key you entered is stored.${stored && ` The stored ${stored} can't be restored.`}`;
  if (has_api_key && api_key === undefined)
    return `The stored API key is kept, and sent to the same server for ${label}.`;
  return stored ? `The stored ${stored} will be deleted.` : "No credentials are stored.";
}
