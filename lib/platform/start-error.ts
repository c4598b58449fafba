/** Stops the start with one line for the operator; no stack is shown. */
export class StartError extends Error {
  override name = "StartError";
}
