import { ApiError } from "../platform/api-error";

/** Returns the status and metadata of work that must fail. */
export async function failure(work: Promise<unknown>): Promise<{ status: number; metadata: ApiError["metadata"] }> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return { status: error.status, metadata: error.metadata };
}
