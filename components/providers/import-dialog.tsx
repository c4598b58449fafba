"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FailureAlert } from "@/components/form/failure-alert";
import { Alert } from "@/components/ui/alert";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Segmented } from "@/components/ui/segmented";
import { TextLink } from "@/components/ui/text-link";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { ImportChooser } from "./import-chooser";
import { importPreviewQuery, useImportModels, type ImportSource } from "./provider-queries";
import { count } from "@/lib/platform/count";

const SOURCES = [
  { value: "upstream", label: "Provider’s model list" },
  { value: "catalogue", label: "Model catalogue" },
] as const;

interface ImportDialogProps {
  slug: string;
  name: string;
  open: boolean;
  onClose: () => void;
}

/** Two steps: selecting models, then a warning about imported models without a price. */
export function ImportDialog({ slug, name, open, onClose }: ImportDialogProps) {
  const [unpriced, setUnpriced] = useState<readonly string[]>([]);
  const close = () => {
    setUnpriced([]);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={`Import models from ${name}`}
      description="Models that exist with another provider get an additional endpoint. Prices come from the model catalogue where available."
      className="max-w-2xl"
    >
      {unpriced.length > 0 ? (
        <Unpriced slugs={unpriced} onClose={close} />
      ) : (
        <Choose
          slug={slug}
          onCancel={close}
          onImported={(slugs) => (slugs.length > 0 ? setUnpriced(slugs) : close())}
        />
      )}
    </Dialog>
  );
}

interface ChooseProps {
  slug: string;
  onCancel: () => void;
  onImported: (unpriced: readonly string[]) => void;
}

function Choose({ slug, onCancel, onImported }: ChooseProps) {
  const [source, setSource] = useState<ImportSource>("upstream");
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const preview = useQuery(importPreviewQuery(slug, source));
  const run = useImportModels(slug);
  const offered = preview.data?.data.imported ?? [];
  const chosen = offered.filter((model) => !left.has(model.upstream_model));
  const change = (next: ImportSource) => {
    setSource(next);
    setLeft(new Set());
    run.reset();
  };
  const start = () =>
    run.mutate(
      { source, models: chosen.map(({ upstream_model }) => upstream_model) },
      {
        onSuccess: ({ data }) => {
          toast.success(`${count(data.imported.length, "model")} imported`);
          onImported(data.unpriced);
        },
      },
    );
  const failure = run.error ?? preview.error;
  return (
    <div className="grid gap-4">
      <Segmented
        label="Source"
        value={source}
        onValueChange={change}
        options={SOURCES}
        className="justify-self-start"
      />
      {preview.isPending && (
        <p role="status" className="min-h-40 text-muted">
          Loading models…
        </p>
      )}
      {failure && <ImportFailure error={failure} />}
      {preview.data && <ImportChooser report={preview.data.data} left={left} onChange={setLeft} />}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        <Button variant="primary" disabled={chosen.length === 0 || run.isPending} onClick={start}>
          Import {count(chosen.length, "model")}
        </Button>
      </DialogActions>
    </div>
  );
}

/** The upstream's error when listing models. */
function ImportFailure({ error }: { error: Error }) {
  const failure = toFailure(error);
  const { raw } = failure.metadata;
  if (typeof raw !== "string") return <FailureAlert failure={failure} />;
  return (
    <Alert kind="danger" title="Couldn't list the provider's models">
      {raw}
    </Alert>
  );
}

function Unpriced({ slugs, onClose }: { slugs: readonly string[]; onClose: () => void }) {
  return (
    <div className="grid gap-4">
      <Alert kind="warning" title={count(slugs.length, "imported model has no price", "imported models have no price")}>
        Spending limits reject models without a known price. Set their prices, or allow unpriced models in the workspace
        settings.
      </Alert>
      <ul className="max-h-64 list-disc overflow-y-auto pl-5">
        {slugs.map((slug) => (
          <li key={slug}>
            <TextLink
              href={`/providers?tab=models&model=${encodeURIComponent(slug)}`}
              className="font-mono text-[13px] wrap-anywhere"
            >
              {slug}
            </TextLink>
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </div>
  );
}
