import { expect } from "@playwright/test";
import { createWebhook } from "../lib/records/webhooks/contract";
import type { Api } from "./api-client";
import { startReceiver } from "./webhook-receiver";

type RowsOf = <T>(text: string, values?: readonly unknown[]) => Promise<T[]>;

/** Jobs run late when their attempt met a failure. */
const SETTLED_MS = 90_000;

interface Delivery {
  name: string;
  status: string;
  successes: string;
}

/** Starts to deliver an event of each guardrail that is created; `check` finds jobs that ran twice or never. */
export async function watchJobs(api: Api) {
  const receiver = await startReceiver();
  const { data } = await api.call(createWebhook, { body: { url: receiver.url, events: ["guardrail.created"] } });
  const check = async (rowsOf: RowsOf) => {
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
        `SELECT (SELECT coalesce(sum(requests), 0) FROM usage_rollups
            WHERE grain = 'hour' AND guardrail_id = '00000000-0000-0000-0000-000000000000') AS counted,
          (SELECT count(*) FROM generations) AS recorded`,
      );
    const uncounted = async () => {
      const [row] = await counts();
      return Number(row?.recorded) - Number(row?.counted);
    };
    await expect.poll(uncounted, { timeout: SETTLED_MS }).toBe(0);
  };
  return { check, stop: receiver.stop };
}
