import { createResponse } from "../../lib/gateway/contract";
import { createKey } from "../../lib/records/keys/contract";
import { getPreset } from "../../lib/records/presets/contract";
import { getPresetUsage } from "../../lib/records/presets/usage-contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { createPreset } from "./preset-world";

test("archiving shows affected requests, rejects new ones, and can be undone", async ({ page, api }) => {
  const slug = await createPreset(api);
  const status = async () => (await api.call(getPreset, { params: { slug } })).data.status;
  const { key } = await api.call(createKey, { body: { name: unique("Key") } });
  const ask = async () =>
    (await api.as(key).send(createResponse, { body: { model: `@preset/${slug}`, input: "hi" } })).status;
  expect(await ask()).toBe(200);
  await expect(async () =>
    expect((await api.call(getPresetUsage, { params: { slug } })).data).toMatchObject([{ requests: 1 }]),
  ).toPass();

  await page.goto(`/presets/${slug}`);
  await page.getByRole("button", { name: "Status" }).click();
  await page.getByRole("menuitemradio", { name: "Archived" }).click();
  const question = page.getByRole("alertdialog", { name: `Archive “${slug}”?` });
  await expect(question).toContainText("1 request in the last 7 days");
  await question.getByRole("button", { name: "Archive preset" }).click();
  await expect(page.getByText(`“${slug}” is now archived`, { exact: true })).toBeVisible();
  expect([await status(), await ask()]).toEqual(["archived", 404]);

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText(`“${slug}” is active again`, { exact: true })).toBeVisible();
  expect([await status(), await ask()]).toEqual(["active", 200]);
});

test("disabling can be cancelled, and an error is shown in the dialog", async ({ page, api }) => {
  const slug = await createPreset(api);
  await page.goto(`/presets/${slug}`);
  const askToDisable = async () => {
    await page.getByRole("button", { name: "Status" }).click();
    await page.getByRole("menuitemradio", { name: "Disabled" }).click();
  };
  await askToDisable();
  const question = page.getByRole("alertdialog", { name: `Disable “${slug}”?` });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toBeHidden();
  await page.route(`**/v1/presets/${slug}`, (route) =>
    route.request().method() === "PATCH"
      ? route.fulfill({ status: 500, json: { error: { code: 500, message: "Internal Server Error" } } })
      : route.continue(),
  );
  await askToDisable();
  await question.getByRole("button", { name: "Disable preset" }).click();
  await expect(question.getByRole("alert")).toContainText("Internal Server Error");
  expect((await api.call(getPreset, { params: { slug } })).data.status).toBe("active");
});
