import { useQuery } from "@tanstack/react-query";
import { Field } from "@/components/form/field";
import { RecordSelect } from "@/components/layout/record-select";
import { presetVersionsQuery } from "@/components/presets/preset-queries";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import { SuggestedInput, type Suggestion } from "@/components/ui/suggested-input";
import { modelOptionsQuery, presetOptionsQuery, usablePresets } from "./playground-queries";
import { modelOf, toTarget, type Target } from "./playground-state";

const KINDS = [
  { value: "model", label: "Model" },
  { value: "preset", label: "Preset" },
] as const;

interface TargetFieldProps {
  /** Name of the group: "Model", or "Model B" side by side. */
  label: string;
  model: string;
  workspace: string | null;
  onChange: (model: string) => void;
}

/** Chooses a model, or a preset with its version. */
export function TargetField({ label, model, workspace, onChange }: TargetFieldProps) {
  const target = toTarget(model);
  const models = useQuery(modelOptionsQuery).data?.data ?? [];
  const found = useQuery(presetOptionsQuery(workspace));
  const presets = found.data?.data ?? [];
  const hasNone = found.isSuccess && presets.length === 0;
  const set = (next: Target) => onChange(modelOf(next));
  const [firstPreset] = presets;
  const choose = (kind: Target["kind"]) => {
    if (kind === "model") set({ kind, slug: models[0]?.slug ?? "" });
    else if (firstPreset) set({ kind, slug: firstPreset.slug, version: null });
  };
  return (
    <fieldset className="grid min-w-0 content-start gap-2">
      <legend className="mb-1.5 text-[13px] font-medium">{label}</legend>
      <Segmented
        label={`${label} kind`}
        className="justify-self-start"
        value={target.kind}
        onValueChange={choose}
        options={KINDS.map((kind) => ({ ...kind, isDisabled: kind.value === "preset" && presets.length === 0 }))}
      />
      {hasNone && <p className="text-[13px] text-muted">No active presets in this workspace yet.</p>}
      {target.kind === "model" ? (
        <ModelInput
          label={label}
          slug={target.slug}
          models={models.map(({ slug, name }) => ({ value: slug, label: name }))}
          onChange={(slug) => set({ kind: "model", slug })}
        />
      ) : (
        <PresetChoice label={label} target={target} workspace={workspace} onChange={set} />
      )}
    </fieldset>
  );
}

interface ModelInputProps {
  label: string;
  slug: string;
  models: readonly Suggestion[];
  onChange: (slug: string) => void;
}

function ModelInput({ label, slug, models, onChange }: ModelInputProps) {
  return (
    <Field label={`${label} slug`} isLabelHidden errors={slug.trim() === "" ? ["Model is required"] : []}>
      {(control) => (
        <SuggestedInput
          {...control}
          suggestions={models}
          value={slug}
          className="font-mono text-[13px]"
          onChange={({ target }) => onChange(target.value.trim())}
        />
      )}
    </Field>
  );
}

const LIVE = "live";

interface PresetChoiceProps {
  label: string;
  target: Extract<Target, { kind: "preset" }>;
  workspace: string | null;
  onChange: (target: Target) => void;
}

function PresetChoice({ label, target, workspace, onChange }: PresetChoiceProps) {
  const total = useQuery(presetVersionsQuery({ slug: target.slug, workspace }, 0)).data?.total_count ?? 0;
  const versions = Array.from({ length: total }, (_, index) => String(total - index));
  const chosen = target.version ?? LIVE;
  const known = [...new Set([...versions, ...(target.version === null ? [] : [target.version])])];
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-2">
      <RecordSelect
        aria-label={`${label} preset`}
        label={`${label} preset`}
        value={target.slug}
        valueLabel={target.slug}
        onChange={(slug) => slug !== null && onChange({ kind: "preset", slug, version: null })}
        source={usablePresets}
        workspace={workspace}
      />
      <Select
        aria-label={`${label} preset version`}
        value={chosen}
        onValueChange={(version) => onChange({ ...target, version: version === LIVE ? null : version })}
        options={[
          { value: LIVE, label: "Live" },
          ...known.map((version) => ({ value: version, label: `v${version}` })),
        ]}
      />
    </div>
  );
}
