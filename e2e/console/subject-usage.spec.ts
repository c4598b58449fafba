import { createResponse } from "../../lib/gateway/contract";
import { createPerson, expect, test } from "./console-test";

const body = { model: "sandbox/echo", input: "Hello" };

test("a key's page charts its usage, whose figures lead to its requests", async ({ page, api, world }) => {
  const key = await world.inferenceKey();
  for (let n = 0; n < 2; n++) await api.as(key.text).call(createResponse, { body });
  await page.goto(`/keys/${key.hash}`);
  const usage = page.getByRole("region", { name: "Usage over time" });
  const requests = usage.getByRole("radio", { name: "Requests" });
  await expect(requests).toHaveAccessibleName(/Requests\s*2/);
  await requests.check();
  await expect(page).toHaveURL(/measure=requests/);
  const chart = usage.getByRole("figure", { name: "Requests over time by model" });
  await chart.getByRole("button", { name: "Show table" }).click();
  await chart.getByRole("table").getByRole("link", { name: "2", exact: true }).click();
  await expect(page).toHaveURL(/\/generations\?/);
  expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
    key_hash: key.hash,
    model: "sandbox/echo",
  });
  await page.goBack();
  await page.getByRole("button", { name: /^Time range: Last 30 days/ }).click();
  await page.getByRole("button", { name: "Last 24 hours" }).click();
  await expect(page).toHaveURL(/range=24h/);
  await expect(requests).toHaveAccessibleName(/Requests\s*2/);
});

test("a member's page charts the usage of each of their keys", async ({ page, api, world }) => {
  const person = await createPerson(api);
  const [busy, idle] = [
    await world.inferenceKey({ creator_user_id: person.id }),
    await world.inferenceKey({ creator_user_id: person.id }),
  ];
  for (const key of [busy, busy, idle]) await api.as(key.text).call(createResponse, { body });
  await page.goto(`/members/${person.id}?measure=requests`);
  const chart = page.getByRole("figure", { name: "Requests over time by key" });
  await expect(chart.getByRole("columnheader")).toHaveText(["Time", busy.name, idle.name]);
});

test("a key without requests says so", async ({ page, world }) => {
  const key = await world.inferenceKey();
  await page.goto(`/keys/${key.hash}`);
  await expect(page.getByText("No requests in this range.")).toBeVisible();
});

test("a budget says when it resets, and what will be spent until then", async ({ page, api, world }) => {
  const key = await world.inferenceKey({ limit: 1000, limit_reset: "monthly" });
  const budgets = page.getByRole("region", { name: "Remaining budgets" });
  await page.goto(`/keys/${key.hash}`);
  await expect(budgets).toContainText(/No recent spend\. Resets \w/);
  await api.as(key.text).call(createResponse, { body });
  await page.reload();
  // In the first hour of a month there is no forecast.
  await expect(budgets).toContainText(/(On pace to spend \$\S+ of \$1,000\.00\. )?Resets [\w ]+, 00:00/);
  await expect(budgets).not.toContainText("No recent spend");
});

for (const width of [1280, 390])
  test(`the parts below a key's usage don't move when its script arrives, at ${width} px`, async ({ page, world }) => {
    const key = await world.inferenceKey();
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`/keys?q=${encodeURIComponent(key.name)}`);
    const link = page.getByRole("link", { name: key.name });
    await expect(link).toBeVisible();
    let send: () => void = () => undefined;
    const arrived = new Promise<void>((resolve) => {
      send = resolve;
    });
    await page.route("**/_next/static/chunks/**", async (route) => {
      const response = await route.fetch();
      if ((await response.text()).includes('"Usage over time"')) await arrived;
      await route.fulfill({ response });
    });
    await link.click();
    const below = page.getByRole("region", { name: "Exceptions" });
    await expect(below).toBeVisible();
    const before = await below.boundingBox();
    await expect(page.getByRole("region", { name: "Usage over time" })).toHaveCount(0);
    send();
    await expect(page.getByRole("region", { name: "Usage over time" })).toBeVisible();
    expect(await below.boundingBox()).toEqual(before);
    await page.unrouteAll({ behavior: "wait" });
  });
