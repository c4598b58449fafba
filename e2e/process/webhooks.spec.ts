import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createAlert, listAlertFirings, testAlert } from "../../lib/features/alerts/contract";
import { createGuardrail } from "../../lib/records/guardrails/contract";
import { MAIL_CERTIFICATE } from "../../lib/testing/mail-certificate";
import { MAIL_LOGIN, startMailServer } from "../../lib/testing/start-mail-server";
import { startPostgres } from "../../lib/testing/postgres";
import { createWebhook } from "../../lib/records/webhooks/contract";
import { createApi, type Api } from "../api-client";
import { expect, test } from "../own-server";
import { MANAGEMENT_KEY } from "../server";
import { unique } from "../world";
import { startReceiver, verified, type WebhookReceiver } from "../webhook-receiver";

/** Starts a mail server with encryption, and returns the settings of a server that trusts its certificate. */
async function startMail(folder: string) {
  const mail = await startMailServer({ encrypts: "implicit" });
  const certificate = join(folder, "mail.pem");
  writeFileSync(certificate, MAIL_CERTIFICATE.cert);
  const settings = {
    NODE_EXTRA_CA_CERTS: certificate,
    SIGNALBOX_SMTP_URL: `smtps://${MAIL_LOGIN}@localhost:${mail.port}`,
    SIGNALBOX_SMTP_FROM: "signalbox@example.com",
  };
  return { mail, settings };
}

const listen = (api: Api, { url }: WebhookReceiver) =>
  api.call(createWebhook, { body: { url, events: ["guardrail.created"] } });
const add = async (api: Api) => (await api.call(createGuardrail, { body: { name: unique("G") } })).data.id;
const ofType = ({ received }: WebhookReceiver, secret: string, type: string) =>
  received.map((one) => verified(secret, one)).filter((event) => event.type === type);
const eventsOf = (receiver: WebhookReceiver, secret: string) =>
  ofType(receiver, secret, "guardrail.created").map(({ data }) => (data["target"] as { id: string }).id);

test("changes and alerts acknowledged before kill -9 are delivered after the restart", async ({ own }) => {
  const [receiver, slack] = [await startReceiver(), await startReceiver()];
  const folder = own.variables["SIGNALBOX_DATA_DIR"] ?? "";
  const { mail, settings } = await startMail(folder);
  try {
    const server = await own.start(settings);
    const api = createApi(server.url, MANAGEMENT_KEY);
    const { secret, data } = await listen(api, receiver);
    const made: string[] = [];
    for (let count = 0; count < 10; count++) made.push(await add(api));
    const channels = { webhook_ids: [data.id], slack_url: slack.url, emails: ["ops@example.com"] };
    const rule = { name: "Errors", kind: "error_rate", threshold: 5, ...channels } as const;
    const { data: alert } = await api.call(createAlert, { body: rule });
    // Slack's response doesn't arrive before the process ends.
    slack.answer(503);
    await api.call(testAlert, { params: { id: alert.id } });
    server.signal("SIGKILL");
    await server.ended;
    slack.answer(200);
    const before = slack.received.length;
    const restarted = await own.start(settings);
    // Jobs claimed by the killed process are claimed again after their lease expires.
    await expect
      .poll(() => [...new Set(eventsOf(receiver, secret))].sort(), { timeout: 150_000 })
      .toEqual(made.toSorted());
    const again = createApi(restarted.url, MANAGEMENT_KEY);
    const statuses = async () =>
      (await again.call(listAlertFirings, { query: { alert_id: alert.id } })).data.flatMap(({ notifications }) =>
        notifications.map(({ channel, status }) => `${channel} ${status}`),
      );
    await expect
      .poll(async () => (await statuses()).toSorted(), { timeout: 150_000 })
      .toEqual(["email delivered", "slack delivered", "webhook delivered"]);
    expect(slack.received.length).toBeGreaterThan(before);
    expect(ofType(receiver, secret, "alert.test").map((event) => event.data["message"])).toContainEqual(
      expect.stringContaining("5%"),
    );
    expect(mail.emails[0]).toContain("Subject: Test: Errors");
    expect(mail.encrypted()).toBe(mail.emails.length);
  } finally {
    receiver.stop();
    slack.stop();
    await mail.stop();
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
    const { secret } = await listen(apis[0] as Api, receiver);
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
