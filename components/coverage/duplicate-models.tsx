"use client";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { TextLink } from "@/components/ui/text-link";
import { toast } from "@/components/ui/toast";
import { call } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { reload } from "@/lib/browser/api-query";
import { getCoverage } from "@/lib/browser/operations/coverage";
import { getModel, listModels, updateModel } from "@/lib/browser/operations/models";
import type { Coverage } from "@/lib/features/coverage/contract";
import { namesOf } from "./gaps";
import { modelHref, Rest } from "./model-list";

type DuplicateModel = Coverage["duplicate_models"]["data"][number];

/** Models that are the same as another one, each with a button that merges them. */
export function DuplicateModels({ models }: { models: Coverage["duplicate_models"] }) {
  const [merging, setMerging] = useState<DuplicateModel | null>(null);
  return (
    <Card
      id="duplicate-models"
      title="Duplicate models"
      description="Requests for one model don't fall back to the other, and a guardrail may list only one of them. Merge them to use both as one model."
    >
      <ul aria-label="Duplicate models" className="grid gap-2 text-sm">
        {models.data.map((model) => (
          <li key={model.slug} className="flex items-center justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">
              <TextLink href={modelHref(model.slug)}>{model.slug}</TextLink>: same model as {model.duplicate_of}
            </span>
            <May permission="providers:write">
              <Button size="sm" aria-label={`Merge ${model.slug}…`} onClick={() => setMerging(model)}>
                Merge…
              </Button>
            </May>
          </li>
        ))}
      </ul>
      <Rest {...models} />
      {merging && <MergeModel model={merging} onClose={() => setMerging(null)} />}
    </Card>
  );
}

/** Sets a model's canonical slug. */
const useSetCanonicalSlug = (slug: string) =>
  useApiMutation({
    mutationFn: (canonical_slug: string) => call(updateModel, { params: { slug }, body: { canonical_slug } }),
    onSuccess: reload(getCoverage, listModels, getModel),
  });

function MergeModel({ model, onClose }: { model: DuplicateModel; onClose: () => void }) {
  const { slug, canonical_slug, duplicate_of } = model;
  const { mutate, mutateAsync, isPending, error } = useSetCanonicalSlug(slug);
  const undo = () =>
    mutateAsync(canonical_slug).then(
      () => toast.success(`${slug} is a separate model again`),
      (reason: unknown) => toast.error("Couldn't undo", { description: toFailure(reason).message }),
    );
  const merge = () =>
    mutate(duplicate_of, {
      onSuccess: () => {
        toast.success(`${slug} merged into ${duplicate_of}`, {
          action: { label: "Undo", onClick: () => void undo() },
        });
        onClose();
      },
    });
  return (
    <ConfirmDialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={
        <span className="wrap-anywhere">
          Merge {slug} into {duplicate_of}?
        </span>
      }
      action="Merge models"
      isDestructive={false}
      isPending={isPending}
      onConfirm={merge}
    >
      <p>Both are the same model. Nothing is deleted, and requests keep working under both names.</p>
      <Changes {...model} />
      {error && <FailureAlert failure={toFailure(error)} />}
    </ConfirmDialog>
  );
}

/** Lists the effects of merging: endpoints, the alias, and guardrails that decide differently. */
function Changes({ slug, canonical_slug, duplicate_of, providers, guardrails }: DuplicateModel) {
  const named = (effect: "allows" | "blocks") =>
    guardrails.filter((guardrail) => guardrail.effect === effect).map(({ name }) => name);
  const [allowing, blocking] = [named("allows"), named("blocks")];
  return (
    <ul aria-label="Changes" className="grid list-disc gap-1 pl-4 wrap-anywhere">
      <li>
        <strong>{duplicate_of}</strong> stays. Requests for it can also use {namesOf(providers, providers.length)}.
      </li>
      <li>
        <strong>{slug}</strong> becomes an alias for its own {providers.length === 1 ? "endpoint" : "endpoints"}.
        Presets, guardrails and requests that name it don&apos;t change.
      </li>
      {canonical_slug !== slug && (
        <li>
          <strong>{canonical_slug}</strong> no longer includes it.
        </li>
      )}
      {allowing.length > 0 && <li>Guardrails that will also allow it: {namesOf(allowing, allowing.length)}.</li>}
      {blocking.length > 0 && <li>Guardrails that will block it: {namesOf(blocking, blocking.length)}.</li>}
      {guardrails.length === 0 && <li>No guardrail allows or blocks other models than before.</li>}
    </ul>
  );
}
