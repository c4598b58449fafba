import { Attempt } from "./contract";

/** The model and provider of a generation, and of most of its attempts. */
interface Answered {
  model: string;
  providerSlug: string | null;
}

/**
 * Returns attempts as stored. They omit the generation's own provider and model and a missing error, which would take a
 * third of their bytes.
 */
export const storedAttempts = (attempts: readonly Attempt[], { model, providerSlug }: Answered): object[] =>
  attempts.map((attempt) => ({
    provider: attempt.provider === providerSlug ? undefined : attempt.provider,
    provider_name: attempt.provider_name,
    model: attempt.model === model ? undefined : attempt.model,
    status: attempt.status,
    latency_ms: attempt.latency_ms,
    error: attempt.error ?? undefined,
    data_region: attempt.data_region,
    estimated_cost: attempt.estimated_cost,
  }));

/** Returns the attempts of a generation. Older records store every field. */
export const attemptsOf = (stored: unknown, { model, providerSlug }: Answered): Attempt[] =>
  Attempt.array().parse(
    (stored as object[]).map((attempt) => ({ provider: providerSlug, model, error: null, ...attempt })),
  );
