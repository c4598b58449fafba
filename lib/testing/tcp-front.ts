import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/**
 * Starts one address of 127.0.0.1 that forwards to one of several servers, like a proxy before a primary and its
 * standby.
 */
export async function startTcpFront(target: number) {
  const sockets = new Set<Socket>();
  let current = target;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const front = createServer((client) => {
    const server = connect(current, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  return {
    port: (front.address() as AddressInfo).port,
    /** Forwards to another server, and breaks the connections to the previous one. */
    switchTo: (port: number) => {
      current = port;
      cut();
    },
    stop: () => {
      front.close();
      cut();
    },
  };
}
