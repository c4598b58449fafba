import type { ReactNode } from "react";
import { Alert } from "@/components/ui/alert";
import { MonoId } from "@/components/ui/mono-id";
import type { ApiFailure } from "@/lib/browser/api-failure";

/** Error of the last attempt, with the server's issues and the request ID. */
export function FailureAlert({ failure, action }: { failure: ApiFailure; action?: ReactNode }) {
  return (
    <Alert
      kind="danger"
      title={failure.issues.length > 0 ? "Some fields are invalid" : failure.message}
      action={action}
    >
      {failure.issues.length > 0 && (
        <ul className="max-h-28 list-disc overflow-y-auto pl-4">
          {failure.issues.map(({ path, message }) => (
            <li key={`${path.join(".")} ${message}`}>
              {path.length > 0 && (
                <>
                  <code className="font-mono">{path.join(".")}</code>:{" "}
                </>
              )}
              {message}
            </li>
          ))}
        </ul>
      )}
      {failure.isOffline && <p>Your changes weren&apos;t saved. Try again when you are back online.</p>}
      {failure.isUnreachable && (
        <p>The server may be restarting, and your changes may not be saved. Try again when it responds.</p>
      )}
      {failure.requestId && (
        <p className="flex flex-wrap items-center gap-x-1">
          Request <MonoId value={failure.requestId} name="request ID" />
        </p>
      )}
    </Alert>
  );
}
