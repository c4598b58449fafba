"use client";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { z } from "zod";
import { useFreshErrors } from "@/components/form/use-fresh-errors";
import { FailureAlert } from "@/components/form/failure-alert";
import { formResolver } from "@/components/form/form-resolver";
import { showFailure } from "@/components/form/show-failure";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { UpdateProviderBody, type Provider } from "@/lib/records/providers/contract";
import { PROTOCOLS_OF, type ProviderKind } from "@/lib/records/providers/vocabulary";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { withoutBlankCredentials, KIND_LABELS } from "./kind-fields";
import { KindSelect } from "./kind-select";
import { ProviderFields } from "./provider-fields";
import type { ProviderValues } from "./provider-values";
import { useUpdateProvider } from "./provider-queries";

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

/** Fields that differ from the stored provider, without untouched secrets; another kind replaces what depends on it. */
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

/** Edits a provider. Only sends changed fields. */
export function ProviderForm({ provider }: { provider: Provider }) {
  const update = useUpdateProvider(provider.slug);
  const form = useForm<ProviderValues, unknown, z.output<typeof UpdateProviderBody>>({
    resolver: checkBody,
    values: settingsOf(provider),
  });
  useFreshErrors(form);
  const { control, formState } = form;
  const baseUrl = useWatch({ control, name: "base_url" });
  const isMoving = baseUrl !== undefined && originOf(baseUrl) !== originOf(provider.base_url);
  const hasSecrets = provider.has_api_key || provider.credential_names.length > 0 || provider.header_names.length > 0;
  const kind = useWatch({ control, name: "kind" }) ?? provider.kind;
  const chooseKind = (chosen: ProviderKind) => {
    const { protocol, settings } = chosen === provider.kind ? settingsOf(provider) : {};
    form.setValue("kind", chosen, { shouldDirty: true });
    form.setValue("protocol", protocol ?? PROTOCOLS_OF[chosen][0], { shouldDirty: true });
    form.setValue("settings", settings, { shouldDirty: true });
    form.setValue("credentials", undefined, { shouldDirty: true });
  };
  const [toConfirm, setToConfirm] = useState<UpdateProviderBody | null>(null);
  const save = (changes: UpdateProviderBody) =>
    update.mutate(changes, {
      onSuccess: ({ data }) => {
        form.reset(settingsOf(data));
        toast.success(`“${data.name}” saved`);
      },
      onError: (error) => showFailure(form, toFailure(error)),
    });
  const submit = form.handleSubmit((body) => {
    const changes = changesOf(provider, body);
    if (changes.kind === undefined) save(changes);
    else setToConfirm(changes);
  });
  return (
    <form
      key={provider.updated_at}
      method="post"
      noValidate
      aria-label="Settings"
      onSubmit={(event) => void submit(event)}
      className="grid max-w-2xl gap-4"
    >
      {provider.base_url !== null && <KindSelect kind={kind} onChoose={chooseKind} />}
      <ProviderFields control={control} stored={provider} />
      {isMoving && hasSecrets && (
        <Alert kind="warning" title="The base URL points to a different server">
          Stored secrets are only sent to the server they were entered for. Re-enter or remove the API key and headers.
        </Alert>
      )}
      {update.error && <FailureAlert failure={toFailure(update.error)} control={form.control} />}
      <div className="flex gap-2">
        <Button type="submit" variant="primary" disabled={!formState.isDirty || update.isPending}>
          Save changes
        </Button>
        {formState.isDirty && <Button onClick={() => form.reset(settingsOf(provider))}>Discard</Button>}
      </div>
      <ChangeKind
        provider={provider}
        changes={toConfirm}
        onClose={() => setToConfirm(null)}
        onConfirm={() => {
          setToConfirm(null);
          if (toConfirm) save(toConfirm);
        }}
      />
      <UnsavedGuard isDirty={formState.isDirty} />
    </form>
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
