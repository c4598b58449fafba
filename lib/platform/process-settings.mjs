// Settings of the process and its listener, which are needed before bundled code is loaded. lib/platform/env.ts validates them.

/** Values of variables that aren't set. */
export const PROCESS_DEFAULTS = {
  PORT: 3000,
  HOSTNAME: "127.0.0.1",
  SIGNALBOX_WORKERS: 1,
  SIGNALBOX_MAX_CONNECTIONS_PER_CLIENT: 512,
  SIGNALBOX_REQUEST_TIMEOUT_MS: 60_000,
  SIGNALBOX_DRAIN_MS: 0,
};

/** Returns the settings, also wrong ones: these end the start with a line that names the variable. @param {Readonly<Record<string, string | undefined>>} variables */
export function processSettings(variables) {
  /** @param {Exclude<keyof typeof PROCESS_DEFAULTS, "HOSTNAME">} name */
  const number = (name) => Number(variables[name] || PROCESS_DEFAULTS[name]);
  return {
    port: number("PORT"),
    hostname: variables.HOSTNAME || PROCESS_DEFAULTS.HOSTNAME,
    workers: number("SIGNALBOX_WORKERS"),
    publicUrl: variables.SIGNALBOX_PUBLIC_URL || undefined,
    allowedHosts: variables.SIGNALBOX_ALLOWED_HOSTS || undefined,
    trustsProxy: variables.SIGNALBOX_TRUST_PROXY === "true",
    maxConnections: number("SIGNALBOX_MAX_CONNECTIONS_PER_CLIENT"),
    requestTimeoutMs: number("SIGNALBOX_REQUEST_TIMEOUT_MS"),
    /** Time before the process ends in which requests are still accepted, until proxies have noticed that it isn't ready. */
    drainMs: number("SIGNALBOX_DRAIN_MS"),
    logsAccess: variables.SIGNALBOX_ACCESS_LOG === "true",
  };
}
