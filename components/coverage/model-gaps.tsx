"use client";
import { recentLogLink } from "@/components/generations/log-link";
import { May } from "@/components/session/may";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { TextLink } from "@/components/ui/text-link";
import { toast } from "@/components/ui/toast";
import { call } from "@/lib/browser/api-client";
import { toFailure } from "@/lib/browser/api-failure";
import { useApiMutation } from "@/lib/browser/api-mutation";
import { reload } from "@/lib/browser/api-query";
import { getCoverage } from "@/lib/browser/operations/coverage";
import { dismissVendorCorrections } from "@/lib/browser/operations/models-lookup";
import type { Coverage } from "@/lib/features/coverage/contract";
import { DuplicateModels } from "./duplicate-models";
import { describeUsers } from "./gaps";
import { modelHref, Rest } from "./model-list";
import { nameOfVendor } from "@/lib/records/models/vocabulary";

interface ModelGapsProps {
  coverage: Coverage;
  workspace: string | null;
}

/**
 * Deprecated models in use, duplicate models, models without a known price, and models whose vendor is unknown or was
 * corrected: the vendor decides which zero data retention applies.
 */
export function ModelGaps({ coverage, workspace }: ModelGapsProps) {
  const { deprecated_models, duplicate_models, unpriced_models, unknown_vendors, corrected_vendors } = coverage;
  const gaps = [deprecated_models, duplicate_models, unpriced_models, unknown_vendors, corrected_vendors];
  if (gaps.every(({ total_count }) => total_count === 0)) return null;
  return (
    <div id="models" className="mt-6 grid scroll-mt-24 gap-4">
      {deprecated_models.total_count > 0 && (
        <Card
          id="deprecated-models"
          title="Deprecated models in use"
          description="Their vendors retire these models, and requests fail after the retirement date. Each model links to its requests of the last 7 days."
        >
          <ul aria-label="Deprecated models in use" className="grid gap-2 text-sm">
            {deprecated_models.data.map(({ slug, retires_at, replacement, used_by }) => (
              <li key={slug} className="wrap-anywhere">
                <TextLink href={recentLogLink(workspace, { model: slug })}>{slug}</TextLink>: retirement on{" "}
                {retires_at.slice(0, 10)}
                {replacement !== null && `, replacement ${replacement}`}
                <span className="text-muted">. {describeUsers(used_by)}</span>
              </li>
            ))}
          </ul>
          <Rest {...deprecated_models} />
        </Card>
      )}
      {corrected_vendors.total_count > 0 && (
        <Card
          id="corrected-vendors"
          title="Corrected vendors"
          description="An update corrected the vendor of these models to their maker. Zero data retention for that vendor now applies."
          action={<Dismiss />}
        >
          <ul aria-label="Corrected vendors" className="grid gap-2 text-sm">
            {corrected_vendors.data.map(({ slug, previous_vendor, vendor, guardrails }) => (
              <li key={slug} className="wrap-anywhere">
                <TextLink href={modelHref(slug)}>{slug}</TextLink>: {nameOfVendor(vendor)} (was{" "}
                {nameOfVendor(previous_vendor)})
                {guardrails.length > 0 && (
                  <span className="text-muted">. Now applies: {guardrails.map(({ name }) => name).join(", ")}</span>
                )}
              </li>
            ))}
          </ul>
          <Rest {...corrected_vendors} />
        </Card>
      )}
      {duplicate_models.total_count > 0 && <DuplicateModels models={duplicate_models} />}
      {unpriced_models.total_count > 0 && (
        <Card
          id="unpriced-models"
          title="Models without a known price"
          description="Spending limits reject these models because they can't count their cost. Set the price of each model; enter 0 if it is free."
        >
          <ul aria-label="Models without a known price" className="grid gap-1 text-sm">
            {unpriced_models.data.map(({ slug }) => (
              <li key={slug} className="wrap-anywhere">
                <TextLink href={modelHref(slug)}>{slug}</TextLink>
              </li>
            ))}
          </ul>
          <Rest {...unpriced_models} />
        </Card>
      )}
      {unknown_vendors.total_count > 0 && (
        <Card
          id="unknown-vendors"
          title="Models of unknown vendors"
          description="Zero data retention counts these models as other vendors. Set the vendor of each model."
        >
          <ul aria-label="Models of unknown vendors" className="grid gap-1 text-sm">
            {unknown_vendors.data.map(({ slug }) => (
              <li key={slug} className="wrap-anywhere">
                <TextLink href={modelHref(slug)}>{slug}</TextLink>
              </li>
            ))}
          </ul>
          <Rest {...unknown_vendors} />
        </Card>
      )}
    </div>
  );
}

function Dismiss() {
  const dismissal = useApiMutation({
    mutationFn: () => call(dismissVendorCorrections, {}),
    onSuccess: reload(getCoverage),
  });
  const dismiss = () =>
    dismissal.mutate(undefined, {
      onError: (error) => toast.error("The notice wasn't dismissed", { description: toFailure(error).message }),
    });
  return (
    <May permission="providers:write">
      <Button size="sm" disabled={dismissal.isPending} onClick={dismiss}>
        Dismiss
      </Button>
    </May>
  );
}
