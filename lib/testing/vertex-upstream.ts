import type { IncomingMessage, ServerResponse } from "node:http";
import { text as bodyOf } from "node:stream/consumers";
import { StrictGenerateContentBody } from "./strict-generate-content";
import type { tokenEndpoint } from "./token-endpoint";
import { upstreamServer } from "./upstream-server";

export const VERTEX_PLACE = { project: "acme-prod", location: "global" };

const usageMetadata = { promptTokenCount: 12, candidatesTokenCount: 3, totalTokenCount: 15 };
const said = (text: string, more: object = {}) => ({
  candidates: [{ content: { role: "model", parts: [{ text }] }, ...more }],
  responseId: "vertex-1",
});

/**
 * Starts a fake of Vertex AI. It accepts only requests to a Google model of its project and location, with an access
 * token of its token endpoint and a body of the public API.
 */
export async function vertexUpstream({ issued }: Awaited<ReturnType<typeof tokenEndpoint>>, model: string) {
  const taken: unknown[] = [];
  const { project, location } = VERTEX_PLACE;
  const path = `/v1/projects/${project}/locations/${location}/publishers/google/models/${model}`;
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refuse = (code: number, status: string, message: string) =>
      response
        .writeHead(code, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { code, message, status } }));
    const { data: body, error } = StrictGenerateContentBody.safeParse(JSON.parse(await bodyOf(request)));
    const isWhole = request.url === `${path}:generateContent`;
    const isStream = request.url === `${path}:streamGenerateContent?alt=sse`;
    if (request.method !== "POST" || (!isWhole && !isStream)) refuse(404, "NOT_FOUND", `No ${request.url ?? ""}`);
    else if (!issued.some((token) => request.headers.authorization === `Bearer ${token}`))
      refuse(401, "UNAUTHENTICATED", "Request had invalid authentication credentials.");
    else if (error) refuse(400, "INVALID_ARGUMENT", error.message);
    else {
      taken.push(body);
      response.writeHead(200, { "content-type": isStream ? "text/event-stream" : "application/json" });
      const whole = { ...said("Hello there", { finishReason: "STOP" }), usageMetadata };
      const events = [said("Hello"), { ...said(" there", { finishReason: "STOP" }), usageMetadata }];
      response.end(
        isStream ? events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("") : JSON.stringify(whole),
      );
    }
  };
  const { url } = await upstreamServer((request, response) => void respond(request, response));
  return { url: `${url}/v1`, taken };
}
