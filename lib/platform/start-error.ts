/** Stops the start with a single line for the operator, without a stack trace. */
export class StartError extends Error {
  override name = "StartError";
}
