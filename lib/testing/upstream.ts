import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

/** Starts an upstream on a free port of this machine; returns its base URL and a function that ends it. */
export async function startUpstream(answer: RequestListener): Promise<{ baseUrl: string; stop: () => void }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { baseUrl: `http://127.0.0.1:${port}/v1`, stop };
}
