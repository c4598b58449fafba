"use client";
import { useRouter } from "next/navigation";
import { useState, type SubmitEvent } from "react";
import { Field } from "@/components/form/field";
import { UnsavedGuard } from "@/components/form/unsaved-guard";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { CodeEditor } from "@/components/ui/code-editor";
import { Input } from "@/components/ui/input";
import { LinkButton } from "@/components/ui/link-button";
import { Segmented } from "@/components/ui/segmented";
import { Switch } from "@/components/ui/switch";
import { toast } from "@/components/ui/toast";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { CreationFailure } from "./creation-failure";
import { VersionPreview } from "./version-preview";
import { presetPath, withQuery } from "./preset-path";
import { SlugField } from "./slug-field";
import { useNewVersion } from "./use-new-version";

const FORMATS = [
  { value: "responses", label: "Responses" },
  { value: "chat_completions", label: "Chat Completions" },
  { value: "messages", label: "Messages" },
] as const;

const EXAMPLE = JSON.stringify(
  {
    model: "sandbox/echo",
    instructions: "Answer in one sentence.",
    temperature: 0.2,
    max_output_tokens: 300,
    input: "What is a preset?",
  },
  null,
  2,
);

interface NewPresetFormProps {
  workspace: string | null;
  /** The preset to add a version to; null for a new preset. */
  base: PresetWithVersion | null;
  start?: string;
}

/** Request body on the left, preview on the right. */
export function NewPresetForm({ workspace, base: newest, start = "" }: NewPresetFormProps) {
  const router = useRouter();
  // A refetched preset isn't the revision the body was based on.
  const [base] = useState(newest);
  const [isMade, setMade] = useState(false);
  const [goesLive, setGoesLive] = useState(true);
  const draft = useNewVersion(workspace, base, start);
  const { text, format, message, creation } = draft;
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
    if (draft.canCreate) create(base?.revision ?? null).catch(() => undefined);
  };
  return (
    <form noValidate onSubmit={submit} className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="grid min-w-0 gap-4">
        {base === null && <SlugField slug={draft.slug} workspace={workspace} />}
        <Card
          id="body"
          title="Request body"
          description={
            format.isDetected ? "Format detected automatically. Change it if it's wrong." : "Format set manually."
          }
          action={<Segmented label="Format" value={format.value} onValueChange={format.set} options={FORMATS} />}
          className="grid gap-3"
        >
          <CodeEditor
            label="Request body"
            language="json"
            value={text.value}
            onChange={text.set}
            problem={text.problem}
            minLines={14}
          />
          {text.value === "" && (
            <Button size="sm" className="justify-self-start" onClick={() => text.set(EXAMPLE)}>
              Insert example
            </Button>
          )}
        </Card>
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
          <Button type="submit" variant="primary" disabled={!draft.canCreate || creation.isPending}>
            {base ? "Create version" : "Create preset"}
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
