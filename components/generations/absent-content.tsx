"use client";
import { useMay } from "@/components/session/user-context";
import { LinkButton } from "@/components/ui/link-button";

const ABSENCES = {
  content_logging_off: "The prompt and completion weren’t stored: content logging was off in this workspace.",
  not_scanned: "The prompt wasn’t stored: the content filters couldn’t finish scanning it for sensitive text.",
  object_missing: "The prompt and completion are missing from the object storage.",
  content_expired: "The prompt and completion were deleted or their retention period ended.",
} as const;
type Absence = keyof typeof ABSENCES;

const isAbsence = (value: unknown): value is Absence => typeof value === "string" && Object.hasOwn(ABSENCES, value);

/** Returns why a generation has no content, from the metadata of the error; null for any other error. */
export const absenceOf = ({ cause, reason }: Record<string, unknown>): Absence | null =>
  [cause, reason].find(isAbsence) ?? null;

const CHANGEABLE: ReadonlySet<Absence> = new Set(["content_logging_off", "content_expired"]);

/** Reason that content is missing, and the way to change it for later requests. */
export function AbsentContent({ absence }: { absence: Absence }) {
  const canEditWorkspaces = useMay("workspaces:write");
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-muted">{ABSENCES[absence]}</p>
      {canEditWorkspaces && CHANGEABLE.has(absence) && (
        <LinkButton size="sm" href="/settings?tab=logging">
          Open logging settings
        </LinkButton>
      )}
    </div>
  );
}
