import { ApiError } from "../platform/api-error";

/** What a caller sees of work that must fail: its status and metadata. */
export async function failure(work: Promise<unknown>): Promise<{ status: number; metadata: ApiError["metadata"] }> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return { status: error.status, metadata: error.metadata };
}
