import { useQuery } from "@tanstack/react-query";
import { ShieldOff } from "lucide-react";
import { useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { FIELD_LABELS } from "@/components/guardrails/field-labels";
import { DataState } from "@/components/layout/data-state";
import { Alert } from "@/components/ui/alert";
import { Badge, type Tone } from "@/components/ui/badge";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { PolicyReach, PresetCompatibility } from "@/lib/features/preset-compatibility/contract";
import { ruleName } from "@/lib/engine/filters/vocabulary";
import type { PresetWithVersion } from "@/lib/records/presets/contract";
import { compatibilityQuery, type PresetAddress } from "./preset-queries";
import { PRESET_STATE } from "./preset-state";
import { count } from "@/lib/platform/count";

const OUTCOMES: Readonly<Record<PolicyReach["outcome"], { label: string; tone: Tone }>> = {
  usable: { label: "Works", tone: "success" },
  narrowed: { label: "Works with fewer endpoints", tone: "accent" },
  no_endpoint: { label: "No endpoint available", tone: "danger" },
  blocked: { label: "System prompt blocked", tone: "danger" },
};
const SCOPES = { workspace: "default", member: "member", key: "key" } as const;

interface CompatibilityPanelProps {
  preset: PresetWithVersion;
  address: PresetAddress;
}

/** Compatibility of a version with every combination of active guardrails. */
export function CompatibilityPanel({ preset, address }: CompatibilityPanelProps) {
  const [{ version }, setState] = useQueryStates(PRESET_STATE);
  const inUse = preset.designated_version.version;
  const shownVersion = version ?? inUse;
  const compatibility = useQuery(compatibilityQuery(address, version));
  const labelled = Object.entries(preset.labels).map(([label, at]) => ({ at, label: `Version ${at} (${label})` }));
  const options = new Map([
    [shownVersion, `Version ${shownVersion}`],
    ...labelled.map(({ at, label }) => [at, label] as const),
    [inUse, `Version ${inUse} (live)`],
  ]);
  return (
    <Card
      id="compatibility"
      title="Guardrail compatibility"
      description="Evaluates this version under each combination of guardrails that applies to keys in the workspace."
      action={
        <Select
          aria-label="Version"
          className="w-48"
          value={String(shownVersion)}
          onValueChange={(value) => void setState({ version: Number(value) === inUse ? null : Number(value) })}
          options={[...options].map(([value, label]) => ({ value: String(value), label }))}
        />
      }
    >
      <DataState
        query={compatibility}
        subject="guardrail compatibility"
        skeleton={<Skeleton className="h-48 rounded-lg" />}
      >
        {({ data }) => <CompatibilityResult {...data} />}
      </DataState>
    </Card>
  );
}

function CompatibilityResult({ models, alone, policies, is_complete }: PresetCompatibility) {
  if (policies.length === 0 && alone.endpoints > 0) {
    return (
      <EmptyState icon={ShieldOff} title="No guardrails apply">
        The workspace has no default guardrail, and none is assigned to its keys or members.
      </EmptyState>
    );
  }
  return (
    <div className="grid gap-4">
      {alone.endpoints === 0 && (
        <Alert kind="warning" title="No endpoint serves this version, regardless of guardrails">
          {alone.refusals.length === 0
            ? `The catalogue has no endpoint for ${models.join(", ")}.`
            : `The preset’s own provider preferences exclude all endpoints: ${alone.refusals.map(({ field }) => field).join(", ")}.`}
        </Alert>
      )}
      <p className="text-[13px] text-muted">
        {models.length === 0 ? "No model set, evaluated against all models" : models.join(", ")}:{" "}
        {count(alone.endpoints, "endpoint")} without guardrails.
      </p>
      <ul aria-label="Active guardrails" className="grid divide-y">
        {policies.map((policy) => (
          <Policy
            key={policy.layers.map(({ scope, guardrail_id }) => `${scope} ${guardrail_id}`).join(" ")}
            policy={policy}
            of={alone.endpoints}
          />
        ))}
      </ul>
      {!is_complete && <p className="text-[13px] text-muted">Showing the combinations with the most keys.</p>}
    </div>
  );
}

function Policy({
  policy: { outcome, layers, keys, key_names, endpoints, refusals, blocked_by },
  of,
}: {
  policy: PolicyReach;
  of: number;
}) {
  const { label, tone } = OUTCOMES[outcome];
  const reasons = [
    ...blocked_by.map((blocker) => ({ ...blocker, effect: `blocked by ${ruleName(blocker)}` })),
    ...refusals
      .filter(({ scope }) => scope !== "request")
      .map((refusal) => ({
        ...refusal,
        effect: `excludes ${refusal.endpoints} of ${count(of, "endpoint")} (${refusal.models.join(", ")})`,
      })),
  ];
  return (
    <li className="grid gap-1.5 py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="flex min-w-0 flex-wrap items-baseline gap-x-1.5 font-medium">
          {layers.map((layer, index) => (
            <Layer key={layer.guardrail_id} layer={layer} joined={index > 0} />
          ))}
        </p>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="text-[13px] text-muted">
        {keys === 0
          ? "No keys yet"
          : `${count(keys, "key")}: ${key_names.join(", ")}${keys > key_names.length ? " …" : ""}`}{" "}
        · {endpoints} of {count(of, "endpoint")} available
      </p>
      {reasons.length > 0 && (
        <ul className="list-disc pl-4 text-[13px] marker:text-muted">
          {reasons.map(({ scope, guardrail_id, guardrail_name, field, effect }) => (
            <li key={`${scope} ${guardrail_id} ${field} ${effect}`} className="wrap-anywhere">
              {field in FIELD_LABELS ? FIELD_LABELS[field as keyof typeof FIELD_LABELS] : field} of “
              <bdi>{guardrail_name}</bdi>”: {effect}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function Layer({
  layer: { scope, guardrail_id, guardrail_name },
  joined,
}: {
  layer: PolicyReach["layers"][number];
  joined: boolean;
}): ReactNode {
  return (
    <>
      {joined && <span className="text-muted">+</span>}
      <TextLink href={`/guardrails/${guardrail_id}`}>{guardrail_name}</TextLink>
      <span className="text-[13px] font-normal text-muted">
        ({scope in SCOPES ? SCOPES[scope as keyof typeof SCOPES] : scope})
      </span>
    </>
  );
}
