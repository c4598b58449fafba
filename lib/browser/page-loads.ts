import { isGatewayError, whenReady } from "./reach";

/** Header of requests for pages that Next.js opens without leaving the current one. */
const PAGE_LOAD = "rsc";

/**
 * Notices page loads that get no response from Signalbox. Next.js waits and repeats them (`useOffline` in
 * `next.config.ts`), also those to which a proxy responds, since their load fails here. Returns the function that undoes
 * this.
 */
export function watchPageLoads(): () => void {
  const send = window.fetch;
  const load: typeof fetch = async (input, init) => {
    try {
      const response = await send(input, init);
      if (isGatewayError(response)) throw new TypeError("bad gateway");
      return response;
    } catch (error) {
      if (!init?.signal?.aborted) void whenReady();
      throw error;
    }
  };
  window.fetch = (input, init) => (new Headers(init?.headers).has(PAGE_LOAD) ? load(input, init) : send(input, init));
  return () => {
    window.fetch = send;
  };
}
