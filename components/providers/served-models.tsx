"use client";
import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState } from "react";
import { DataState } from "@/components/layout/data-state";
import { modelListQuery } from "@/components/models/model-queries";
import { priceText } from "@/components/models/model-price";
import { May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { Provider } from "@/lib/records/providers/contract";
import { ImportDialog } from "./import-dialog";
import { count } from "@/lib/platform/count";

/** First models of a provider, with prices. */
export function ServedModels({ provider: { slug, name, base_url } }: { provider: Provider }) {
  const models = useQuery(modelListQuery({ offset: 0, sort: null, q: null, provider: slug }));
  const [isImporting, setImporting] = useState(false);
  const all = `/providers?tab=models&provider=${encodeURIComponent(slug)}`;
  const importButton = base_url !== null && (
    <May permission="providers:write">
      <Button onClick={() => setImporting(true)}>
        <Download aria-hidden /> Import models
      </Button>
    </May>
  );
  return (
    <Card
      id="models"
      title="Models"
      description="Prices in USD per million tokens (prompt / completion)."
      action={importButton}
    >
      <DataState query={models} subject="models" skeleton={<Skeleton className="h-24 w-full" />}>
        {({ data, total_count }) =>
          total_count === 0 ? (
            <p className="text-muted">
              No models yet. Import models from <bdi>{name}</bdi>, or add one manually.
            </p>
          ) : (
            <>
              <ul className="grid gap-x-8 md:grid-cols-2">
                {data.map((model) => {
                  const endpoint = model.endpoints.find((one) => one.provider === slug);
                  return (
                    <li key={model.slug} className="flex items-baseline justify-between gap-4 border-b py-1.5">
                      <TextLink
                        href={`${all}&model=${encodeURIComponent(model.slug)}`}
                        className="min-w-0 wrap-anywhere"
                      >
                        {model.slug}
                      </TextLink>
                      <span className="shrink-0 text-muted tabular-nums">{endpoint && priceText(endpoint.price)}</span>
                    </li>
                  );
                })}
              </ul>
              {total_count > data.length && (
                <p className="mt-3">
                  <TextLink href={all}>View all {count(total_count, "model")}</TextLink>
                </p>
              )}
            </>
          )
        }
      </DataState>
      <ImportDialog slug={slug} name={name} open={isImporting} onClose={() => setImporting(false)} />
    </Card>
  );
}
