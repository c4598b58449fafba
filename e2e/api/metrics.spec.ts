import { createResponse } from "../../lib/gateway/contract";
import { MANAGEMENT_KEY } from "../server";
import { expect, test } from "../fixtures";

test("metrics require a management key and count requests", async ({ api, world, serverUrl }) => {
  const { text } = await world.inferenceKey();
  await api.as(text).call(createResponse, { body: { model: "sandbox/echo", input: "hi" } });
  const read = (headers: Record<string, string>) => fetch(`${serverUrl}/metrics`, { headers });
  const refused = await read({});
  expect(refused.status).toBe(401);
  expect(await refused.json()).toEqual({ error: { code: 401, message: "Missing Authentication header" } });
  expect((await read({ authorization: "Bearer nobody" })).status).toBe(401);
  expect((await read({ authorization: `Bearer ${text}` })).status).toBe(403);
  const answer = await read({ authorization: `Bearer ${MANAGEMENT_KEY}` });
  expect(answer.headers.get("content-type")).toContain("text/plain");
  const lines = (await answer.text()).split("\n");
  for (const beginning of [
    'signalbox_generations_total{status="succeeded",provider="sandbox"} ',
    'signalbox_http_request_duration_seconds_count{operation="createResponse",status="200"} ',
    'signalbox_model_requests_total{model="sandbox/echo",status="succeeded"} ',
    'signalbox_inference_stage_duration_seconds_count{stage="total"} ',
    'signalbox_tokens_total{provider="sandbox",kind="completion"} ',
  ]) {
    expect(
      Number(lines.find((line) => line.startsWith(beginning))?.slice(beginning.length)),
      beginning,
    ).toBeGreaterThan(0);
  }
});
