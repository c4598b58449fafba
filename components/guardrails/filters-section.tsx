import type { Control } from "react-hook-form";
import { SettingsRow } from "@/components/form/settings-row";
import { fieldErrors } from "@/components/form/field-errors";
import { useField } from "@/components/form/use-field";
import { Badge } from "@/components/ui/badge";
import { cn } from "@/components/ui/class-names";
import { Segmented } from "@/components/ui/segmented";
import { Select } from "@/components/ui/select";
import type { BuiltinFilter } from "@/lib/engine/filters/contract";
import { defaultScanScope, PERSONAL_DATA_BUILTINS, PROMPT_INJECTION_BUILTIN } from "@/lib/engine/filters/vocabulary";
import type { GuardrailValues } from "./guardrail-values";
import {
  actionsOf,
  BUILTIN_COPY,
  BUILTIN_ORDER,
  DIRECTION_OPTIONS,
  OTHER_BUILTINS,
  SCOPE_OPTIONS,
  type BuiltinSlug,
  type FilterScope,
} from "./filter-options";

/** Personal data, which most guardrails restrict. */
export const PersonalDataSection = ({ control }: { control: Control<GuardrailValues> }) => (
  <SettingsRow
    id="filters"
    title="Personal data"
    description="Redact replaces it with its label. Block rejects the request or withholds the response."
  >
    <BuiltinFilters control={control} slugs={PERSONAL_DATA_BUILTINS} />
  </SettingsRow>
);

/** The built-in filters of other content. Shows the errors of the list of all built-in filters. */
export function OtherFilters({ control }: { control: Control<GuardrailValues> }) {
  const { fieldState } = useField({ control, name: "content_filter_builtins" });
  return (
    <>
      <BuiltinFilters control={control} slugs={OTHER_BUILTINS} />
      {fieldErrors(fieldState.error).map((error) => (
        <p key={error} role="alert" className="text-[13px] text-danger">
          {error}
        </p>
      ))}
    </>
  );
}

const OFF = { value: "off", label: "Off" } as const;

/** Only requests have a selection of messages. */
const inScope = ({ scan_scope, ...entry }: BuiltinFilter, scope: FilterScope): BuiltinFilter => ({
  ...entry,
  scope,
  ...(scope !== "response" && scan_scope && { scan_scope }),
});

interface BuiltinFiltersProps {
  control: Control<GuardrailValues>;
  slugs: readonly BuiltinSlug[];
}

/** One row per built-in filter. A filter without an entry is off. */
function BuiltinFilters({ control, slugs }: BuiltinFiltersProps) {
  const { field } = useField({ control, name: "content_filter_builtins" });
  const filters = field.value ?? [];
  const entryOf = (slug: BuiltinSlug) => filters.find((filter) => filter.slug === slug);
  const set = (slug: BuiltinSlug, entry: BuiltinFilter | null) => {
    const entries = BUILTIN_ORDER.map((other) => (other === slug ? entry : entryOf(other)));
    field.onChange(entries.filter((other) => other));
  };
  return (
    <ul className="@container divide-y">
      {slugs.map((slug) => (
        <BuiltinRow key={slug} slug={slug} entry={entryOf(slug)} onChange={(entry) => set(slug, entry)} />
      ))}
    </ul>
  );
}

interface BuiltinRowProps {
  slug: BuiltinSlug;
  entry: BuiltinFilter | undefined;
  onChange: (entry: BuiltinFilter | null) => void;
}

function BuiltinRow({ slug, entry, onChange }: BuiltinRowProps) {
  const { title, example, isLanguageBased } = BUILTIN_COPY[slug];
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-1.5 first:pt-0 last:pb-0">
      <div className="grid min-w-0 flex-1 basis-52 gap-0.5">
        <span className="flex items-center gap-2 text-[13px] font-medium">
          {title}
          {isLanguageBased && <Badge>Statistical</Badge>}
        </span>
        <span className="text-[13px] text-muted">
          e.g. <span className="font-mono">{example}</span>
        </span>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {slug === PROMPT_INJECTION_BUILTIN && entry && entry.scope !== "response" && (
          <Select
            aria-label="Scanned messages"
            className="w-40"
            value={entry.scan_scope ?? defaultScanScope(slug)}
            onValueChange={(scan_scope) => onChange({ ...entry, scan_scope })}
            options={SCOPE_OPTIONS}
          />
        )}
        {/* Invisible while the filter is off, so that the row doesn't move; hidden in a narrow row, where it would be an empty line. */}
        <Select
          aria-label={`Scope of ${title}`}
          className={cn("w-28", !entry && "invisible @max-lg:hidden")}
          disabled={!entry}
          value={entry?.scope ?? "request"}
          onValueChange={(scope) => entry && onChange(inScope(entry, scope))}
          options={DIRECTION_OPTIONS}
        />
        <Segmented
          label={title}
          value={entry?.action ?? OFF.value}
          onValueChange={(action) => onChange(action === OFF.value ? null : { ...entry, slug, action })}
          options={[OFF, ...actionsOf(slug)]}
        />
      </div>
    </li>
  );
}
