"use client";
import { useQuery, useQueryClient, queryOptions, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { useFreshErrors } from "@/components/form/use-fresh-errors";
import { AmountField } from "@/components/form/amount-field";
import { formResolver } from "@/components/form/form-resolver";
import { INTERVAL_OPTIONS } from "@/components/form/interval-options";
import { MutationForm } from "@/components/form/mutation-form";
import { SelectField } from "@/components/form/select-field";
import { Dialog } from "@/components/ui/dialog";
import { formatUsd } from "@/components/ui/usd";
import { toFailure } from "@/lib/browser/api-failure";
import { Key } from "@/lib/records/keys/contract";
import { toast } from "@/components/ui/toast";
import { call, newIdempotencyKey, type Answer } from "@/lib/browser/api-client";
import { inBatches, type OnProgress } from "@/lib/browser/batches";
import { count } from "@/lib/platform/count";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { bulkSetKeyLimits } from "@/lib/browser/operations/keys-limits";
import type { LimitConflict } from "@/lib/records/keys/limits-contract";

const checkLimit = formResolver(Key.pick({ limit: true, limit_reset: true }));

interface SetLimitsDialogProps {
  keys: readonly LimitedKey[];
  onClose: () => void;
  onDone: () => void;
}

const keysOf = (amount: number) => count(amount, "key");
const limitText = ({ limit, limit_reset }: KeyLimit) =>
  limit === null ? "no limit" : `${formatUsd(limit)} ${limit_reset ?? "total"}`;

/** Sets a limit on multiple keys, with a preview of the changes. */
export function SetLimitsDialog({ keys, onClose, onDone }: SetLimitsDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Set limit on ${keysOf(keys.length)}`}
      description="Applies to each key separately, in addition to guardrail limits."
    >
      <LimitForm keys={keys} onClose={onClose} onDone={onDone} />
    </Dialog>
  );
}

function LimitForm({ keys, onClose, onDone }: SetLimitsDialogProps) {
  const client = useQueryClient();
  const set = useSetLimits();
  const [done, setDone] = useState(0);
  const form = useForm<KeyLimit>({ resolver: checkLimit, defaultValues: { limit: null, limit_reset: "monthly" } });
  useFreshErrors(form);
  const [limit, limit_reset] = useWatch({ control: form.control, name: ["limit", "limit_reset"] });
  const values: KeyLimit = { limit, limit_reset };
  const isComplete = limit !== null && limit >= 0;
  const plan = useQuery({ ...limitPlanQuery(keys, values), enabled: isComplete });
  const changed = plan.data?.previous ?? [];
  const replaced = [...new Set(changed.map(limitText))].map(
    (before) => `${changed.filter((one) => limitText(one) === before).length} had ${before}`,
  );
  const same = keys.length - changed.length;
  return (
    <MutationForm
      form={form}
      mutation={set}
      toVariables={(wanted) => ({ keys, limit: wanted, onProgress: setDone })}
      onSaved={({ previous, changed_count }) => {
        showLimitsSet(client, `Limit on ${keysOf(changed_count)} set to ${limitText(values)}`, previous, values);
        onDone();
        onClose();
      }}
      action={
        set.isPending && done > 0
          ? `Setting limits, ${done.toLocaleString("en")} of ${keysOf(keys.length)}…`
          : `Set limit on ${keysOf(changed.length || keys.length)}`
      }
      isDisabled={!isComplete || changed.length === 0}
      onCancel={onClose}
    >
      <div className="grid grid-cols-2 gap-3">
        <AmountField control={form.control} name="limit" label="Limit (USD)" />
        <SelectField control={form.control} name="limit_reset" label="Resets" none="Never" options={INTERVAL_OPTIONS} />
      </div>
      <div role="status" aria-label="Preview" className="min-h-14 rounded-md bg-subtle px-3 py-2 text-sm">
        {plan.error && isComplete ? (
          <span className="text-danger">{toFailure(plan.error).message}</span>
        ) : isComplete && plan.data ? (
          [...replaced, ...(same > 0 ? [`${same} unchanged`] : [])].join(", ")
        ) : (
          <span className="text-muted">
            {isComplete ? "Loading preview…" : "Enter a limit to preview the changes."}
          </span>
        )}
      </div>
    </MutationForm>
  );
}

type LimitedKey = Pick<Key, "hash" | "name">;
type KeyLimit = Pick<Key, "limit" | "limit_reset">;
type Previous = KeyLimit & { key_hash: string };

const bodyOf = (keys: readonly LimitedKey[], { limit, limit_reset }: KeyLimit) => ({
  keys: keys.map(({ hash }) => ({ key_hash: hash, limit, limit_reset })),
});

/** Dry run of setting a limit, never cached because others may change limits meanwhile. */
const limitPlanQuery = (keys: readonly LimitedKey[], limit: KeyLimit) =>
  queryOptions({
    queryKey: ["limit-plan", keys.map(({ hash }) => hash), limit],
    queryFn: async ({ signal }) =>
      merged(
        await inBatches(keys, (batch) =>
          call(bulkSetKeyLimits, { query: { dry_run: "true" }, body: bodyOf(batch, limit), signal }),
        ),
      ),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

type Limited = Answer<typeof bulkSetKeyLimits>;

const merged = (results: readonly Limited[]): Limited => ({
  changed_count: results.reduce((sum, { changed_count }) => sum + changed_count, 0),
  previous: results.flatMap(({ previous }) => previous),
});

const restore = (previous: readonly Previous[], { limit, limit_reset }: KeyLimit) =>
  inBatches(previous, (batch) =>
    call(bulkSetKeyLimits, {
      body: { keys: batch, expected: { limit, limit_reset } },
      idempotencyKey: newIdempotencyKey(),
    }),
  );

interface LimitChange {
  keys: readonly LimitedKey[];
  limit: KeyLimit;
  onProgress: OnProgress;
}

const useSetLimits = () =>
  useApiMutation({
    mutationFn: async ({ keys, limit, onProgress }: LimitChange) =>
      merged(
        await inBatches(
          keys,
          (batch) => call(bulkSetKeyLimits, { body: bodyOf(batch, limit), idempotencyKey: newIdempotencyKey() }),
          { onProgress, undo: (results) => restore(merged(results).previous, limit) },
        ),
      ),
  });

const SHOWN_CONFLICTS = 3;

async function undo(client: QueryClient, previous: Previous[], limit: KeyLimit): Promise<void> {
  try {
    await restore(previous, limit);
    toast.success("Undone", { description: "Previous limits restored." });
  } catch (error) {
    const { status, message, metadata } = toFailure(error);
    const names = ((metadata["conflicts"] ?? []) as LimitConflict[]).map(({ name }) => name);
    const named =
      names.length > SHOWN_CONFLICTS
        ? `${names.slice(0, SHOWN_CONFLICTS).join(", ")} and ${names.length - SHOWN_CONFLICTS} more`
        : names.join(", ");
    toast.error(status === 409 ? "Can’t undo: these limits have changed since" : "Couldn't undo", {
      description: named ? `${named}. No changes were made.` : message,
    });
  }
  await client.invalidateQueries();
}

/** Toast about the new limits, with undo. */
function showLimitsSet(client: QueryClient, title: string, previous: Previous[], limit: KeyLimit): void {
  toast.success(title, { action: { label: "Undo", onClick: () => void undo(client, previous, limit) } });
  void client.invalidateQueries();
}
