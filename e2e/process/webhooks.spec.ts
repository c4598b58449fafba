import { randomBytes } from "node:crypto";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { startPostgres } from "../../lib/testing/postgres";
import { createWebhook } from "../../lib/records/webhooks/contract";
import { createApi, type Api } from "../api-client";
import { expect, test } from "../own-server";
import { MANAGEMENT_KEY } from "../server";
import { unique } from "../world";
import { startReceiver, verified, type WebhookReceiver } from "../webhook-receiver";

const listen = async (api: Api, { url }: WebhookReceiver) =>
  (await api.call(createWebhook, { body: { url, events: ["guardrail.created"] } })).secret;
const add = async (api: Api) => (await api.call(createGuardrail, { body: { name: unique("G") } })).data.id;
const eventsOf = ({ received }: WebhookReceiver, secret: string) =>
  received.map((one) => (verified(secret, one).data["target"] as { id: string }).id);

test("changes acknowledged before kill -9 are delivered after the restart", async ({ own }) => {
  const receiver = await startReceiver();
  try {
    const server = await own.start();
    const api = createApi(server.url, MANAGEMENT_KEY);
    const secret = await listen(api, receiver);
    const made: string[] = [];
    for (let count = 0; count < 10; count++) made.push(await add(api));
    server.signal("SIGKILL");
    await server.ended;
    await own.start();
    // Jobs claimed by the killed process are claimed again after their lease expires.
    await expect
      .poll(() => [...new Set(eventsOf(receiver, secret))].sort(), { timeout: 150_000 })
      .toEqual(made.toSorted());
  } finally {
    receiver.stop();
  }
});

test("two processes on one database share deliveries: each event is delivered once", async ({ own }) => {
  const receiver = await startReceiver();
  const postgres = await startPostgres();
  try {
    const shared = {
      DATABASE_URL: postgres.url("postgres"),
      SIGNALBOX_SECRET_KEY: randomBytes(32).toString("base64"),
      SIGNALBOX_ALLOW_PRIVATE_UPSTREAMS: "true",
    };
    const apis = [
      createApi((await own.start(shared)).url, MANAGEMENT_KEY),
      createApi((await own.start(shared)).url, MANAGEMENT_KEY),
    ];
    const secret = await listen(apis[0] as Api, receiver);
    const made = (
      await Promise.all(
        apis.map(async (api) => [await add(api), await add(api), await add(api), await add(api), await add(api)]),
      )
    ).flat();
    await expect.poll(() => eventsOf(receiver, secret).length).toBe(made.length);
    expect(eventsOf(receiver, secret).sort()).toEqual(made.toSorted());
  } finally {
    receiver.stop();
    await postgres.stop();
  }
});
