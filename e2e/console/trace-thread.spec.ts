import { createResponse } from "../../lib/gateway/contract";
import { expect, test } from "./console-test";
import { ask } from "./generation-log";

test("the requests of a trace are a thread with totals, reached from one of them", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const traceId = key.hash.slice(0, 32);
  const { id } = await api
    .as(key.text)
    .call(
      createResponse,
      { body: { model: "sandbox/echo", input: "one" } },
      { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } },
    );
  const body = { model: "sandbox/echo", input: "two", trace: { trace_id: traceId } };
  await api.as(key.text).call(createResponse, { body });
  await ask(api, key, { input: "other" });
  await page.goto(`/generations/${id}`);
  await page.getByRole("link", { name: traceId }).click();
  await expect(page).toHaveURL(`/traces/${traceId}`);
  await expect(page.getByRole("heading", { level: 1, name: "Trace" })).toBeVisible();
  const thread = page.getByRole("list", { name: "Requests" });
  await expect(thread.getByRole("listitem")).toHaveCount(2);
  await expect(thread.getByRole("listitem").last()).toContainText("You said: two");
  await expect(page.getByRole("region", { name: "Totals" })).toContainText("2");
  await page.getByRole("link", { name: "Open in log" }).click();
  await expect(page).toHaveURL(new RegExp(`/generations\\?trace_id=${traceId}`));
  await expect(page.getByRole("table", { name: "Generations" }).getByRole("row")).toHaveCount(3);
});

test("a long trace loads older requests, and its totals cover them all", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  const traceId = key.hash.slice(0, 32);
  const body = { model: "sandbox/echo", input: "again", trace: { trace_id: traceId } };
  for (let batch = 0; batch < 6; batch++)
    await Promise.all(Array.from({ length: 9 }, () => api.as(key.text).call(createResponse, { body })));
  await page.goto(`/traces/${traceId}`);
  const totals = page.getByRole("region", { name: "Totals" });
  const requests = page.getByRole("list", { name: "Requests" }).getByRole("listitem");
  await expect(totals).toContainText("54");
  await expect(requests).toHaveCount(50);
  await page.getByRole("button", { name: "Load older requests" }).click();
  await expect(requests).toHaveCount(54);
  await expect(totals).toContainText("First request to last response");
  await expect(page.getByRole("button", { name: /older/ })).toHaveCount(0);
});

test("a trace without requests says how requests join one", async ({ page }) => {
  await page.goto("/traces/unknown");
  await expect(page.getByText(/^Requests with this ID in the header traceparent/)).toBeVisible();
});
