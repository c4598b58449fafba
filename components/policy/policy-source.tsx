import { GuardrailRevision } from "@/components/guardrails/guardrail-revision";
import { TextLink } from "@/components/ui/text-link";
import type { Source } from "@/lib/engine/policy/contract";

const LAYERS = {
  workspace: "workspace default",
  member: "member's guardrail",
  key: "key's guardrail",
  request: "request",
  draft: "draft",
  organization: "organization's limit",
} as const satisfies Record<Source["scope"], string>;

/** Layer, guardrail and revision that a part of the policy comes from. */
export function PolicySource({ source }: { source: Source }) {
  const { scope, guardrail_id, guardrail_name, revision } = source;
  if (guardrail_id === null)
    return <span className="text-muted">{scope === "key" ? "key's own limit" : LAYERS[scope]}</span>;
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-1">
      <TextLink href={`/guardrails/${guardrail_id}`} className="wrap-anywhere">
        <GuardrailRevision name={guardrail_name ?? "Guardrail"} revision={revision} />
      </TextLink>
      <span className="text-muted">({LAYERS[scope]})</span>
    </span>
  );
}

export function PolicySources({ sources }: { sources: readonly Source[] }) {
  return (
    <span className="flex flex-wrap gap-x-2 gap-y-0.5 text-[13px]">
      <span className="text-muted">from</span>
      {sources.map((source) => (
        <PolicySource key={`${source.scope} ${source.guardrail_id}`} source={source} />
      ))}
    </span>
  );
}
