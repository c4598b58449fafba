import { useFormContext, useFormState, useWatch } from "react-hook-form";
import { FoldedFields } from "@/components/form/folded-fields";
import { SelectField } from "@/components/form/select-field";
import { kindOfAddress, PROTOCOLS_OF, type ProviderKind } from "@/lib/records/providers/vocabulary";
import { KIND_LABELS } from "./kind-fields";
import { KindSelect } from "./kind-select";
import { PROTOCOL_LABELS } from "./provider-facts";
import type { ProviderValues } from "./provider-values";

const OWNERSHIP_LABELS = { platform: "Platform account", byok: "Your own account (BYOK)" } as const;
const OWNERSHIPS = [
  { value: "platform", label: OWNERSHIP_LABELS.platform },
  { value: "byok", label: OWNERSHIP_LABELS.byok },
] as const;

interface AdvancedFieldsProps {
  kind: ProviderKind;
  onChooseKind: (kind: ProviderKind) => void;
  /** Base URLs of known vendors with OpenAI-compatible APIs. */
  knownUrls: readonly string[];
}

/** Kind, protocol and billing, open if the address doesn't tell the kind. */
export function AdvancedFields({ kind, onChooseKind, knownUrls }: AdvancedFieldsProps) {
  const { control } = useFormContext<ProviderValues>();
  const [address, protocol, ownership = "platform"] = useWatch({
    control,
    name: ["base_url", "protocol", "ownership"],
  });
  const { errors } = useFormState({ control, name: ["kind", "protocol", "ownership"] });
  const isTold = !address || kindOfAddress(address, knownUrls) === kind;
  const protocols = PROTOCOLS_OF[kind].map((value) => ({ value, label: PROTOCOL_LABELS[value] }));
  const summary = [
    KIND_LABELS[kind],
    PROTOCOL_LABELS[protocol ?? PROTOCOLS_OF[kind][0]],
    OWNERSHIP_LABELS[ownership],
  ].join(" · ");
  return (
    <FoldedFields
      title="Advanced"
      summary={summary}
      isOpenAtFirst={!isTold}
      hasError={Boolean(errors.kind ?? errors.protocol ?? errors.ownership)}
    >
      <KindSelect kind={kind} onChoose={onChooseKind} />
      <div className="grid gap-4 sm:grid-cols-2">
        {protocols.length > 1 && <SelectField control={control} name="protocol" label="Protocol" options={protocols} />}
        <SelectField control={control} name="ownership" label="Billed to" options={OWNERSHIPS} />
      </div>
    </FoldedFields>
  );
}
