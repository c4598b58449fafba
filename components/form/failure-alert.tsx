import { Alert } from "@/components/ui/alert";
import { MonoId } from "@/components/ui/mono-id";
import type { ApiFailure } from "@/lib/browser/api-failure";
import { pathLabel } from "./path-label";
import { hasField } from "./shown-fields";

interface FailureAlertProps {
  failure: ApiFailure;
  /** Control of the form whose fields show their own issues. */
  control?: object;
  /** True if the user wrote JSON, in which an issue is found by its path. */
  isOfJson?: boolean;
}

/** Error of the last attempt, with the request ID and the server's issues that no field shows. */
export function FailureAlert({ failure, control, isOfJson = false }: FailureAlertProps) {
  const issues = control ? failure.issues.filter((issue) => !hasField(control, issue)) : failure.issues;
  if (issues.length === 0 && failure.issues.length > 0) return null;
  return (
    <Alert kind="danger" title={issues.length > 0 ? "Some fields are invalid" : failure.message}>
      {issues.length > 0 && (
        <ul className="max-h-28 list-disc overflow-y-auto pl-4">
          {issues.map(({ path, message }) => (
            <li key={`${path.join(".")} ${message}`}>
              {path.length > 0 && `${isOfJson ? path.join(".") : pathLabel(path)}: `}
              {message}
            </li>
          ))}
        </ul>
      )}
      {failure.isOffline && <p>Your changes weren&apos;t saved. Try again when you are back online.</p>}
      {failure.isUnreachable && (
        <p>The server may be restarting, and your changes may not have been saved. Try again when it responds.</p>
      )}
      {failure.requestId && (
        <p className="flex flex-wrap items-center gap-x-1">
          Request <MonoId value={failure.requestId} name="request ID" />
        </p>
      )}
    </Alert>
  );
}
