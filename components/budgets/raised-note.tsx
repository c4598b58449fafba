import { formatUsd } from "@/components/ui/usd";
import type { Budget } from "@/lib/budgets/contract";

/** "$10.00 of it until an exception ends." */
export const RaisedNote = ({ budget: { raised_usd } }: { budget: Budget }) =>
  raised_usd > 0 ? <>{formatUsd(raised_usd)} of the limit until an exception ends. </> : null;
