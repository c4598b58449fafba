"use client";
import { useQuery } from "@tanstack/react-query";
import { memberName } from "@/components/members/member-name";
import { memberQuery } from "@/components/members/member-queries";
import { sessionQuery } from "@/components/session/session-queries";
import { useMay } from "@/components/session/user-context";
import { Card } from "@/components/ui/card";
import { Facts, type Fact } from "@/components/ui/facts";
import { MonoId } from "@/components/ui/mono-id";
import { TextLink } from "@/components/ui/text-link";
import type { Generation } from "@/lib/records/generations/contract";
import { formatCost, formatCount, formatDuration, PROTOCOL_LABELS } from "./generation-format";
import { severalText } from "./generation-list-state";
import { tokenCounts } from "./token-counts";

const mono = (text: string | null) => text && <code className="font-mono text-[13px] break-all">{text}</code>;
const duration = (milliseconds: number | null) => (milliseconds === null ? null : formatDuration(milliseconds));
const threadLink = (page: "sessions" | "traces", id: string) => (
  <TextLink href={`/${page}/${encodeURIComponent(id)}`} className="font-mono text-[13px] break-all">
    {id}
  </TextLink>
);
const NOUNS = { app: "application", end_user: "end user" } as const;
/** The application or the end user, with a link to all its requests of the last 30 days. */
const named = (filter: keyof typeof NOUNS, name: string | null) =>
  name && (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      {filter === "app" ? <span className="wrap-anywhere">{name}</span> : mono(name)}
      <TextLink href={`/generations?${new URLSearchParams({ [filter]: severalText([name]), range: "30d" })}`}>
        All requests<span className="sr-only"> of this {NOUNS[filter]}</span>
      </TextLink>
    </span>
  );
const tokens = (amount: number | null) => (amount ? formatCount(amount) : null);

function costNote({ cost_known, usage_estimated }: Generation): string {
  if (!cost_known) return " (the model had no price)";
  return usage_estimated ? " (estimated)" : "";
}

const usage = (generation: Generation): Fact[] => [
  { term: "Cost", value: `${formatCost(generation)}${costNote(generation)}` },
  { term: "Prompt and completion tokens", value: tokenCounts(generation) },
  { term: "Reasoning tokens", value: tokens(generation.native_tokens_reasoning) },
  { term: "Cached tokens", value: tokens(generation.native_tokens_cached) },
  { term: "Time to first token", value: duration(generation.latency) },
  { term: "Duration", value: duration(generation.generation_time) },
  { term: "Finish reason", value: mono(generation.finish_reason) },
];

const request = (generation: Generation): Fact[] => [
  { term: "Model", value: mono(generation.model) },
  {
    term: "Requested model",
    value: generation.requested_model === generation.model ? null : mono(generation.requested_model),
  },
  { term: "Provider", value: generation.provider_name },
  { term: "Key", value: generation.key_hash && <KeyLink generation={generation} /> },
  { term: "Member", value: generation.user_id && <MemberLink id={generation.user_id} /> },
  { term: "Workload", value: generation.workload && <Workload {...generation.workload} /> },
  { term: "Unsaved guardrail", value: generation.draft_applied ? "Applied in addition, not stored" : null },
  { term: "Sent by", value: generation.sent_by_user_id && <MemberLink id={generation.sent_by_user_id} /> },
  { term: "Protocol", value: PROTOCOL_LABELS[generation.protocol] },
  { term: "Streamed", value: generation.streamed ? "Yes" : "No" },
  { term: "Preset version", value: generation.preset_version },
  { term: "Application", value: named("app", generation.app_title ?? generation.http_referer) },
  { term: "Referer", value: generation.app_title && generation.http_referer },
  { term: "Categories", value: generation.app_categories },
  { term: "Client", value: generation.user_agent },
  { term: "Session", value: generation.session_id && threadLink("sessions", generation.session_id) },
  { term: "Trace", value: generation.trace_id && threadLink("traces", generation.trace_id) },
  { term: "End user", value: named("end_user", generation.external_user) },
  { term: "Metadata", value: generation.metadata && mono(JSON.stringify(generation.metadata)) },
  { term: "Upstream ID", value: mono(generation.upstream_id) },
  { term: "BYOK", value: generation.is_byok ? "Yes" : null },
  { term: "Request ID", value: <MonoId value={generation.request_id} name="request ID" /> },
];

export function GenerationFacts({ generation }: { generation: Generation }) {
  return (
    <div className="grid gap-4">
      <Card id="usage" title="Usage">
        <Facts facts={usage(generation)} />
      </Card>
      <Card id="request" title="Request">
        <Facts facts={request(generation)} />
      </Card>
    </div>
  );
}

/** Name and label of a generation's key, linked for admins. */
function KeyLink({ generation: { key_hash, key_name, key_label } }: { generation: Generation }) {
  const canSeeKeys = useMay("keys:read");
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      {canSeeKeys ? <TextLink href={`/keys/${key_hash}`}>{key_name ?? "Key"}</TextLink> : key_name}
      <code className="font-mono text-[13px] break-all text-muted">{key_label}</code>
    </span>
  );
}

/** The workload whose token was exchanged for the key. */
const Workload = ({ issuer, subject }: NonNullable<Generation["workload"]>) => (
  <span className="grid">
    {mono(subject)}
    <span className="text-[13px] text-muted">{issuer}</span>
  </span>
);

/** Name of a member, linked for admins; others see only their own requests. */
function MemberLink({ id }: { id: string }) {
  const canSeeMembers = useMay("members:read");
  const member = useQuery({ ...memberQuery(id), enabled: canSeeMembers, select: ({ data }) => data });
  const ownId = useQuery(sessionQuery).data?.user.id;
  if (!canSeeMembers) return <>{id === ownId ? "You" : id}</>;
  if (member.isError) return <span className="text-muted">Former member</span>;
  return member.data ? <TextLink href={`/members/${id}`}>{memberName(member.data)}</TextLink> : <>…</>;
}
