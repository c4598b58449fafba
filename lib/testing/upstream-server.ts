import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface UpstreamServer {
  url: string;
  /** Open connections. */
  open: ReadonlySet<Socket>;
}

/** Starts an HTTP server on loopback until the test's end. */
export async function upstreamServer(listener: RequestListener): Promise<UpstreamServer> {
  const server = createServer(listener);
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket)).on("error", () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open };
}

/**
 * Starts an upstream that stores the received bodies, and responds to each with a chat completion, until the test's
 * end.
 */
export async function recordingUpstream(): Promise<{ url: string; received: readonly string[] }> {
  const received: string[] = [];
  const { url } = await upstreamServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received.push(body);
      response.writeHead(200, { "content-type": "application/json" });
      const choice = { index: 0, finish_reason: "stop", message: { role: "assistant", content: "ok" } };
      response.end(JSON.stringify({ id: "c", object: "chat.completion", model: "m", choices: [choice] }));
    });
  });
  return { url, received };
}
