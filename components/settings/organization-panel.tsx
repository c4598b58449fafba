"use client";
import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { DataState } from "@/components/layout/data-state";
import { Card } from "@/components/ui/card";
import { persistently } from "@/components/ui/deferred";
import { Facts } from "@/components/ui/facts";
import { LatePart } from "@/components/ui/late-part";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { organizationQuery, useUpdateOrganization } from "./settings-queries";

const OrganizationForm = dynamic(() =>
  persistently(() => import("./organization-form").then((file) => file.OrganizationForm)),
);

const ThresholdsForm = dynamic(() =>
  persistently(() => import("@/components/budgets/thresholds-form").then((file) => file.ThresholdsForm)),
);

export function OrganizationPanel() {
  const organization = useQuery(organizationQuery);
  return (
    <DataState query={organization} subject="organization settings" skeleton={<Skeleton className="h-64 w-full" />}>
      {({ data }) => (
        <div className="grid gap-4">
          <Card id="organization" title="Organization" className="grid gap-5">
            <LatePart fallback={<Skeleton className="h-24 w-full max-w-md" />}>
              <OrganizationForm key={data.name} name={data.name} />
            </LatePart>
            <Facts
              facts={[
                { term: "ID", value: <MonoId value={data.id} name="organization ID" /> },
                { term: "Created", value: <RelativeTime at={data.created_at} /> },
              ]}
            />
          </Card>
          <Card
            id="warnings"
            title="Budget warnings"
            description="Sends a webhook and flags the budget when it runs low. Guardrails can override these thresholds."
          >
            <LatePart fallback={<Skeleton className="h-24 w-full max-w-md" />}>
              <Warnings percents={data.budget_thresholds} />
            </LatePart>
          </Card>
        </div>
      )}
    </DataState>
  );
}

function Warnings({ percents }: { percents: readonly number[] }) {
  const change = useUpdateOrganization();
  const save = (budget_thresholds: number[]) =>
    change.mutate({ budget_thresholds }, { onSuccess: () => toast.success("Warnings saved") });
  return (
    <ThresholdsForm
      percents={percents}
      hint="Percent of a budget's limit. Leave blank for no warnings."
      isPending={change.isPending}
      failure={change.error && toFailure(change.error)}
      onSave={save}
    />
  );
}
