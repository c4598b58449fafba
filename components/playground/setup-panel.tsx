import { Columns2, X } from "lucide-react";
import { Field } from "@/components/form/field";
import { RecordSelect } from "@/components/layout/record-select";
import { RECORD_SOURCES } from "@/components/layout/record-sources";
import { useMay } from "@/components/session/user-context";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import type { HandedDraft } from "./guardrail-draft";
import { keyLabel, usableKeys } from "./playground-queries";
import { SettingsPanel } from "./settings-panel";
import { TargetField } from "./target-field";
import { useKeyOwner } from "./use-key-owner";
import type { Playground } from "./use-playground";

/** Key, target and settings of the requests. */
export function SetupPanel({ playground }: { playground: Playground }) {
  const { state, set, chosen, model, settings, problems, setSettings } = playground;
  const owner = useKeyOwner();
  const workspace = chosen?.workspace_id ?? null;
  const isComparing = state.compare !== null;
  return (
    <div className="grid gap-4">
      <Field label="Key" hint="Its guardrails, limits and budgets apply. Requests are charged to it." errors={[]}>
        {(control) => (
          <RecordSelect
            {...control}
            label="Key"
            value={chosen?.hash ?? null}
            valueLabel={chosen ? keyLabel(chosen) : undefined}
            onChange={(key) => set({ key, guardrail: null })}
            source={usableKeys(owner)}
            workspace={state.workspace}
          />
        )}
      </Field>
      <TargetField
        label={isComparing ? "Model A" : "Model"}
        model={model}
        workspace={workspace}
        onChange={(next) => set({ model: next })}
      />
      {state.compare !== null && (
        <TargetField
          label="Model B"
          model={state.compare}
          workspace={workspace}
          onChange={(compare) => set({ compare })}
        />
      )}
      <Button size="sm" className="justify-self-start" onClick={() => set({ compare: isComparing ? null : model })}>
        {isComparing ? <X aria-hidden /> : <Columns2 aria-hidden />}
        {isComparing ? "Stop comparing" : "Compare side by side"}
      </Button>
      {playground.handed && <Draft handed={playground.handed} onRemove={() => set({ draft: null })} />}
      <GuardrailChoice workspace={workspace} value={state.guardrail} onChange={(guardrail) => set({ guardrail })} />
      <SettingsPanel settings={settings} problems={problems} onChange={setSettings} />
    </div>
  );
}

interface DraftProps {
  handed: HandedDraft | "gone";
  onRemove: () => void;
}

/** The unsaved guardrail that applies in addition. */
const Draft = ({ handed, onRemove }: DraftProps) => (
  <Alert
    kind={handed === "gone" ? "warning" : "info"}
    title={handed === "gone" ? "The draft is no longer available" : `Draft of “${handed.name}” applies`}
    action={
      <Button size="sm" onClick={onRemove}>
        Remove draft
      </Button>
    }
  >
    {handed === "gone"
      ? "Open it from the guardrail editor again."
      : "In addition to the key’s guardrails and without its budget. The draft isn’t stored."}
  </Alert>
);

interface GuardrailChoiceProps {
  workspace: string | null;
  value: string | null;
  onChange: (id: string | null) => void;
}

/** A guardrail to try before it is assigned. Only for admins. */
function GuardrailChoice({ workspace, value, onChange }: GuardrailChoiceProps) {
  const canSeeGuardrails = useMay("guardrails:read");
  if (!canSeeGuardrails || workspace === null) return null;
  return (
    <Field label="Additional guardrail" hint="Tries a guardrail as if it were assigned to the key." errors={[]}>
      {(control) => (
        <RecordSelect
          {...control}
          label="Additional guardrail"
          value={value}
          onChange={onChange}
          none="None"
          source={RECORD_SOURCES.guardrail_id}
          workspace={workspace}
        />
      )}
    </Field>
  );
}
