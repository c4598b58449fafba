import "server-only";
import type { Context } from "../../platform/context";
import { newGenerationId } from "../../platform/ids";
import type { ApiType } from "../../engine/protocols/vocabulary";
import { GenerationTrace } from "./generation-trace-service";

/** A generation's id, and a clock that starts with its request. */
export interface GenerationStart {
  id: string;
  apiType: ApiType;
  /** Milliseconds between the request's arrival and the start of inference. */
  queue: number;
  /** Returns milliseconds since inference started. */
  elapsed: () => number;
  trace: GenerationTrace;
}

export function startGeneration({ now, arrivedAt, trace }: Context, apiType: ApiType): GenerationStart {
  const start = performance.now();
  return {
    id: newGenerationId(now),
    apiType,
    queue: Math.round(start - arrivedAt),
    elapsed: () => Math.round(performance.now() - start),
    trace: new GenerationTrace(trace, arrivedAt),
  };
}
