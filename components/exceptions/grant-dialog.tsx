"use client";
import { useQueries, useQuery } from "@tanstack/react-query";
import { guardrailQuery } from "@/components/guardrails/guardrail-queries";
import { FailureAlert } from "@/components/form/failure-alert";
import { effectivePolicyQuery } from "@/components/policy/policy-queries";
import { sessionQuery } from "@/components/session/session-queries";
import { Dialog } from "@/components/ui/dialog";
import { Skeleton } from "@/components/ui/skeleton";
import { toFailure } from "@/lib/browser/api-failure";
import type { ExceptionSubject } from "./exception-queries";
import { GrantForm } from "./grant-form";
import type { DecidedRule } from "./liftable-rules";

interface GrantDialogProps {
  subject: ExceptionSubject;
  name: string;
  workspaceId?: string | undefined;
  /** The decision that blocked the request. */
  blockedBy?: DecidedRule;
  onClose: () => void;
}

/** Grants a temporary exception to a key or member. */
export function GrantDialog({ subject, name, workspaceId, blockedBy, onClose }: GrantDialogProps) {
  const session = useQuery(sessionQuery);
  const policy = useQuery(
    effectivePolicyQuery({ ...subject, ...("user_id" in subject && workspaceId && { workspace_id: workspaceId }) }),
  );
  const ids = [...new Set(policy.data?.data.layers.flatMap(({ guardrail_id }) => guardrail_id ?? []))];
  const guardrails = useQueries({ queries: ids.map(guardrailQuery) });
  const error = policy.error ?? session.error ?? guardrails.find((one) => one.error)?.error;
  const loaded = guardrails.flatMap(({ data }) => data?.data ?? []);
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Grant “${name}” an exception`}
      description="Exceptions expire automatically and are recorded on every request they allow."
    >
      {error ? (
        <FailureAlert failure={toFailure(error)} />
      ) : !policy.data || !session.data || loaded.length < ids.length ? (
        <div role="status">
          <span className="sr-only">Loading the policy</span>
          <Skeleton className="h-80" />
        </div>
      ) : (
        <GrantForm
          subject={subject}
          guardrails={loaded}
          limits={policy.data.data.fields.limit_usd}
          vendors={session.data.zdr_vendors}
          blockedBy={blockedBy}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
