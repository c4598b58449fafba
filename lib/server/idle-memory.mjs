// Returns memory to the operating system when no request has arrived for a while. V8 collects garbage when it needs space, so that an
// idle process would keep what its start or its last load took (docs/decisions/0074-memory-of-the-process.md).
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Seconds without a request after which garbage is collected. */
const QUIET_SECONDS = 15;
/**
 * V8 gives up the space for new objects only in a collection that finds that little was allocated in the last five seconds. Background
 * work, such as sums of what was just recorded, may prevent that several times.
 */
const RETRY_SECONDS = 6;
const MOST_COLLECTIONS = 8;
/** Growth since the last collection, or space for new objects, that is worth a collection: it takes 50 to 100 ms of processor time. */
const WORTH_BYTES = 24 * 1024 * 1024;

/** Returns V8's function that collects all garbage. @returns {() => void} */
function collector() {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
}

/** Memory of the space for new objects, in bytes. */
const newSpaceBytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.physical_space_size ?? 0;

/**
 * Decides once a second whether to collect garbage.
 * @param {{collect: () => void, resident: () => number, newSpace: () => number, worthBytes?: number}} memory
 * @returns {{note: () => void, tick: () => void}} `note` is called for each request
 */
export function createIdleMemory({ collect, resident, newSpace, worthBytes = WORTH_BYTES }) {
  let quiet = 0;
  let collections = 0;
  let floor = 0;
  return {
    note: () => {
      quiet = 0;
      collections = 0;
    },
    tick: () => {
      quiet += 1;
      if (quiet < QUIET_SECONDS || (quiet - QUIET_SECONDS) % RETRY_SECONDS !== 0) return;
      const isGrown = collections === 0 && resident() - floor >= worthBytes;
      if (collections === MOST_COLLECTIONS || (!isGrown && newSpace() < worthBytes)) return;
      collections += 1;
      collect();
      floor = resident();
    },
  };
}

/** @param {import("node:http").Server} server */
export function returnIdleMemory(server) {
  const { note, tick } = createIdleMemory({
    collect: collector(),
    resident: () => process.memoryUsage.rss(),
    newSpace: newSpaceBytes,
  });
  server.on("request", note);
  setInterval(tick, 1000).unref();
}
