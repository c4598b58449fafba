import { fromMicroUsd } from "../../engine/money";
import type { Receipt } from "../../engine/protocols/observe";
import { promptAndCompletion } from "../../engine/routing/price";
import type { Bill } from "./bill";

/** Returns the receipt of a bill, with amounts in USD if they are known. */
export function receiptOf(
  { costMicroUsd, isCostKnown, parts }: Pick<Bill, "costMicroUsd" | "isCostKnown" | "parts">,
  { completedAt, serviceMetadata, recorded }: Pick<Receipt, "completedAt" | "serviceMetadata" | "recorded">,
): Receipt {
  const about = { completedAt, serviceMetadata, recorded };
  if (!isCostKnown) return { costUsd: null, ...about };
  const { prompt, completion } = promptAndCompletion(parts);
  return {
    costUsd: fromMicroUsd(costMicroUsd),
    costDetails: { prompt: fromMicroUsd(prompt), completion: fromMicroUsd(completion), parts: toUsd(parts) },
    ...about,
  };
}

const toUsd = (parts: Readonly<Record<string, bigint>>): Record<string, number> =>
  Object.fromEntries(Object.entries(parts).map(([part, microUsd]) => [part, fromMicroUsd(microUsd)]));
