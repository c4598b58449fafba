import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems assign to outgoing connections. One of those could take a free port before its server
 * does.
 */
const [FIRST, AFTER_LAST] = [20_000, 32_000];
/**
 * Number of ports per process, which it uses in turn. Processes look for ports concurrently, and a port is free until
 * its server listens. If two servers got the same port, one would end and its tests would reach the other.
 */
const OWN = 100;
const own = FIRST + (process.pid % ((AFTER_LAST - FIRST) / OWN)) * OWN;
let turn = 0;

/** Returns a currently unused TCP port of 127.0.0.1. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = own + (turn++ % OWN);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
