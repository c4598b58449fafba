"use client";
import { useQuery } from "@tanstack/react-query";
import { FailureAlert } from "@/components/form/failure-alert";
import { Alert } from "@/components/ui/alert";
import { Dialog } from "@/components/ui/dialog";
import { DiffView } from "@/components/ui/diff-view";
import { Skeleton } from "@/components/ui/skeleton";
import { call } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { checkPolicy, getGenerationContent } from "@/lib/browser/operations";
import type { Generation } from "@/lib/generations/contract";
import { judgedNow, judgedThen, rebuiltRequest, replayLimits } from "./replay-request";

const LABELS = { outcome: "Outcome", decisions: "Decisions", route: "Goes to" };

const replayQuery = (generation: Generation) => ({
  queryKey: [checkPolicy.id, "replay", generation.id],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const { data: content } = await call(getGenerationContent, { query: { id: generation.id }, signal });
    const { protocol, key_hash, workspace_id } = generation;
    const subject = key_hash === null ? { workspace_id } : { key_hash };
    return call(checkPolicy, { body: { request: rebuiltRequest(generation, content), protocol, ...subject }, signal }).then(({ data }) => data);
  },
  staleTime: 0,
  gcTime: 0,
});

/** What today's policy would do with the stored request, beside what it did. Nothing is sent or spent. */
export function ReplayDialog({ generation, open, onClose }: { generation: Generation; open: boolean; onClose: () => void }) {
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Replay against today's policy"
      description="The stored request is judged anew. Nothing is sent to a model and nothing is spent."
      className="max-w-2xl"
    >
      {generation.content_stored ? <Replay generation={generation} /> : <Alert kind="info" title="This request can't be replayed: its content is not stored." />}
    </Dialog>
  );
}

function Replay({ generation }: { generation: Generation }) {
  const replay = useQuery(replayQuery(generation));
  if (replay.error) return <FailureAlert failure={toFailure(replay.error)} />;
  if (!replay.data) {
    return (
      <div role="status">
        <span className="sr-only">Judging the request</span>
        <Skeleton className="h-32" />
      </div>
    );
  }
  const [then, now] = [judgedThen(generation), judgedNow(replay.data)];
  const isSame = JSON.stringify(then) === JSON.stringify(now);
  return (
    <div className="grid gap-3" aria-live="polite">
      <p className="font-medium">{isSame ? `Nothing changed: it would be ${now.outcome} again.` : `Then ${then.outcome}, now ${now.outcome}.`}</p>
      {replay.data.message !== null && <p className="text-[13px] text-muted">The caller would read: {replay.data.message}</p>}
      {!isSame && <DiffView before={then} after={now} beforeLabel="Then" afterLabel="Today" labels={LABELS} />}
      <div className="grid gap-1 text-[13px] text-muted">
        <h3 className="font-medium text-foreground">What could not be judged</h3>
        <ul className="grid list-disc gap-1 pl-5">
          {replayLimits(generation).map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}
