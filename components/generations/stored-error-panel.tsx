import { CodeBlock } from "@/components/ui/code-block";
import type { StoredError } from "@/lib/engine/protocols/contracts/stored-error-contract";

/** The upstream's error as returned to the caller, and the failed attempts before it. */
export function StoredErrorPanel({ error }: { error: StoredError }) {
  return (
    <div className="grid gap-3">
      <div className="grid gap-1.5">
        <h3 className="text-[13px] font-medium">
          Error{error.provider_name !== null && ` from ${error.provider_name}`}
        </h3>
        <CodeBlock label="Error" text={error.raw ?? error.message ?? "No error message"} wraps />
      </div>
      {error.previous_errors.length > 0 && (
        <div className="grid gap-1.5">
          <h3 className="text-[13px] font-medium">Previous attempts</h3>
          <ol className="grid list-decimal gap-1 pl-5 text-[13px] marker:text-muted">
            {error.previous_errors.map((previous, index) => (
              <li key={index} className="wrap-anywhere">
                {previous.provider_name ?? "Unknown provider"} ({previous.code}): {previous.message}
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}
