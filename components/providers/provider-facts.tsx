import { Badge } from "@/components/ui/badge";
import { Tooltip } from "@/components/ui/tooltip";
import type { Provider, ProviderHealth } from "@/lib/records/providers/contract";

export const PROTOCOL_LABELS = {
  chat_completions: "Chat Completions",
  responses: "Responses",
  messages: "Messages",
  generate_content: "Gemini",
  converse: "Bedrock Converse",
} as const satisfies Record<Provider["protocol"], string>;

/** `https://api.openai.com/v1` → `api.openai.com`. */
export const hostOf = (baseUrl: string | null): string => (baseUrl === null ? "Built in" : new URL(baseUrl).host);

/** Data policy of a provider. */
export function DataPolicy({ zdr, trains, ownership }: Pick<Provider, "zdr" | "trains" | "ownership">) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {zdr ? <Badge tone="success">Zero retention</Badge> : <Badge>Retains data</Badge>}
      {trains && <Badge tone="warning">Trains on data</Badge>}
      {ownership === "byok" && <Badge tone="accent">BYOK</Badge>}
    </span>
  );
}

/** Health of a provider, measured by this server process since its start; undefined while loading. */
export function Health({ slug, health }: { slug: string; health: readonly ProviderHealth[] | undefined }) {
  if (!health) return <span className="text-muted">…</span>;
  const seen = health.find(({ provider }) => provider === slug);
  if (!seen) return <span className="text-muted">No traffic yet</span>;
  if (seen.resting.length === 0) return <Badge tone="success">Healthy</Badge>;
  return (
    <Tooltip text={`Temporarily disabled after repeated failures: ${seen.resting.join(", ")}`}>
      <Badge tone="danger" tabIndex={0} className="relative z-10">
        {seen.resting.length} of {seen.endpoints_asked} unhealthy
      </Badge>
    </Tooltip>
  );
}
