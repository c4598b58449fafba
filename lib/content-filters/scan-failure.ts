/** Why nothing is known of a request's content. It fails closed: such a request goes to no upstream. */
export class ScanFailure extends Error {
  constructor(
    readonly reason: "timeout" | "matches" | "busy" | "crash",
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const tooManyMatches = () =>
  new ScanFailure("matches", "Request blocked: the content filters found too many matches");

export class ScanTimeout extends ScanFailure {
  constructor(timeoutMs: number) {
    super("timeout", `Request blocked: the content filters didn't finish within ${timeoutMs} ms`);
  }
}
