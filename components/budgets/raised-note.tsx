import { formatUsd } from "@/components/ui/usd";
import type { Budget } from "@/lib/records/budgets/contract";

/** Part of the limit added by an exception. */
export const RaisedNote = ({ budget: { raised_usd } }: { budget: Budget }) =>
  raised_usd > 0 ? <>Includes a temporary {formatUsd(raised_usd)} from an exception. </> : null;
