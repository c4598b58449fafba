import { describe, expect, it } from "vitest";
import { endpointOf } from "../../testing/endpoints";
import { TEST_SETTINGS } from "../../testing/context";
import { NOW } from "../../testing/test-context";
import { upstreamServer } from "../../testing/upstream-server";
import { NO_TRACE } from "../../platform/telemetry/trace-context";
import { GenerationTrace } from "../record/generation-trace-service";
import { callUpstream } from "./endpoint-client";
import type { Connection } from "../endpoints-store";

const endpoint = endpointOf({ provider: { id: "p" } });
const SECRETS = { apiKey: "sk-secret", named: {}, headers: { "X-Team": "blue-secret" } };

function ask(
  baseUrl: string | null,
  {
    credentials = () => SECRETS,
    kind = "openai",
    settings = {},
    env = {},
    model = "one",
    stream = false,
  }: Partial<Connection> & { env?: object; model?: string; stream?: boolean } = {},
) {
  const connections = new Map([["p", { baseUrl, kind, settings, credentials }]]);
  const body = { model, stream, messages: [{ role: "user", content: "hi" }] };
  return callUpstream(connections, { ...TEST_SETTINGS, ...env }, NOW, new GenerationTrace(NO_TRACE, 0))(
    endpoint,
    { path: "/chat/completions", isStream: stream, body },
    new AbortController().signal,
    () => undefined,
  );
}

describe("callUpstream", () => {
  it.each(["", "/", "/v1", "/v1/", "/openai/v1//"])("appends the path to the base URL: %j", async (base) => {
    const { url } = await upstreamServer(
      (request, response) => void response.end(JSON.stringify({ path: request.url, method: request.method })),
    );
    expect(await (await ask(url + base)).json()).toEqual({
      method: "POST",
      path: `${base.replace(/\/+$/, "")}/chat/completions`,
    });
  });

  it("sends the body, the API key and the provider's headers", async () => {
    const { url } = await upstreamServer((request, response) => {
      request
        .setEncoding("utf8")
        .on("data", (body: string) =>
          response.end(JSON.stringify({ headers: request.headers, body: JSON.parse(body) as unknown })),
        );
    });
    expect(await (await ask(url, { stream: true })).json()).toEqual({
      headers: {
        host: new URL(url).host,
        connection: "keep-alive",
        accept: "text/event-stream",
        "accept-encoding": "identity",
        authorization: "Bearer sk-secret",
        "content-length": expect.any(String),
        "content-type": "application/json",
        "user-agent": "signalbox",
        "x-team": "blue-secret",
      },
      body: { model: "one", stream: true, messages: [{ role: "user", content: "hi" }] },
    });
  });

  it("sends no Authorization header without an API key", async () => {
    const { url } = await upstreamServer((request, response) => void response.end(JSON.stringify(request.headers)));
    expect(
      await (await ask(url, { credentials: () => ({ apiKey: null, named: {}, headers: {} }) })).json(),
    ).not.toHaveProperty("authorization");
  });

  it("masks secrets repeated in an error body", async () => {
    const { url } = await upstreamServer(
      (_, response) =>
        void response.writeHead(401, { "x-kept": "yes" }).end("no key sk-secret for blue-secret, sk-secret"),
    );
    const response = await ask(url);
    expect([response.status, response.headers.get("x-kept"), await response.text()]).toEqual([
      401,
      "yes",
      "no key [secret] for [secret], [secret]",
    ]);
  });

  it("rejects private addresses unless they are allowed", async () => {
    const { url } = await upstreamServer((_, response) => void response.end());
    await expect(ask(url, { env: { allowPrivateUpstreams: false } })).rejects.toThrow(
      "The URL must start with https://",
    );
  });

  it("answers sandbox requests in process", async () => {
    const response = await ask(null, {
      model: "sandbox/echo",
      credentials: () => {
        throw new Error("needs none");
      },
    });
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: "You said: hi" } }] });
  });
});
