import { Field } from "@/components/form/field";
import { TextLink } from "@/components/ui/text-link";
import { Input } from "@/components/ui/input";
import { toFailure } from "@/lib/browser/api-failure";
import { presetPath } from "./preset-path";
import type { NewVersion } from "./use-new-version";

const RULE = "Lowercase letters and digits, separated by single - _ . or ~. Up to 128 characters.";

interface SlugFieldProps {
  slug: NewVersion["slug"];
  workspace: string | null;
}

/** Slug input that shows if the slug is available. */
export function SlugField({ slug: { value, set, place }, workspace }: SlugFieldProps) {
  const failure = place?.error ? toFailure(place.error) : null;
  const faults = failure?.issues.filter(({ path: [first] }) => first === "slug").map(({ message }) => message) ?? [];
  const found = place?.isSuccess && !place.isPlaceholderData ? place.data.data : null;
  return (
    <div className="grid gap-1.5">
      <Field label="Slug" hint={RULE} errors={[...new Set(faults)]}>
        {(control) => (
          <Input
            {...control}
            value={value}
            maxLength={128}
            className="font-mono"
            placeholder="support-triage"
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => set(event.target.value)}
          />
        )}
      </Field>
      <p aria-live="polite" className="min-h-5 text-[13px]">
        {found &&
          (found.designated_version.version === 1 ? (
            <span className="text-success">Available. Use it in requests as @preset/{value}.</span>
          ) : (
            <span className="text-warning">
              Already exists. Creates version {found.designated_version.version} of{" "}
              <TextLink href={presetPath(value, workspace)}>{found.name}</TextLink>
              {found.status === "active" ? "." : ` (${found.status}).`}
            </span>
          ))}
        {failure && faults.length === 0 && (
          <span className="text-muted">Couldn't check the slug: {failure.message}</span>
        )}
      </p>
    </div>
  );
}
