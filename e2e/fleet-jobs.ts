import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { expect } from "@playwright/test";
import { createAlert } from "../lib/features/alerts/contract";
import { createExportDestination } from "../lib/features/exports/contract";
import { createWebhook } from "../lib/records/webhooks/contract";
import { startS3Server, type S3Server } from "../lib/testing/s3-server";
import type { Api } from "./api-client";
import { startReceiver } from "./webhook-receiver";

type RowsOf = <T>(text: string, values?: readonly unknown[]) => Promise<T[]>;

/** Time in which jobs finish late after a failed attempt. */
const SETTLED_MS = 90_000;

interface Delivery {
  name: string;
  status: string;
  successes: string;
}

/** Interval at which an alert rule is created, which also makes a process evaluate all. */
const ALERT_EVERY_MS = 1_000;

/** Creates rules that fire at once, until it is stopped. A failed creation may have taken effect. */
function createAlerts(api: () => Api, webhookId: string) {
  let isOver = false as boolean;
  const running = (async () => {
    for (let count = 0; !isOver && count < 90; count++) {
      const body = { name: `alert-${count}`, kind: "latency_p95", threshold: 0.001, min_requests: 1 } as const;
      await api()
        .send(createAlert, { body: { ...body, window_minutes: 60, webhook_ids: [webhookId] } })
        .catch(() => undefined);
      await sleep(ALERT_EVERY_MS);
    }
  })();
  return async () => {
    isOver = true;
    await running;
  };
}

interface AlertRow {
  name: string;
  firings: string;
  notifications: string;
  deliveries: string[];
}

/** Finds rules that didn't fire exactly once with one notification that was delivered once. */
async function checkAlerts(rowsOf: RowsOf, webhookId: string): Promise<void> {
  const rules = () =>
    rowsOf<AlertRow>(
      `SELECT name, (SELECT count(*) FROM alert_firings WHERE rule_id = alert_rules.id) AS firings,
        (SELECT count(*) FROM notifications n JOIN alert_firings f ON f.id = n.firing_id WHERE f.rule_id = alert_rules.id) AS notifications,
        ARRAY(SELECT d.status || ' ' || (SELECT count(*) FROM jsonb_array_elements(d.attempts) AS one WHERE one->>'error' IS NULL)
          FROM notifications n JOIN alert_firings f ON f.id = n.firing_id JOIN webhook_deliveries d ON d.id = n.webhook_delivery_id
          WHERE f.rule_id = alert_rules.id) AS deliveries
       FROM alert_rules WHERE webhook_ids @> jsonb_build_array($1::text) ORDER BY 1`,
      [webhookId],
    );
  const wrong = async () =>
    (await rules()).filter(
      ({ firings, notifications, deliveries }) =>
        firings !== "1" || notifications !== "1" || deliveries.join() !== "delivered 1",
    );
  expect((await rules()).length).toBeGreaterThan(0);
  await expect.poll(wrong, { timeout: SETTLED_MS }).toEqual([]);
}

/** Returns the IDs in all files of a bucket. */
async function idsIn(storage: S3Server): Promise<string[]> {
  const files = (await storage.files()).filter((file) => file.endsWith(".jsonl.gz._S3rver_object"));
  const texts = await Promise.all(files.map(async (file) => gunzipSync(await storage.read(file)).toString()));
  return texts.flatMap((text) =>
    text
      .split("\n")
      .filter(Boolean)
      .map((line) => (JSON.parse(line) as { id: string }).id),
  );
}

/** Finds generations that aren't in the bucket exactly once. */
async function checkExport(rowsOf: RowsOf, storage: S3Server, destinationId: string): Promise<void> {
  const recorded = (await rowsOf<{ id: string }>("SELECT id FROM generations ORDER BY 1")).map(({ id }) => id);
  const missing = async () => {
    // Moves files a minute apart. Files that a process is sending aren't changed.
    await rowsOf(
      "UPDATE export_destinations SET next_run_at = now() WHERE id = $1 AND next_run_at > now() + interval '20 seconds'",
      [destinationId],
    );
    const exported = new Set(await idsIn(storage));
    return recorded.filter((id) => !exported.has(id));
  };
  await expect.poll(missing, { timeout: SETTLED_MS }).toEqual([]);
  expect((await idsIn(storage)).toSorted()).toEqual(recorded);
}

/**
 * Starts to deliver an event of each created guardrail, to fire alerts and to export the log. `check` finds jobs that
 * ran twice or never. `apiOf` returns the API of a running process.
 */
export async function watchJobs(apiOf: () => Api) {
  const api = apiOf();
  const receiver = await startReceiver();
  const storage = await startS3Server();
  const { data } = await api.call(createWebhook, { body: { url: receiver.url, events: ["guardrail.created"] } });
  const { data: ofAlerts } = await api.call(createWebhook, { body: { url: receiver.url, events: ["preset.created"] } });
  const { endpoint, bucket, accessKeyId: access_key_id, secretAccessKey: secret_access_key } = storage.settings;
  const s3 = { endpoint, bucket, path_style: true, interval_minutes: 1, access_key_id, secret_access_key };
  const { data: destination } = await api.call(createExportDestination, {
    body: { name: "Files", kind: "s3_jsonl", start: "oldest", s3 },
  });
  const stopAlerts = createAlerts(apiOf, ofAlerts.id);
  const check = async (rowsOf: RowsOf) => {
    await stopAlerts();
    const deliveries = () =>
      rowsOf<Delivery>(
        `SELECT body::json->'data'->'target'->>'name' AS name, status,
          (SELECT count(*) FROM jsonb_array_elements(attempts) AS one WHERE one->>'error' IS NULL) AS successes
         FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY 1`,
        [data.id],
      );
    const unfinished = async () => (await deliveries()).filter(({ status }) => status !== "delivered");
    await expect.poll(unfinished, { timeout: SETTLED_MS }).toEqual([]);
    const made = await rowsOf<{ name: string }>("SELECT name FROM guardrails WHERE name LIKE 'made-%' ORDER BY 1");
    expect(await deliveries()).toEqual(made.map(({ name }) => ({ name, status: "delivered", successes: "1" })));

    const counts = async () =>
      rowsOf<{ counted: string; recorded: string }>(
        `SELECT (SELECT coalesce(sum(requests), 0) FROM usage_hours) AS counted, (SELECT count(*) FROM generations) AS recorded`,
      );
    const uncounted = async () => {
      const [row] = await counts();
      return Number(row?.recorded) - Number(row?.counted);
    };
    await expect.poll(uncounted, { timeout: SETTLED_MS }).toBe(0);
    await checkAlerts(rowsOf, ofAlerts.id);
    await checkExport(rowsOf, storage, destination.id);
  };
  const stop = async () => {
    await stopAlerts();
    receiver.stop();
    await storage.close();
  };
  return { check, stop };
}
