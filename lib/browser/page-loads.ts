import { isGatewayError, whenReady } from "./reach";

/** Header of requests for pages that Next.js opens without a full page load. */
const PAGE_LOAD = "rsc";
/** Header of requests that prefetch a page. */
const PREFETCH = "next-router-prefetch";

let loading = 0;
const changes = new EventTarget();

function count(by: 1 | -1): void {
  loading += by;
  changes.dispatchEvent(new Event("change"));
}

/** True while a page is loading to be shown. Prefetches don't count. */
export const isPageLoading = (): boolean => loading > 0;

/** Calls `listener` when that changes. Returns the function that stops it. */
export function onPageLoading(listener: () => void): () => void {
  changes.addEventListener("change", listener);
  return () => changes.removeEventListener("change", listener);
}

/** Sends the request for a page, which counts as loading until the last byte of the response. */
async function countLoad(send: typeof fetch, ...request: Parameters<typeof fetch>): Promise<Response> {
  count(1);
  try {
    const response = await send(...request);
    void response
      .clone()
      .arrayBuffer()
      .catch(() => null)
      .finally(() => count(-1));
    return response;
  } catch (error) {
    count(-1);
    throw error;
  }
}

/**
 * Counts page loads, and detects loads without a response from Signalbox. Next.js waits and repeats these (`useOffline` in
 * `next.config.ts`). A proxy's response makes the load fail here, so that Next.js repeats it, too. Returns a function that stops this.
 */
export function watchPageLoads(): () => void {
  const send = window.fetch;
  const load: typeof fetch = async (input, init) => {
    try {
      const isFollowed = !new Headers(init?.headers).has(PREFETCH);
      const response = await (isFollowed ? countLoad(send, input, init) : send(input, init));
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
