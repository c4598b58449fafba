export type Reach = "online" | "offline" | "unreachable";

const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 15_000;
const CHECK_TIMEOUT_MS = 5_000;
const BAD_GATEWAY = 502;
const SERVER_ERROR = 500;
const GATEWAY_TIMEOUT = 504;

let isUnreachable = false;
let polling: ReturnType<typeof poll> | null = null;
const changes = new EventTarget();

function setUnreachable(next: boolean): void {
  if (isUnreachable === next) return;
  isUnreachable = next;
  changes.dispatchEvent(new Event("change"));
}

/** Returns whether the browser is online and, as far as requests have shown, the server is reachable. */
export function currentReach(): Reach {
  if (!navigator.onLine) return "offline";
  return isUnreachable ? "unreachable" : "online";
}

/** Calls `listener` when the reach may have changed. Returns the function that stops it. */
export function onReachChange(listener: () => void): () => void {
  const ended = new AbortController();
  changes.addEventListener("change", listener, ended);
  window.addEventListener("online", listener, ended);
  window.addEventListener("offline", listener, ended);
  return () => ended.abort();
}

/** True for the error page of a proxy whose server is down. Signalbox sends a request ID with its own errors. */
export const isGatewayError = ({ status, headers }: Response): boolean =>
  status >= BAD_GATEWAY && status <= GATEWAY_TIMEOUT && !headers.has("x-request-id");

async function isReady(): Promise<boolean> {
  try {
    const { status } = await fetch("/readyz", { cache: "no-store", signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) });
    // A proxy that doesn't pass probes on responds with 403 or 404.
    return status < SERVER_ERROR;
  } catch {
    return false;
  }
}

/** Waits, but no longer than until the browser is back online. */
const pause = (ms: number) =>
  new Promise<void>((resolve) => {
    const ended = new AbortController();
    const end = () => {
      ended.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, ms);
    window.addEventListener("online", end, ended);
  });

async function poll(): Promise<{ hasWaited: boolean }> {
  let hasWaited = false;
  for (let wait = FIRST_WAIT_MS; !(await isReady()); wait = Math.min(2 * wait, MAX_WAIT_MS)) {
    hasWaited = true;
    setUnreachable(true);
    await pause(wait);
  }
  setUnreachable(false);
  return { hasWaited };
}

/**
 * Resolves when the server is ready. Called after a request without a response: if the server isn't ready, it counts as
 * unreachable and is polled. Calls share one poll.
 */
export function whenReady(): Promise<{ hasWaited: boolean }> {
  polling ??= poll().finally(() => {
    polling = null;
  });
  return polling;
}
