import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook as Verifier } from "standardwebhooks";

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  url: string;
  received: Received[];
  /** Sets the status of subsequent responses. */
  answer: (status: number, body?: string) => void;
  stop: () => void;
}

/** Starts a local webhook receiver that returns 200 by default. */
export async function startReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = [];
  let [status, text] = [200, ""];
  const server = createServer((request, response) => {
    let body = "";
    request
      .setEncoding("utf8")
      .on("data", (chunk: string) => (body += chunk))
      .on("end", () => {
        received.push({ headers: request.headers, body });
        response.writeHead(status).end(text);
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (newStatus, body = "") => {
      [status, text] = [newStatus, body];
    },
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Returns the payload, verified with the official library. */
export const verified = (secret: string, { headers, body }: Received) =>
  new Verifier(secret).verify(body, headers as Record<string, string>) as {
    type: string;
    timestamp: string;
    data: Record<string, unknown>;
  };
