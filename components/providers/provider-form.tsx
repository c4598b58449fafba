"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { z } from "zod";
import { useFreshErrors } from "@/components/form/use-fresh-errors";
import { formResolver } from "@/components/form/form-resolver";
import { MutationForm } from "@/components/form/mutation-form";
import { showFailure } from "@/components/form/show-failure";
import { Alert } from "@/components/ui/alert";
import { toast } from "@/components/ui/toast";
import type { Answer } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import type { updateProvider } from "@/lib/browser/operations/providers";
import { UpdateProviderBody, type Provider } from "@/lib/records/providers/contract";
import { PROTOCOLS_OF, type ProviderKind } from "@/lib/records/providers/vocabulary";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { AdvancedFields } from "./advanced-fields";
import { withoutBlankCredentials, KIND_LABELS } from "./kind-fields";
import { ProviderFields } from "./provider-fields";
import type { ProviderValues } from "./provider-values";
import { catalogueQuery, useUpdateProvider } from "./provider-queries";

const checkBody = formResolver(UpdateProviderBody);

/** Form values include the write-only secrets, so that their validation errors appear on their fields. */
const settingsOf = ({ name, base_url, kind, protocol, settings, zdr, trains, ownership }: Provider): ProviderValues =>
  base_url === null
    ? { name, zdr, trains }
    : {
        name,
        base_url,
        kind,
        protocol,
        settings: settings ?? undefined,
        zdr,
        trains,
        ownership,
        api_key: undefined,
        credentials: undefined,
        headers: undefined,
      };

const isUnchanged = ({ settings }: Provider, body: UpdateProviderBody) =>
  JSON.stringify(settings ?? {}) === JSON.stringify(body.settings ?? {});

/** Fields that differ from the stored provider, without untouched secrets. Another kind replaces its settings and credentials. */
function changesOf(provider: Provider, body: UpdateProviderBody): UpdateProviderBody {
  const changes = plainChanges(provider, body);
  if (changes.kind === undefined) return changes;
  const { settings = null, credentials = null } = withoutBlankCredentials(body);
  const removesKey = credentials !== null && provider.has_api_key && changes.api_key === undefined;
  return {
    ...changes,
    settings,
    ...((credentials !== null || provider.credential_names.length > 0) && { credentials }),
    ...(removesKey && { api_key: null }),
  };
}

function plainChanges(provider: Provider, body: UpdateProviderBody): UpdateProviderBody {
  const before = new Map<string, unknown>(Object.entries(settingsOf(provider)));
  return Object.fromEntries(
    Object.entries(withoutBlankCredentials(body)).filter(
      ([name, value]) => value !== before.get(name) && !(name === "settings" && isUnchanged(provider, body)),
    ),
  );
}

const originOf = (url: string | null | undefined) => URL.parse(url ?? "")?.origin ?? null;

/** Edits a provider. Sends only changed fields. */
export function ProviderForm({ provider }: { provider: Provider }) {
  const update = useUpdateProvider(provider.slug);
  const form = useForm<ProviderValues, unknown, z.output<typeof UpdateProviderBody>>({
    resolver: checkBody,
    values: settingsOf(provider),
  });
  useFreshErrors(form);
  const { control } = form;
  const baseUrl = useWatch({ control, name: "base_url" });
  const isMoving = baseUrl !== undefined && originOf(baseUrl) !== originOf(provider.base_url);
  const hasSecrets = provider.has_api_key || provider.credential_names.length > 0 || provider.header_names.length > 0;
  const kind = useWatch({ control, name: "kind" }) ?? provider.kind;
  const vendors = useQuery(catalogueQuery).data?.data ?? [];
  const knownUrls = vendors.flatMap(({ kind: known, base_url }) => (known === "openai" ? [base_url] : []));
  const chooseKind = (chosen: ProviderKind) => {
    const { protocol, settings } = chosen === provider.kind ? settingsOf(provider) : {};
    form.setValue("kind", chosen, { shouldDirty: true });
    form.setValue("protocol", protocol ?? PROTOCOLS_OF[chosen][0], { shouldDirty: true });
    form.setValue("settings", settings, { shouldDirty: true });
    form.setValue("credentials", undefined, { shouldDirty: true });
  };
  const [toConfirm, setToConfirm] = useState<UpdateProviderBody | null>(null);
  const toChanges = (body: UpdateProviderBody) => {
    const changes = changesOf(provider, body);
    if (changes.kind === undefined) return changes;
    setToConfirm(changes);
    return null;
  };
  const onSaved = ({ data }: Answer<typeof updateProvider>) => {
    form.reset(settingsOf(data));
    toast.success(`“${data.name}” saved`);
  };
  return (
    <MutationForm
      key={provider.updated_at}
      form={form}
      mutation={update}
      toVariables={toChanges}
      onSaved={onSaved}
      action="Save changes"
      isEdit
      isDiscardable
      isGuarded
      label="Settings"
      className="max-w-2xl"
    >
      <ProviderFields
        stored={provider}
        advanced={<AdvancedFields kind={kind} onChooseKind={chooseKind} knownUrls={knownUrls} />}
      />
      {isMoving && hasSecrets && (
        <Alert kind="warning" title="The base URL points to a different server">
          Stored secrets are only sent to the server they were entered for. Re-enter or remove the API key and headers.
        </Alert>
      )}
      <ChangeKind
        provider={provider}
        changes={toConfirm}
        onClose={() => setToConfirm(null)}
        onConfirm={() => {
          setToConfirm(null);
          if (toConfirm)
            update.mutate(toConfirm, {
              onSuccess: onSaved,
              onError: (error) => showFailure(form, toFailure(error)),
            });
        }}
      />
    </MutationForm>
  );
}

interface ChangeKindProps {
  provider: Provider;
  /** Changes with another kind, to be confirmed; null when closed. */
  changes: UpdateProviderBody | null;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a provider gets another kind, which decides where its secrets are sent and how. */
function ChangeKind({ provider, changes, onConfirm, onClose }: ChangeKindProps) {
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
