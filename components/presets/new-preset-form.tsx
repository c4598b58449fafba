"use client";
import { useQueryStates } from "nuqs";
import { useState, type SubmitEvent } from "react";
import { Field } from "@/components/form/field";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import { usePageRouter } from "@/lib/browser/page-router";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { FailureAlert } from "@/components/form/failure-alert";
import { Alert } from "@/components/ui/alert";
import { TextLink } from "@/components/ui/text-link";
import { PRECONDITION_FAILED, toFailure } from "@/lib/browser/api-failure";
import { BodyCard } from "./body-card";
import { VersionPreview } from "./version-preview";
import { presetPath, withQuery } from "./preset-path";
import { NEW_PRESET_STATE } from "./preset-state";
import { SlugField } from "./slug-field";
import { useNewVersion } from "./use-new-version";
import type { PresetAddress } from "./preset-queries";

interface NewPresetFormProps {
  workspace: string | null;
  /** The preset to add a version to; null for a new preset. */
  base: PresetWithVersion | null;
  /** The initial body, instead of the live version's. */
  start?: string | undefined;
  /** True if the initial body comes from a version that isn't live. */
  isOfOtherVersion?: boolean;
}

/** Settings on the left, preview on the right. */
export function NewPresetForm({ workspace, base: newest, start, isOfOtherVersion = false }: NewPresetFormProps) {
  const router = usePageRouter();
  const [{ editor }, setState] = useQueryStates(NEW_PRESET_STATE);
  // Kept, because a refetched preset may be newer than the revision the body is based on.
  const [base] = useState(newest);
  const [isMade, setMade] = useState(false);
  const [goesLive, setGoesLive] = useState(!isOfOtherVersion);
  const draft = useNewVersion(workspace, base, start);
  const { text, message, creation } = draft;
  const create = async (basedOn: number | null) => {
    const { data, created_version } = await draft.create(basedOn, goesLive);
    setMade(true);
    const live = data.designated_version.version;
    const isDraft = created_version !== undefined && created_version !== live;
    toast.success(
      isDraft
        ? `Version ${created_version} of “${data.slug}” created. Version ${live} stays live`
        : `Version ${live} of “${data.slug}” is now live`,
    );
    router.push(presetPath(data.slug, workspace, isDraft ? { tab: "versions" } : {}));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (draft.canCreate && !isMade) create(base?.revision ?? null).catch(() => undefined);
  };
  return (
    <form
      noValidate
      onSubmit={submit}
      className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] 2xl:grid-cols-[minmax(0,1fr)_28rem]"
    >
      <div className="grid min-w-0 gap-4">
        {base === null && <SlugField slug={draft.slug} workspace={workspace} />}
        <BodyCard draft={draft} view={editor} onView={(view) => void setState({ editor: view })} />
        <Field label="Message" hint="Reason for this version, shown in the history" errors={[]}>
          {(control) => (
            <Input
              {...control}
              value={message.value}
              maxLength={500}
              autoComplete="off"
              onChange={(event) => message.set(event.target.value)}
            />
          )}
        </Field>
        {base && (
          <div className="flex items-center gap-2.5 text-[13px]">
            <Switch checked={goesLive} onChange={setGoesLive} aria-label="Make live" aria-describedby="goes-live" />
            <span id="goes-live">
              {goesLive
                ? "Make live: requests use this version as soon as it is created."
                : `Keep version ${base.designated_version.version} live: try this one first, and make it live later.`}
            </span>
          </div>
        )}
        {creation.error && (
          <CreationFailure
            error={creation.error}
            address={{ slug: draft.slug.value, workspace }}
            onRetry={() => void create(null).catch(() => undefined)}
          />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <LinkButton href={base ? presetPath(base.slug, workspace) : withQuery("/presets", { workspace })}>
            Cancel
          </LinkButton>
          <Button type="submit" variant="primary" disabled={!draft.canCreate || creation.isPending || isMade}>
            {base === null ? "Create preset" : goesLive ? "Create version" : "Save draft"}
          </Button>
        </div>
      </div>
      <div className="min-w-0 lg:sticky lg:top-19">
        <VersionPreview preview={draft.preview} isFaulty={text.problem !== null} />
      </div>
      <UnsavedGuard isDirty={draft.isDirty && !isMade} />
    </form>
  );
}

interface CreationFailureProps {
  error: unknown;
  address: PresetAddress;
  /** Creates the version regardless of concurrent changes. */
  onRetry: () => void;
}

/** Error on creating a version. After a conflict, the version can be created on top of the newer one. */
function CreationFailure({ error, address: { slug, workspace }, onRetry }: CreationFailureProps) {
  const failure = toFailure(error);
  if (failure.status !== PRECONDITION_FAILED) return <FailureAlert failure={failure} isOfJson />;
  return (
    <Alert
      kind="danger"
      title="This preset changed while you were editing"
      action={
        <Button size="sm" onClick={onRetry}>
          Create version anyway
        </Button>
      }
    >
      Your version wasn&apos;t saved.{" "}
      <TextLink href={presetPath(slug, workspace, { tab: "versions" })}>View the history</TextLink>, or create yours on
      top of the latest version.
    </Alert>
  );
}
