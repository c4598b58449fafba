import { Alert } from "@/components/ui/alert";
import { MonoId } from "@/components/ui/mono-id";
import { refusalText } from "./refusal-text";

/** Why an identity provider's sign-in was refused. */
export function RefusalAlert({ refusal, requestId }: { refusal: string; requestId: string | null }) {
  const { title, advice } = refusalText(refusal);
  return (
    <Alert kind="danger" title={title}>
      <p>{advice}</p>
      {requestId !== null && (
        <p className="flex flex-wrap items-center gap-x-1">
          Request <MonoId value={requestId} name="request ID" />
        </p>
      )}
    </Alert>
  );
}
