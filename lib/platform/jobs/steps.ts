import "server-only";
import { logger } from "../logger";

/** Steps of a job by the name that the log gives them. */
export type Steps = Readonly<Record<string, () => Promise<unknown>>>;

/**
 * Runs the steps of a job in turn. A step that fails is logged and doesn't keep others from running; the job fails at the end. Between steps, and
 * by a step that throws meanwhile, the job ends with the reason of an aborted signal.
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
