import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { upstreamServer } from "./upstream-server";

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Starts a webhook receiver on loopback for the duration of the test; records deliveries in order. */
export async function receiver(
  answer: (response: ServerResponse, nth: number) => void,
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const { url } = await upstreamServer((request, response) => {
    let body = "";
    request
      .setEncoding("utf8")
      .on("data", (chunk: string) => (body += chunk))
      .on("end", () => {
        received.push({ path: request.url ?? "", headers: request.headers, body });
        answer(response, received.length);
      });
  });
  return { url: `${url}/hook`, received };
}

export const answers =
  (status: number, body = "", headers = {}) =>
  (response: ServerResponse) =>
    response.writeHead(status, headers).end(body);
