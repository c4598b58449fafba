import "server-only";
import { setMaxListeners } from "node:events";

/** Returns a controller that aborts with a signal, too, at a fraction of the cost of `AbortSignal.any`. */
export function following(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  // A request may follow its own signal often, for judges.
  setMaxListeners(0, signal);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return controller;
}
