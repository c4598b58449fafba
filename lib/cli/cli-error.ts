/** An error that the user can fix; shown without a stack trace. */
export class CliError extends Error {
  constructor(
    message: string,
    /** Further fields of the error in JSON output. */
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
