import type { Context } from "../platform/context";
import { parseEnv } from "../platform/env";
import { PlainSignal } from "../platform/signal";
import { NO_TRACE } from "../platform/telemetry/trace-context";

export const TEST_SETTINGS = {
  ...parseEnv({ SIGNALBOX_ADMIN_PASSWORD: "correct horse" }),
  // On a busy machine, the thread of a scan may have to wait for a processor.
  filterTimeoutMs: 60_000,
  // On a slow machine, an answer that is about to begin must not be overtaken by keep-alives.
  streamKeepAliveMs: 60_000,
  secretKey: Buffer.alloc(32, 7),
};

/** The context of a caller's request outside of a server: without a client, at the current time. */
export const contextOf = (db: Context["db"], caller: Context["caller"], overrides: Partial<Context> = {}): Context => ({
  caller,
  db,
  settings: TEST_SETTINGS,
  now: new Date(),
  arrivedAt: 0,
  trace: NO_TRACE,
  random: Math.random,
  requestId: "req-test",
  origin: "http://signalbox.test",
  ip: null,
  sessionToken: null,
  deviceToken: null,
  client: {
    httpReferer: null,
    appTitle: null,
    appCategories: null,
    userAgent: null,
    sessionId: null,
    wantsMetadata: false,
    wantsEvents: false,
    wantsYaml: false,
  },
  ifMatch: null,
  signal: new PlainSignal(),
  headers: new Headers(),
  ...overrides,
});
