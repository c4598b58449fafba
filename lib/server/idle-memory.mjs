// Returns memory to the operating system when no request has arrived for a while. V8 collects garbage when it needs space, so that an
// idle process would keep what its start or its last load took (docs/decisions/0074-memory-of-the-process.md).
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Seconds without a request after which garbage is collected. V8 gives up the space for new objects if it finds that little was allocated in the last five seconds, so the second time. */
const QUIET_SECONDS = [15, 21];
/** Growth since the last collection that is worth another one: it takes 50 to 100 ms of processor time. */
const WORTH_BYTES = 24 * 1024 * 1024;

/** Returns V8's function that collects all garbage. @returns {() => void} */
function collector() {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

/**
 * Decides once a second whether to collect garbage.
 * @param {{collect: () => void, resident: () => number, worthBytes?: number}} memory
 * @returns {{note: () => void, tick: () => void}} `note` is called for each request
 */
export function createIdleMemory({ collect, resident, worthBytes = WORTH_BYTES }) {
  let quiet = 0;
  let isPending = true;
  let floor = 0;
  return {
    note: () => {
      quiet = 0;
    },
    tick: () => {
      quiet += 1;
      if (quiet === QUIET_SECONDS[0]) isPending = resident() - floor >= worthBytes;
      if (!isPending || !QUIET_SECONDS.includes(quiet)) return;
      collect();
      floor = resident();
    },
  };
}

/** @param {import("node:http").Server} server */
export function returnIdleMemory(server) {
  const { note, tick } = createIdleMemory({ collect: collector(), resident: () => process.memoryUsage.rss() });
  server.on("request", note);
  setInterval(tick, 1000).unref();
}
