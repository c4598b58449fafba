import { CopyButton } from "@/components/ui/copy-button";
import { MonoId } from "@/components/ui/mono-id";

interface NamedIdProps {
  /** Null when unknown: the ID is shown instead. */
  name: string | null | undefined;
  id: string;
  /** Name of the ID: "member ID". */
  label: string;
}

/** A resource by its name, with its ID in a tooltip and on the clipboard. */
export function NamedId({ name, id, label }: NamedIdProps) {
  if (!name) return <MonoId value={id} name={label} />;
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <span className="min-w-0 wrap-anywhere" title={id}>
        {name}
      </span>
      <CopyButton text={id} label={`Copy ${label}`} className="relative z-10 size-6 text-muted" />
    </span>
  );
}
