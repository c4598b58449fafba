import "server-only";
import { logger } from "../logger";

/** Steps of a job by their name in the log. */
export type Steps = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Runs the steps of a job in turn. A failing step is logged, the other steps run, and the job fails at the end. If the signal is
 * aborted, the job ends with its reason after the running step.
 */
export async function runSteps(job: string, steps: Steps, signal?: AbortSignal): Promise<void> {
  const failures = new Map<string, unknown>();
  for (const [step, run] of Object.entries(steps)) {
    signal?.throwIfAborted();
    try {
      await run();
    } catch (err) {
      signal?.throwIfAborted();
      logger().error({ err, step }, `${job} failed`);
      failures.set(step, err);
    }
  }
  if (failures.size > 0)
    throw new AggregateError(failures.values(), `${job} failed: ${[...failures.keys()].join(", ")}`);
}
