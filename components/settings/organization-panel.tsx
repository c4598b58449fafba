"use client";
import { useQuery } from "@tanstack/react-query";
import { FormSkeleton } from "@/components/form/form-skeleton";
import { DataState } from "@/components/layout/data-state";
import { Editable } from "@/components/session/may";
import { Card } from "@/components/ui/card";
import { Facts } from "@/components/ui/facts";
import { lazyComponent } from "@/components/ui/lazy-component";
import { MonoId } from "@/components/ui/mono-id";
import { RelativeTime } from "@/components/ui/relative-time";
import { Skeleton } from "@/components/ui/skeleton";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { CodeBlock } from "@/components/ui/code-block";
import { Meter } from "@/components/ui/meter";
import type { InstalledDatabase } from "@/lib/records/organization/contract";
import { organizationQuery, useUpdateOrganization } from "./settings-queries";
import { describeUse, LIMIT_LABELS } from "./embedded-limits";

const WARNINGS_HINT = "Percent of a budget's limit. Leave blank for no warnings.";

const ThresholdsForm = lazyComponent(
  () => import("@/components/budgets/thresholds-form").then((file) => file.ThresholdsForm),
  { loading: () => <FormSkeleton hints={[WARNINGS_HINT]} className="max-w-md gap-3" /> },
);
const SelfServiceForm = lazyComponent(() => import("./self-service-form").then((file) => file.SelfServiceForm), {
  loading: () => <Skeleton className="h-16 w-full max-w-md" />,
});
const OrganizationForm = lazyComponent(() => import("./organization-form").then((file) => file.OrganizationForm), {
  loading: () => <FormSkeleton hints={[""]} className="max-w-md gap-3" />,
});

export function OrganizationPanel() {
  const organization = useQuery(organizationQuery);
  return (
    <DataState query={organization} subject="organization settings" skeleton={<Skeleton className="h-64 w-full" />}>
      {({ data }) => (
        <div className="grid gap-4">
          <Card id="organization" title="Organization" className="grid gap-5">
            <Editable permission="organization:write">
              <OrganizationForm key={data.name} name={data.name} />
            </Editable>
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
            <Editable permission="organization:write">
              <Warnings percents={data.budget_thresholds} />
            </Editable>
          </Card>
          <Card
            id="self-service"
            title="Self-service keys"
            description="Members create their own inference keys within these caps. Guardrails apply to them as to any other key."
          >
            <Editable permission="organization:write">
              <SelfServiceForm caps={data.key_self_service} />
            </Editable>
          </Card>
          <DatabaseCard database={data.database} />
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
      hint={WARNINGS_HINT}
      isPending={change.isPending}
      failure={change.error && toFailure(change.error)}
      onSave={save}
    />
  );
}

/** Use of the embedded database, and how to leave it. */
function DatabaseCard({ database }: { database: InstalledDatabase }) {
  if (database.kind === "postgresql") return null;
  return (
    <Card
      id="database"
      title="Embedded database"
      description="The embedded database serves one process. To run more, move to your own PostgreSQL. Keys, sessions and the log are kept."
      className="grid gap-4"
    >
      <div className="grid gap-3 sm:grid-cols-2">
        {database.limits.map((limit) => (
          <Meter
            key={limit.name}
            label={LIMIT_LABELS[limit.name]}
            value={limit.used}
            max={limit.limit}
            text={describeUse(limit)}
          />
        ))}
      </div>
      <div className="grid gap-1.5 text-[13px]">
        <p>
          To move, stop Signalbox and back it up. Then set <code>DATABASE_URL</code> to an empty PostgreSQL database and{" "}
          <code>SIGNALBOX_SECRET_KEY</code> to the content of <code>secret-key</code> in the data folder, and restore:
        </p>
        <CodeBlock label="Commands" text={"npm run backup -- --to ./backup\nnpm run restore -- --from ./backup"} />
      </div>
    </Card>
  );
}
