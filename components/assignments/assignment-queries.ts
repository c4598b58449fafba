import {
  keepPreviousData,
  queryOptions,
  useQueries,
  useQuery,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";
import { guardrailQuery } from "@/components/guardrails/guardrail-queries";
import { call, newIdempotencyKey } from "@/lib/browser/api-client";
import { inBatches, type OnProgress } from "@/lib/browser/batches";
import { useApiMutation } from "@/lib/browser/api-mutation";
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
import { leftGuardrails, unassignPlan, type Kind, type Plan, type Subject } from "./assignment-plan";

const CHOICES = 50;

/** Guardrails to choose from. */
export const choicesQuery = (workspace: string | undefined, q: string) => ({
  ...apiQuery(listGuardrails, {
    query: { limit: CHOICES, sort: "name", ...(workspace && { workspace_id: workspace }), ...(q && { q }) },
  }),
  placeholderData: keepPreviousData,
});

/** Keys can only have guardrails of their own workspace. */
const workspaceOfKeyQuery = (hash: string) => apiQuery(getKey, { params: { hash } });

interface Change {
  kind: Kind;
  guardrailId: string;
  ids: readonly string[];
}

interface PlannedChange extends Change {
  onProgress?: OnProgress;
}

interface Effect {
  plan: Plan | null;
  changeId: string | undefined;
}

const toPlan = (preview: { new: string[]; unchanged: string[] } | undefined, moved: Plan["moved"] = []): Plan | null =>
  preview ? { added: preview.new, moved, unchanged: preview.unchanged } : null;

const joined = (plans: readonly (Plan | null)[]): Plan | null => {
  const known = plans.filter((plan) => plan !== null);
  return known.length === 0
    ? null
    : {
        added: known.flatMap(({ added }) => added),
        moved: known.flatMap(({ moved }) => moved),
        unchanged: known.flatMap(({ unchanged }) => unchanged),
      };
};

const changesOf = (effects: readonly Effect[]): string[] =>
  effects.flatMap(({ changeId }) => (changeId === undefined ? [] : [changeId]));

/** Sends a change in as many requests as its number of keys or members takes. All or nothing. */
async function sendAll(
  { ids, onProgress, ...change }: PlannedChange,
  action: "plan" | "assign" | "unassign",
): Promise<{ plan: Plan | null; changes: string[] }> {
  const effects = await inBatches(ids, (batch) => send({ ...change, ids: batch }, action), {
    onProgress,
    undo: (done) => undoChanges(changesOf(done)),
  });
  return { plan: joined(effects.map(({ plan }) => plan)), changes: changesOf(effects) };
}

async function send({ kind, guardrailId, ids }: Change, action: "plan" | "assign" | "unassign"): Promise<Effect> {
  const input = {
    params: { id: guardrailId },
    ...(action === "plan"
      ? { query: { dry_run: "true" as const } }
      : { query: { dry_run: "false" as const }, idempotencyKey: newIdempotencyKey() }),
  };
  const isRemoval = action === "unassign";
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
 * Dry run of an assignment, never cached because others may change assignments meanwhile. A dry run on any guardrail
 * returns the current assignments, which also gives the effect of unassigning.
 */
export const planQuery = (change: Change, action: "assign" | "unassign") =>
  queryOptions({
    queryKey: ["assignment-plan", change],
    queryFn: () => sendAll(change, "plan").then(({ plan }) => plan),
    select: (plan) => (plan && action === "unassign" ? unassignPlan(plan, change.guardrailId) : plan),
    gcTime: 0,
    staleTime: 0,
  });

/** An assignment affects keys, members, guardrails, coverage and policies, so every query is invalidated. */
export const refreshEverything = (client: QueryClient) => client.invalidateQueries();

/** Assigns and returns the undoable changes, if anything changed. */
export function useAssign() {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: (change: PlannedChange) => sendAll(change, "assign").then(({ changes }) => changes),
    onSettled: () => refreshEverything(client),
  });
}

/** Unassigns keys or members from their guardrails, with one change per guardrail. All or nothing. */
export function useUnassign() {
  const client = useQueryClient();
  return useApiMutation({
    mutationFn: async ({ kind, moved }: { kind: Kind; moved: Plan["moved"] }) => {
      const changes: string[] = [];
      try {
        for (const guardrailId of new Set(moved.map(({ from }) => from))) {
          const ids = moved.filter(({ from }) => from === guardrailId).map(({ id }) => id);
          changes.push(...(await sendAll({ kind, guardrailId, ids }, "unassign")).changes);
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

/** Undoes changes, newest first. */
export async function undoChanges(changeIds: readonly string[]): Promise<void> {
  for (const change_id of changeIds.toReversed())
    await call(undoAssignments, { body: { change_id }, idempotencyKey: newIdempotencyKey() });
}

/** Names of the guardrails that lose keys or members under a plan. */
export function useLeftNames(plan: Plan | null | undefined): (id: string) => string {
  const ids = plan ? leftGuardrails(plan) : [];
  const found = useQueries({ queries: ids.map((id) => guardrailQuery(id)) });
  return (id) => found[ids.indexOf(id)]?.data?.data.name ?? "another guardrail";
}

/**
 * Workspace whose guardrails can be assigned to these keys. Members can have guardrails of any workspace, or of the given
 * one.
 */
export function useWorkspaceOf(kind: Kind, [first]: readonly Subject[], given: string | null): string | undefined {
  const isOfKeys = kind === "keys" && first !== undefined;
  const { data } = useQuery({ ...workspaceOfKeyQuery(first?.id ?? ""), enabled: isOfKeys });
  return data?.data.workspace_id ?? given ?? undefined;
}
