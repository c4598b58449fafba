import { formatUsd } from "@/components/ui/usd";
import type { Generation } from "@/lib/records/generations/contract";

export const PROTOCOL_LABELS: Readonly<Record<Generation["protocol"], string>> = {
  responses: "Responses",
  chat_completions: "Chat Completions",
  messages: "Messages",
  completions: "Text completions",
  embeddings: "Embeddings",
  moderations: "Moderations",
};

const SECOND_MS = 1000;
const integer = new Intl.NumberFormat("en");

/** 340 ms, 2.4 s. */
export const formatDuration = (milliseconds: number): string =>
  milliseconds < SECOND_MS ? `${Math.round(milliseconds)} ms` : `${(milliseconds / SECOND_MS).toFixed(1)} s`;

/** $0.0012, or Unknown if the model has no price. */
export const formatCost = ({ cost_known, total_cost }: Pick<Generation, "cost_known" | "total_cost">): string =>
  cost_known ? formatUsd(total_cost) : "Unknown";

export const formatCount = (amount: number): string => integer.format(amount);

/** "+ 12 requests without a price", shown beside a sum of costs; null for none. */
export const unpricedNote = (requests: number): string | null =>
  requests === 0 ? null : `+ ${formatCount(requests)} ${requests === 1 ? "request" : "requests"} without a price`;
