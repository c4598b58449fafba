import { Agent, request as httpRequest } from "node:http";
import fc from "fast-check";
import { deleteGenerationContents } from "../../lib/features/content-access/removal-contract";
import type { Operation } from "../../lib/platform/http/operation";
import { createModel } from "../../lib/records/models/contract";
import { MessagesErrorBody, OAuthErrorBody, ScimErrorBody } from "../../lib/platform/http/openapi";
import { alternatives, operations } from "../../lib/server/operations";
import { createPresetFromResponses } from "../../lib/records/presets/contract";
import { createProvider } from "../../lib/records/providers/contract";
import { cases, TEST_SEED } from "../../lib/testing/random";
import { ErrorBody, type Api } from "../api-client";
import { expect, test } from "../fixtures";
import { hostileRequests, type HostileRequest, type OpenApiDocument } from "../hostile-requests";
import { MANAGEMENT_KEY } from "../server";
import { unique, type World } from "../world";

const REQUESTS = cases(3000);
const AT_ONCE = 8;
const ANSWER_WITHIN_MS = 60_000;

interface Answer {
  status: number;
  type: string;
  requestId: string | undefined;
  text: string;
}

/** Sends raw bytes, which `fetch` would reject. */
function send(url: string, { method, target, headers, body }: HostileRequest, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const bytes = body === undefined ? undefined : Buffer.from(body, "base64");
    const request = httpRequest({
      hostname,
      port,
      agent,
      method,
      path: target,
      headers: { ...headers, ...(bytes && { "content-length": bytes.length }) },
    });
    const overdue = setTimeout(
      () => request.destroy(new Error(`no answer within ${ANSWER_WITHIN_MS} ms`)),
      ANSWER_WITHIN_MS,
    );
    request.on("error", reject);
    request.on("response", (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        clearTimeout(overdue);
        const { "content-type": type = "", "x-request-id": requestId } = response.headers;
        resolve({
          status: response.statusCode ?? 0,
          type,
          requestId: requestId?.toString(),
          text: Buffer.concat(chunks).toString(),
        });
      });
    });
    request.end(bytes);
  });
}

/** Returns the operation that a request reaches, or nothing if it is rejected before. */
const operationOf = ({ path, method, headers }: HostileRequest): Operation | undefined =>
  [...alternatives, ...operations].find(
    (one) =>
      one.path === path &&
      one.method === method &&
      Object.keys(one.selectedBy ?? {}).every((name) => headers[name] !== undefined),
  );

/** True for a host or a path, with empty or dot segments or a bare percent sign, that is rejected before its operation is known. */
const isUnrouted = ({ target, headers }: HostileRequest): boolean =>
  Boolean(headers["host"]) || /\/(?:\.|%2e){0,2}(?=\/|\?|$)|%(?![0-9a-f]{2})/i.test(target.split("?", 1).join(""));

/** Returns the problem of a response; null if it is valid. */
function complaint(sent: HostileRequest, answer: Answer, operation: Operation | undefined): string | null {
  const { status, type, text } = answer;
  if (status >= 500 && status !== 502 && status !== 529) return `answered ${status}`;
  if (!answer.requestId) return "no X-Request-Id";
  if (sent.method === "HEAD") return text === "" ? null : "HEAD answered a body";
  if (type.startsWith("text/event-stream")) return operation?.streams ? null : "unasked events";
  if (status === 200 && operation?.downloads?.some((one) => type.startsWith(one))) return null;
  const isScim = sent.target.startsWith("/v1/scim/");
  if (!type.startsWith(isScim ? "application/scim+json" : "application/json")) return `content type ${type}`;
  const body: unknown = JSON.parse(text);
  if (status >= 400 && operation?.errorFormat === "oauth" && !isUnrouted(sent))
    return OAuthErrorBody.safeParse(body).success ? null : `not the error body: ${text}`;
  if (status >= 400 && isScim) return ScimErrorBody.safeParse(body).success ? null : `not the error body: ${text}`;
  if (status >= 400 && operation?.errorFormat === "messages" && !isUnrouted(sent))
    return MessagesErrorBody.safeParse(body).success ? null : `not the error body: ${text}`;
  if (status >= 400) {
    const parsed = ErrorBody.safeParse(body);
    if (!parsed.success) return `not the error body: ${parsed.error.message}`;
    return parsed.data.error.code === status ? null : `code ${parsed.data.error.code} under status ${status}`;
  }
  if (operation?.status !== status) return `unexpected ${status}`;
  const result = operation.result.safeParse(body);
  return result.success ? null : `breaks its contract: ${result.error.message}`;
}

const shorten = (text: string) => (text.length > 600 ? `${text.slice(0, 600)}… (${text.length} characters)` : text);

const describe = ({ method, target, headers, body }: HostileRequest, answer: Answer | Error) =>
  [
    `${method} ${target}`,
    JSON.stringify(headers),
    body === undefined ? "" : Buffer.from(body, "base64").toString(),
    answer instanceof Error ? "" : `→ ${answer.status} ${answer.text}`,
  ]
    .map(shorten)
    .join("\n");

async function knownThings(api: Api, world: World): Promise<string[]> {
  const [guardrail, key, member] = await Promise.all([world.guardrail(), world.inferenceKey(), world.member()]);
  const slug = unique("fuzz");
  await api.call(createPresetFromResponses, { params: { slug }, body: { model: "sandbox/echo" } });
  await api.call(createProvider, { body: { slug, name: "Fuzz", base_url: "https://api.fuzz.invalid/v1" } });
  const { data: model } = await api.call(createModel, {
    body: { slug: `${slug}/large`, endpoints: [{ provider: slug, price: { prompt: "1", completion: "2" } }] },
  });
  return [guardrail.id, world.workspaceId, key.hash, member.id, slug, encodeURIComponent(model.slug), "1"];
}

test(`${REQUESTS} random and hostile requests: no 5xx, no hang, always the error body`, async ({
  api,
  world,
  serverUrl,
}) => {
  test.setTimeout(10 * 60_000);
  const document = (await (await fetch(`${serverUrl}/v1/openapi.json`)).json()) as OpenApiDocument;
  // A nearly valid request could delete other tests' data.
  Reflect.deleteProperty(document.paths, deleteGenerationContents.path);
  const { text: inferenceKey } = await world.inferenceKey();
  const keys = { management: MANAGEMENT_KEY, inference: inferenceKey };
  const arbitrary = hostileRequests(document, await knownThings(api, world), keys, alternatives);
  const requests = fc.sample(arbitrary, { numRuns: REQUESTS, seed: TEST_SEED });
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const complaints: string[] = [];
  const statuses: Record<number, number> = {};
  const queue = requests.entries();
  const worker = async () => {
    for (const [index, sent] of queue) {
      const answer = await send(serverUrl, sent, agent).catch((error: unknown) =>
        error instanceof Error ? error : new Error(String(error)),
      );
      const what = answer instanceof Error ? answer.message : complaint(sent, answer, operationOf(sent));
      if (!(answer instanceof Error)) statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      if (what) complaints.push(`#${index} ${what}\n${describe(sent, answer)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  agent.destroy();
  expect(complaints.length, `TEST_SEED=${TEST_SEED}\n\n${complaints.slice(0, 20).join("\n\n")}`).toBe(0);
  expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
  expect(
    (statuses[200] ?? 0) + (statuses[201] ?? 0),
    "some requests must succeed for the test to be meaningful",
  ).toBeGreaterThan(REQUESTS / 20);
  expect((await fetch(`${serverUrl}/readyz`)).status).toBe(200);
});
