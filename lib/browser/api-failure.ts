/** A field's problem, from the response's `metadata.issues`. */
export interface FieldIssue {
  path: readonly (string | number)[];
  message: string;
}

interface ErrorAnswer {
  error?: { message?: string; metadata?: Record<string, unknown> };
}

/** A failed operation. `status` 0: there was no response. */
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
  const message = answer?.error?.message ?? `The server returned status ${response.status}`;
  return new ApiFailure(response.status, message, response.headers.get("x-request-id"), answer?.error?.metadata);
}

/** Converts any thrown value to a failure. */
export const toFailure = (error: unknown): ApiFailure =>
  error instanceof ApiFailure ? error : new ApiFailure(-1, error instanceof Error ? error.message : String(error));
