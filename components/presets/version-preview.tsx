import { Check, Minus } from "lucide-react";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { toFailure } from "@/lib/browser/api-failure";
import type { PresetVersion } from "@/lib/records/presets/contract";
import type { NewVersion } from "./use-new-version";
import { count } from "@/lib/platform/count";

interface VersionPreviewProps {
  preview: NewVersion["preview"];
  isFaulty: boolean;
}

/** Preview of a version: stored fields, ignored fields with reasons, and the resulting configuration. */
export function VersionPreview({ preview, isFaulty }: VersionPreviewProps) {
  const answer = isFaulty ? undefined : preview?.data;
  return (
    <Card id="preview" title="Preview" className="grid gap-4">
      <p aria-live="polite" className="text-[13px] text-muted">
        {answer ? summary(answer.kept?.length ?? 0, answer.ignored?.length ?? 0) : absence(preview, isFaulty)}
      </p>
      {answer && (
        <>
          <ul aria-label="Stored fields" className="grid gap-1">
            {answer.kept?.map((name) => (
              <li key={name} className="flex items-center gap-2">
                <Check aria-hidden className="size-4 shrink-0 text-success" />
                <code className="font-mono text-[13px] wrap-anywhere">{name}</code>
              </li>
            ))}
          </ul>
          <ul aria-label="Ignored fields" className="grid gap-1.5">
            {answer.ignored?.map(({ path, reason }) => (
              <li key={path.join(".")} className="flex items-start gap-2 text-muted">
                <Minus aria-hidden className="mt-0.5 size-4 shrink-0" />
                <span className="min-w-0 text-[13px] wrap-anywhere">
                  <code className="font-mono text-foreground">{path.join(".")}</code> {reason}
                </span>
              </li>
            ))}
          </ul>
          <Stored version={answer.data.designated_version} />
        </>
      )}
    </Card>
  );
}

function absence(preview: NewVersion["preview"], isFaulty: boolean): string {
  if (isFaulty) return "Fix the errors in the body to see a preview.";
  if (preview?.error) return `No preview: ${toFailure(preview.error).message}`;
  return preview ? "Loading preview…" : "Write or paste a request body to see which fields are stored.";
}

const summary = (kept: number, ignored: number) => `${count(kept, "field")} stored, ${ignored} ignored.`;

function Stored({ version: { config, system_prompt } }: { version: PresetVersion }) {
  return (
    <div className="grid gap-2 border-t pt-3">
      <h3 className="text-[13px] font-medium">Stored version</h3>
      <CodeBlock label="Stored configuration" text={JSON.stringify(config, null, 2)} wraps />
      {system_prompt !== "" && <CodeBlock label="Stored system prompt" text={system_prompt} wraps />}
    </div>
  );
}
