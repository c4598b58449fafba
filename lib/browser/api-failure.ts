/** A problem of one field, as the answer's `metadata.issues` names it. */
export interface FieldIssue {
  path: readonly (string | number)[];
  message: string;
}

interface ErrorAnswer {
  error?: { message?: string; metadata?: Record<string, unknown> };
}

/** An operation that didn't succeed. `status` 0: no answer came at all. */
export class ApiFailure extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly requestId: string | null = null,
    readonly metadata: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = "ApiFailure";
  }

  get isOffline(): boolean {
    return this.status === 0;
  }

  get issues(): readonly FieldIssue[] {
    const { issues } = this.metadata;
    return Array.isArray(issues) ? (issues as FieldIssue[]) : [];
  }
}

export async function failureOf(response: Response): Promise<ApiFailure> {
  const answer = (await response.json().catch(() => null)) as ErrorAnswer | null;
  const message = answer?.error?.message ?? `The server answered ${response.status}`;
  return new ApiFailure(response.status, message, response.headers.get("x-request-id"), answer?.error?.metadata);
}

/** Any thrown value as a failure, so that one view shows them all. */
export const toFailure = (error: unknown): ApiFailure =>
  error instanceof ApiFailure ? error : new ApiFailure(-1, error instanceof Error ? error.message : String(error));
