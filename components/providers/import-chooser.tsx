"use client";
import { useState } from "react";
import { priceText } from "@/components/models/model-price";
import { Badge } from "@/components/ui/badge";
import { Checkbox } from "@/components/ui/checkbox";
import { Input } from "@/components/ui/input";
import type { Answer } from "@/lib/browser/api-client";
import type { importModels } from "@/lib/browser/operations/providers-import";
import { count } from "@/lib/platform/count";

type Report = Answer<typeof importModels>["data"];

const REASONS = {
  exists: "already imported",
  not_listed: "not listed by the provider",
  not_chat: "not chat models",
  retired: "retired by their vendor",
  no_slug: "invalid names",
} as const satisfies Record<Report["skipped"][number]["reason"], string>;

/** Lists models that exist twice, and what they duplicate. */
const duplicatesText = (skipped: Report["skipped"]): string =>
  skipped
    .flatMap(({ slug, duplicate_of }) => (slug && duplicate_of ? [`${slug} is the same model as ${duplicate_of}`] : []))
    .join(", ");

function skippedText(skipped: Report["skipped"]): string {
  const counts = Object.entries(REASONS).map(([reason, text]) => ({
    text,
    amount: skipped.filter((one) => one.reason === reason).length,
  }));
  return counts
    .flatMap(({ text, amount }) => (amount > 0 ? [`${amount.toLocaleString("en")} ${text}`] : []))
    .join(", ");
}

interface ImportChooserProps {
  report: Report;
  /** Upstream names of the deselected models. */
  left: ReadonlySet<string>;
  onChange: (left: ReadonlySet<string>) => void;
}

/** Selection of the new models in a list. */
export function ImportChooser({ report: { imported, skipped }, left, onChange }: ImportChooserProps) {
  const [search, setSearch] = useState("");
  const shown = imported.filter(({ slug }) => slug.includes(search.trim().toLowerCase()));
  const taken = shown.filter(({ upstream_model }) => !left.has(upstream_model)).length;
  const set = (names: readonly string[], isTaken: boolean) => {
    const next = new Set(left);
    for (const name of names) {
      if (isTaken) next.delete(name);
      else next.add(name);
    }
    onChange(next);
  };
  const summary = skippedText(skipped);
  const duplicates = duplicatesText(skipped);
  const joined = imported.filter(({ action }) => action === "join").length;
  if (imported.length === 0) {
    return (
      <div className="grid gap-2">
        <p role="status" className="text-muted">
          No new models to import{summary && ` (${summary})`}.
        </p>
        <Duplicates text={duplicates} />
      </div>
    );
  }
  return (
    <div className="grid gap-2">
      <Input
        type="search"
        aria-label="Search models"
        placeholder="Search models"
        value={search}
        onChange={({ target }) => setSearch(target.value)}
      />
      <Checkbox
        checked={taken === shown.length ? true : taken === 0 ? false : "indeterminate"}
        onChange={(isTaken) =>
          set(
            shown.map(({ upstream_model }) => upstream_model),
            isTaken,
          )
        }
        label={`${taken} of ${shown.length} chosen`}
      />
      {joined > 0 && (
        <p className="text-[13px] text-muted">
          {count(joined, "model exists", "models exist")} with another provider: importing adds this provider as a
          further endpoint, which requests fall back to.
        </p>
      )}
      <ul aria-label="Models to import" className="max-h-72 overflow-y-auto rounded-md border">
        {shown.map(({ action, slug, canonical_slug, upstream_model, price }) => (
          <li
            key={upstream_model}
            className="flex flex-wrap items-center justify-between gap-x-3 border-t px-3 py-1 first:border-t-0"
          >
            <Checkbox
              checked={!left.has(upstream_model)}
              onChange={(isTaken) => set([upstream_model], isTaken)}
              label={
                <span className="font-mono text-[13px] wrap-anywhere">
                  {slug}
                  {action === "join" && <span className="block text-muted">{upstream_model}</span>}
                  {canonical_slug !== slug && <span className="block text-muted">also {canonical_slug}</span>}
                </span>
              }
            />
            <span className="flex shrink-0 items-center gap-2">
              {action === "join" && <Badge>Adds endpoint</Badge>}
              {price ? (
                <span className="text-[13px] text-muted tabular-nums">{priceText(price)}</span>
              ) : (
                <Badge tone="warning">No price</Badge>
              )}
            </span>
          </li>
        ))}
      </ul>
      {summary && <p className="text-[13px] text-muted">Skipped: {summary}.</p>}
      <Duplicates text={duplicates} />
    </div>
  );
}

/** Models that an earlier import added twice, and what to do about them. */
function Duplicates({ text }: { text: string }) {
  if (text === "") return null;
  return (
    <p className="text-[13px] text-muted">
      Duplicates: {text}. To use both as one model, give them the same canonical slug.
    </p>
  );
}
