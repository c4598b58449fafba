/**
 * Settings of the process and its listener, which are needed before bundled code is loaded: the variable, and the value if it isn't set.
 * lib/platform/env.ts validates them.
 */
export const PROCESS_SETTINGS = {
  port: { variable: "PORT", fallback: 3000 },
  hostname: { variable: "HOSTNAME", fallback: "127.0.0.1" },
  /** Number of processes that share the port. */
  workers: { variable: "SIGNALBOX_WORKERS", fallback: 1 },
  /** Origin at which browsers reach the server; undefined to take it from each request. */
  publicUrl: { variable: "SIGNALBOX_PUBLIC_URL", fallback: undefined },
  allowedHosts: { variable: "SIGNALBOX_ALLOWED_HOSTS", fallback: undefined },
  /** Trust the proxy's `X-Forwarded-For`, `-Host` and `-Proto` headers. */
  trustsProxy: { variable: "SIGNALBOX_TRUST_PROXY", fallback: false },
  /** Maximum number of connections of one client. */
  maxConnections: { variable: "SIGNALBOX_MAX_CONNECTIONS_PER_CLIENT", fallback: 512 },
  requestTimeoutMs: { variable: "SIGNALBOX_REQUEST_TIMEOUT_MS", fallback: 60_000 },
  /** Time before the process ends in which requests are still accepted, until proxies have noticed that it isn't ready. */
  drainMs: { variable: "SIGNALBOX_DRAIN_MS", fallback: 0 },
  logsAccess: { variable: "SIGNALBOX_ACCESS_LOG", fallback: false },
};

/** Returns the settings, including wrong values: the start reports these with a line that names the variable. @param {Readonly<Record<string, string | undefined>>} variables */
export function processSettings(variables) {
  /** @param {{variable: string, fallback: number}} setting */
  const number = ({ variable, fallback }) => Number(variables[variable] || fallback);
  /** @template {string | undefined} Fallback @param {{variable: string, fallback: Fallback}} setting @returns {string | Fallback} */
  const text = ({ variable, fallback }) => variables[variable] || fallback;
  /** @param {{variable: string}} setting */
  const flag = ({ variable }) => variables[variable] === "true";
  return {
    port: number(PROCESS_SETTINGS.port),
    hostname: text(PROCESS_SETTINGS.hostname),
    workers: number(PROCESS_SETTINGS.workers),
    publicUrl: text(PROCESS_SETTINGS.publicUrl),
    allowedHosts: text(PROCESS_SETTINGS.allowedHosts),
    trustsProxy: flag(PROCESS_SETTINGS.trustsProxy),
    maxConnections: number(PROCESS_SETTINGS.maxConnections),
    requestTimeoutMs: number(PROCESS_SETTINGS.requestTimeoutMs),
    drainMs: number(PROCESS_SETTINGS.drainMs),
    logsAccess: flag(PROCESS_SETTINGS.logsAccess),
  };
}
