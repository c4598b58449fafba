import { createResponse } from "../../lib/gateway/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { ask, row, sheet } from "./generation-log";

test("the log is narrowed to an end user and to an application, from a request or by filters", async ({
  page,
  api,
  world,
}) => {
  const key = await world.inferenceKey();
  const [app, endUser] = [unique("Desk, Inc."), unique("ann")];
  const send = async (body: object, title: string) => {
    const answer = await fetch(`${api.url}/v1${createResponse.path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key.text}`, "content-type": "application/json", "x-title": title },
      body: JSON.stringify({ model: "sandbox/echo", input: "Hello", ...body }),
    });
    await answer.arrayBuffer();
    return answer.headers.get("x-generation-id") ?? "";
  };
  const first = await send({ user: endUser }, app);
  const second = await send({ safety_identifier: endUser }, "Other");
  const third = await send({}, app);
  const foreign = await ask(api, key);

  await page.goto(`/generations?id=${first}`);
  await sheet(page).getByRole("link", { name: "All requests of this end user" }).click();
  await expect(row(page, second)).toBeVisible();
  await expect(row(page, first)).toBeVisible();
  await expect(row(page, third)).toHaveCount(0);
  await expect(row(page, foreign)).toHaveCount(0);

  await page.goto(`/generations/${first}`);
  await page.getByRole("link", { name: "All requests of this application" }).click();
  await expect(row(page, third)).toBeVisible();
  await expect(row(page, first)).toBeVisible();
  await expect(row(page, second)).toHaveCount(0);

  await page.goto(`/generations?key_hash=${key.hash}`);
  await expect(row(page, foreign)).toBeVisible();
  await page.getByRole("button", { name: "More filters" }).click();
  await page.getByRole("button", { name: "End user" }).click();
  await page.getByRole("textbox", { name: "End user" }).fill(endUser);
  await page.keyboard.press("Enter");
  await expect(row(page, foreign)).toHaveCount(0);
  await expect(row(page, second)).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`end_user=${endUser}`));
});
