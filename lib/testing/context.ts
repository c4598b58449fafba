import type { Context } from "../platform/context";
import { parseEnv } from "../platform/env";
import { PlainSignal } from "../platform/signal";
import { NO_TRACE } from "../platform/telemetry/trace-context";
import { grantsOf } from "../records/roles/grants";

/** What an owner may do. */
export const OWNER_GRANTS = grantsOf([{ role: "owner", permissions: null, workspace: null }]);

export const TEST_SETTINGS = {
  ...parseEnv({ SIGNALBOX_ADMIN_PASSWORD: "correct horse" }),
  // On a busy machine, a scan's thread may have to wait for a processor.
  filterTimeoutMs: 60_000,
  // On a slow machine, keep-alives must not overtake a response that is about to begin.
  streamKeepAliveMs: 60_000,
  secretKey: Buffer.alloc(32, 7),
};

/** Creates the context of a caller's request outside a server, without a client and at the current time. */
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
  search: "",
  ip: null,
  sessionToken: null,
  deviceToken: null,
  flowToken: null,
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
