/** The reason a request's content couldn't be scanned. Fails closed: such a request isn't sent upstream. */
export class ScanFailure extends Error {
  constructor(
    readonly reason: "timeout" | "matches" | "busy" | "crash" | "size",
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
    super("timeout", `Request blocked: the content filters did not finish within ${timeoutMs} ms`);
  }
}
