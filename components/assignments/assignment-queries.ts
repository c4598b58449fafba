import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQueries,
  useQuery,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";
import { guardrailQuery } from "@/components/guardrails/guardrail-queries";
import { call, newIdempotencyKey } from "@/lib/browser/api-client";
import { apiQuery } from "@/lib/browser/api-query";
import { listGuardrails } from "@/lib/browser/operations/guardrails";
import {
  bulkAssignKeys,
  bulkAssignMembers,
  bulkUnassignKeys,
  bulkUnassignMembers,
  undoAssignments,
} from "@/lib/browser/operations/guardrails-assignments";
import { getKey } from "@/lib/browser/operations/keys";
import { leftGuardrails, takingOff, type Kind, type Plan, type Subject } from "./assignment-plan";

const CHOICES = 50;

/** The guardrails to choose from. */
export const choicesQuery = (workspace: string | undefined, q: string) => ({
  ...apiQuery(listGuardrails, {
    query: { limit: CHOICES, sort: "name", ...(workspace && { workspace_id: workspace }), ...(q && { q }) },
  }),
  placeholderData: keepPreviousData,
});

/** Keys take guardrails of their own workspace. */
const workspaceOfKeyQuery = (hash: string) => apiQuery(getKey, { params: { hash } });

interface Change {
  kind: Kind;
  guardrailId: string;
  ids: readonly string[];
}

interface Effect {
  plan: Plan | null;
  changeId: string | undefined;
}

const toPlan = (preview: { new: string[]; unchanged: string[] } | undefined, moved: Plan["moved"] = []): Plan | null =>
  preview ? { added: preview.new, moved, unchanged: preview.unchanged } : null;

async function send({ kind, guardrailId, ids }: Change, isRemoval: boolean, isDryRun: boolean): Promise<Effect> {
  const input = {
    params: { id: guardrailId },
    query: { dry_run: `${isDryRun}` as const },
    ...(!isDryRun && { idempotencyKey: newIdempotencyKey() }),
  };
  if (kind === "keys") {
    const { preview, change_id } = await call(isRemoval ? bulkUnassignKeys : bulkAssignKeys, {
      ...input,
      body: { key_hashes: [...ids] },
    });
    return {
      plan: toPlan(
        preview,
        preview?.moved.map(({ key_hash, from_guardrail_id }) => ({ id: key_hash, from: from_guardrail_id })),
      ),
      changeId: change_id,
    };
  }
  const { preview, change_id } = await call(isRemoval ? bulkUnassignMembers : bulkAssignMembers, {
    ...input,
    body: { member_user_ids: [...ids] },
  });
  return {
    plan: toPlan(
      preview,
      preview?.moved.map(({ user_id, from_guardrail_id }) => ({ id: user_id, from: from_guardrail_id })),
    ),
    changeId: change_id,
  };
}

/**
 * What assigning would do, asked anew each time: somebody else may be at it, too. A dry run on any guardrail says what each
 * holds now, and so what taking them off would do (`isRemoval`).
 */
export const planQuery = (change: Change, isRemoval: boolean) =>
  queryOptions({
    queryKey: ["assignment-plan", change],
    queryFn: () => send(change, false, true).then(({ plan }) => plan),
    select: (plan) => (plan && isRemoval ? takingOff(plan, change.guardrailId) : plan),
    gcTime: 0,
    staleTime: 0,
  });

/** An assignment touches keys, members, guardrails, coverage and policies: all that is shown is asked for again. */
export const refreshEverything = (client: QueryClient) => client.invalidateQueries();

/** Assigns; answers the change to undo, if anything changed. */
export function useAssign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => send(change, false, false).then(({ changeId }) => (changeId ? [changeId] : [])),
    onSettled: () => refreshEverything(client),
  });
}

/** Takes keys or members off the guardrails that they hold, a change for each: all of them or none. */
export function useUnassign() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ kind, moved }: { kind: Kind; moved: Plan["moved"] }) => {
      const changes: string[] = [];
      try {
        for (const guardrailId of new Set(moved.map(({ from }) => from))) {
          const ids = moved.filter(({ from }) => from === guardrailId).map(({ id }) => id);
          const { changeId } = await send({ kind, guardrailId, ids }, true, false);
          if (changeId) changes.push(changeId);
        }
      } catch (error) {
        await undoChanges(changes);
        throw error;
      }
      return changes;
    },
    onSettled: () => refreshEverything(client),
  });
}

/** Takes changes back, the last one first. */
export async function undoChanges(changeIds: readonly string[]): Promise<void> {
  for (const change_id of changeIds.toReversed())
    await call(undoAssignments, { body: { change_id }, idempotencyKey: newIdempotencyKey() });
}

/** Names of the guardrails that a plan takes from. */
export function useLeftNames(plan: Plan | null | undefined): (id: string) => string {
  const ids = plan ? leftGuardrails(plan) : [];
  const found = useQueries({ queries: ids.map((id) => guardrailQuery(id)) });
  return (id) => found[ids.indexOf(id)]?.data?.data.name ?? "another guardrail";
}

/** The workspace whose guardrails can be given to these keys; members take any, the default's unless said otherwise. */
export function useWorkspaceOf(kind: Kind, [first]: readonly Subject[], given: string | null): string | undefined {
  const isAsked = kind === "keys" && first !== undefined;
  const { data } = useQuery({ ...workspaceOfKeyQuery(first?.id ?? ""), enabled: isAsked });
  return data?.data.workspace_id ?? given ?? undefined;
}
