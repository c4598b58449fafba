"use client";
import { useQuery } from "@tanstack/react-query";
import { useState, type SubmitEvent } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Field } from "@/components/form/field";
import { presetPath } from "@/components/presets/preset-path";
import { presetQuery, presetVersionQuery, previewQuery, useCreateVersion } from "@/components/presets/preset-queries";
import { SlugField } from "@/components/presets/slug-field";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import { useDebounced } from "@/components/ui/use-debounced";
import { toFailure } from "@/lib/browser/api-failure";
import { usePageRouter } from "@/lib/browser/page-router";
import { toTarget, type Target } from "./playground-state";
import { presetBody } from "./preset-body";

interface SavePresetDialogProps {
  model: string;
  systemPrompt: string;
  fields: Readonly<Record<string, unknown>>;
  workspace: string;
  onClose: () => void;
}

type Base = Parameters<typeof presetBody>[0];

/** Saves the settings as a new preset, or as a new version that goes live by choice. */
export function SavePresetDialog({ model, ...props }: SavePresetDialogProps) {
  const target = toTarget(model);
  const { onClose } = props;
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Save as preset"
      description="Stores the model, the system prompt and the settings, not the conversation."
    >
      {target.kind === "model" ? (
        <SaveForm base={{ model: target.slug }} slug="" {...props} />
      ) : (
        <FromPreset target={target} {...props} />
      )}
    </Dialog>
  );
}

type FormProps = Omit<SavePresetDialogProps, "model">;

function FromPreset({ target, ...props }: { target: Extract<Target, { kind: "preset" }> } & FormProps) {
  const { slug, version } = target;
  const address = { slug, workspace: props.workspace };
  const preset = useQuery(presetQuery(address));
  const pinned = useQuery({ ...presetVersionQuery(address, Number(version)), enabled: version !== null });
  const base = version === null ? preset.data?.data.designated_version : pinned.data?.data;
  const failure = preset.error ?? pinned.error;
  if (failure) return <FailureAlert failure={toFailure(failure)} />;
  return base ? <SaveForm base={base} slug={slug} {...props} /> : <Skeleton className="h-48" />;
}

const NOTHING = {};

function SaveForm({
  base,
  slug: start,
  systemPrompt,
  fields,
  workspace,
  onClose,
}: { base: Base; slug: string } & FormProps) {
  const router = usePageRouter();
  const [slug, setSlug] = useState(start);
  const [message, setMessage] = useState("");
  const [isLive, setLive] = useState(false);
  const settled = useDebounced(slug);
  const place = useQuery({
    ...previewQuery({ slug: settled, workspace }, "responses", NOTHING),
    enabled: settled !== "",
    retry: false,
  });
  const creation = useCreateVersion({ slug, workspace });
  const found = place.isSuccess && !place.isPlaceholderData ? place.data.data : null;
  const isNew = found?.designated_version.version === 1;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (slug === "") return;
    creation.mutate(
      {
        format: "responses",
        body: presetBody(base, systemPrompt, fields),
        message,
        basedOn: null,
        goesLive: isLive || isNew,
      },
      {
        onSuccess: ({ data, created_version }) => {
          const version = created_version ?? data.designated_version.version;
          toast.success(`Version ${version} of “${data.slug}” saved`, {
            action: { label: "Open", onClick: () => router.push(presetPath(data.slug, workspace)) },
          });
          onClose();
        },
      },
    );
  };
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <SlugField
        slug={{ value: slug, set: setSlug, place: settled === slug && slug !== "" ? place : null }}
        workspace={workspace}
      />
      <Field label="Message" hint="Reason for this version, shown in the history" errors={[]}>
        {(control) => (
          <Input
            {...control}
            value={message}
            maxLength={500}
            autoComplete="off"
            onChange={({ target }) => setMessage(target.value)}
          />
        )}
      </Field>
      {found && !isNew && (
        <label className="flex items-center gap-2.5 text-[13px] font-medium">
          <Switch checked={isLive} onChange={setLive} aria-label="Make live" />
          Make live. If off, requests keep using the current version.
        </label>
      )}
      {creation.error && <FailureAlert failure={toFailure(creation.error)} />}
      <DialogActions>
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" disabled={slug === "" || creation.isPending}>
          {found && !isNew ? "Create version" : "Create preset"}
        </Button>
      </DialogActions>
    </form>
  );
}
