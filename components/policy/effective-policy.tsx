"use client";
import { useQuery } from "@tanstack/react-query";
import { ShieldOff } from "lucide-react";
import { DataState } from "@/components/layout/data-state";
import { sessionQuery } from "@/components/session/session-queries";
import { Card } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { TextLink } from "@/components/ui/text-link";
import type { EffectivePolicy as Policy } from "@/lib/features/policy-check/contract";
import { policyRows } from "./effective-policy-rows";
import { effectivePolicyQuery } from "./policy-queries";
import { PolicySource, PolicySources } from "./policy-source";

type EffectivePolicyProps = { keyHash: string } | { userId: string; workspaceId?: string };

/** Effective policy of a key or member, with the layer, guardrail and revision behind every field. */
export function EffectivePolicy(props: EffectivePolicyProps) {
  const isKey = "keyHash" in props;
  const subject = isKey
    ? { key_hash: props.keyHash }
    : { user_id: props.userId, ...(props.workspaceId && { workspace_id: props.workspaceId }) };
  const policy = useQuery(effectivePolicyQuery(subject));
  return (
    <Card
      id="effective-policy"
      title="Effective policy"
      description={`Combines all layers: workspace default${isKey ? ", owner's guardrail and key's guardrail" : " and the member's guardrail"}. Narrower layers can only add restrictions.`}
    >
      <DataState query={policy} subject="the effective policy" skeleton={<PolicySkeleton />}>
        {({ data }) => (
          <div className="grid gap-3">
            <Rows policy={data} noun={isKey ? "key" : "member"} />
            <Observing layers={data.layers.filter(({ mode }) => mode === "observe")} />
          </div>
        )}
      </DataState>
    </Card>
  );
}

function Rows({ policy, noun }: { policy: Policy; noun: "key" | "member" }) {
  const vendors = useQuery(sessionQuery).data?.zdr_vendors ?? [];
  const rows = policyRows(policy.fields, vendors);
  if (rows.length === 0) return <Unrestricted policy={policy} noun={noun} />;
  return (
    <dl className="grid gap-3">
      {rows.map(({ key, label, value, sources }) => (
        <div
          key={key}
          className="grid gap-x-4 gap-y-0.5 border-t pt-3 first:border-t-0 first:pt-0 sm:grid-cols-[9.5rem_minmax(0,1fr)]"
        >
          <dt className="text-[13px] text-muted">{label}</dt>
          <dd className="grid min-w-0 gap-1">
            {value}
            <PolicySources sources={sources} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Unrestricted({ policy, noun }: { policy: Policy; noun: "key" | "member" }) {
  const empty = policy.layers.find(({ mode }) => mode === "enforce");
  return (
    <div className="flex gap-3">
      <ShieldOff aria-hidden className="mt-0.5 size-5 shrink-0 text-warning" />
      <div className="grid gap-1">
        <p className="font-medium">No restrictions apply to this {noun}.</p>
        {empty ? (
          <p className="text-muted">
            <PolicySource source={empty} /> applies, but has no restrictions.
          </p>
        ) : (
          <p className="text-muted">
            Assign a guardrail above, or <TextLink href="/settings">set a default guardrail for the workspace</TextLink>
            .
          </p>
        )}
      </div>
    </div>
  );
}

/** The guardrails that only observe. */
const Observing = ({ layers }: Pick<Policy, "layers">) =>
  layers.length > 0 && (
    <p className="flex flex-wrap gap-x-2 gap-y-0.5 text-[13px] text-muted">
      Only observing:
      {layers.map((layer) => (
        <PolicySource key={`${layer.scope} ${layer.guardrail_id}`} source={layer} />
      ))}
    </p>
  );

const PolicySkeleton = () => (
  <div className="grid gap-3">
    <Skeleton className="w-2/3" />
    <Skeleton className="w-1/2" />
    <Skeleton className="w-3/4" />
  </div>
);
