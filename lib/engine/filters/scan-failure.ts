/** Thrown when content couldn't be scanned. Filters fail closed: the request isn't sent upstream. */
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

/** Thrown when a scan couldn't start in time because others were running; nothing was scanned. */
export class ScanBusy extends ScanFailure {
  constructor() {
    super("busy", "The content filters are overloaded. Try again later");
  }
}

/** Thrown when the scan of a text takes too long. */
export class ScanTimeout extends ScanFailure {
  constructor(timeoutMs: number) {
    super("timeout", `Request blocked: the content filters did not finish within ${timeoutMs} ms`);
  }
}
