import type { ReactNode } from "react";
import { Arrow } from "@/components/ui/arrow";
import type { Generation } from "@/lib/records/generations/contract";
import { formatCount } from "./generation-format";

/** Prompt and completion tokens; null if neither is known. */
export const tokenCounts = ({
  tokens_prompt: prompt,
  tokens_completion: completion,
}: Pick<Generation, "tokens_prompt" | "tokens_completion">): ReactNode =>
  prompt === null && completion === null ? null : (
    <>
      {formatCount(prompt ?? 0)} <Arrow /> {formatCount(completion ?? 0)}
    </>
  );
