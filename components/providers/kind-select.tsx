import { Field } from "@/components/form/field";
import { Select } from "@/components/ui/select";
import { PROVIDER_KINDS, type ProviderKind } from "@/lib/records/providers/vocabulary";
import { KIND_LABELS } from "./kind-fields";

const OPTIONS = PROVIDER_KINDS.map((value) => ({ value, label: KIND_LABELS[value] }));

interface KindSelectProps {
  kind: ProviderKind;
  onChoose: (kind: ProviderKind) => void;
}

export function KindSelect({ kind, onChoose }: KindSelectProps) {
  return (
    <Field label="Kind" hint="Decides how requests are addressed and authenticated." errors={[]}>
      {(wiring) => <Select {...wiring} value={kind} onValueChange={onChoose} options={OPTIONS} />}
    </Field>
  );
}
