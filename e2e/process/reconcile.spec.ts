import { listBudgets } from "../../lib/records/budgets/contract";
import { createChatCompletion } from "../../lib/gateway/contract";
import { listGenerations } from "../../lib/records/generations/contract";
import { createApi } from "../api-client";
import { startFakeProvider } from "../fake-provider";
import { expect, test } from "../own-server";
import { signalbox, withFolder } from "../policy-install";
import { MANAGEMENT_KEY } from "../server";
import { createUpstream, createWorld } from "../world";

test("requests that clients leave are charged, and the log equals the vendor's bill", async ({ own }) => {
  const server = await own.start();
  const fake = await startFakeProvider();
  try {
    const api = createApi(server.url, MANAGEMENT_KEY);
    const world = await createWorld(api);
    const { provider, model, upstreamModel } = await createUpstream(api, fake.baseUrl);
    const usage = { input: 1000, output: 100 };
    fake.script(upstreamModel, { usage });
    const key = await world.inferenceKey({ limit: 5 });
    const body = { model, messages: [{ role: "user" as const, content: "hi" }] };
    await createApi(server.url, key.text).call(createChatCompletion, { body });
    fake.script(upstreamModel, { usage, firstByteMs: 3000 });
    const client = new AbortController();
    const left = fetch(`${server.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.text}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: client.signal,
    }).catch(() => null);
    await expect.poll(() => fake.received.length, { intervals: [10] }).toBe(2);
    client.abort();
    await left;
    const recorded = async () => (await api.call(listGenerations, { query: { key_hash: key.hash } })).data;
    await expect.poll(async () => (await recorded()).map(({ status }) => status)).toEqual(["cancelled", "succeeded"]);
    expect((await recorded()).map(({ tokens_prompt, usage_estimated }) => [tokens_prompt, usage_estimated])).toEqual([
      [1000, false],
      [1000, false],
    ]);
    const { data: budgets } = await api.call(listBudgets, { query: { key_hash: key.hash } });
    expect(budgets[0]?.spent_usd).toBe(0.0048);

    await withFolder(async ({ write }) => {
      const day = new Date().toISOString().slice(0, 10);
      const usageFile = (requests: number, input: number) =>
        write(
          "usage.csv",
          `start_time,start_time_iso,model,num_model_requests,input_tokens,output_tokens,input_cached_tokens\n0,${day}T00:00:00+00:00,${upstreamModel}-2026-01-01,${requests},${input},200,0\n`,
        );
      const install = { api, key: MANAGEMENT_KEY };
      const arguments_ = (path: string) => ["reconcile", path, "--provider", provider];
      expect(await signalbox(install, arguments_(usageFile(2, 2000)))).toMatchObject({ code: 0, err: "" });
      expect(await signalbox(install, arguments_(usageFile(3, 3000)))).toMatchObject({
        code: 2,
        out: expect.stringContaining("the vendor counts 1 request that Signalbox didn't send"),
      });
      expect(await signalbox(install, arguments_("/nowhere.csv"))).toMatchObject({ code: 1 });
    });
  } finally {
    await fake.stop();
  }
});
