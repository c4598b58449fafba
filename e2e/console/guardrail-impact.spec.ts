import { bulkAssignKeys } from "../../lib/records/guardrails/assignments-contract";
import { getGuardrail } from "../../lib/records/guardrails/contract";
import { expect, test } from "./console-test";
import { openSection } from "./guardrail-page";
import { ask, guardedKey } from "./generation-log";

test("the impact of a draft on recorded requests is shown before saving", async ({ page, api, world }) => {
  const { key, guardrail } = await guardedKey(api, world, {});
  for (const input of ["Hello", "Where is PROJ-1234?", "Write to ada@example.com"]) await ask(api, key, { input });
  await page.goto(`/guardrails/${guardrail.id}?tool=impact`);
  const impact = page.getByRole("region", { name: "Impact", exact: true });
  await impact.getByRole("button", { name: "Run" }).click();
  await expect(impact).toContainText("No effect on 3 recorded requests.");
  await openSection(page, "Custom patterns");
  await page.getByRole("button", { name: "Add filter" }).click();
  await page.getByRole("textbox", { name: "Pattern" }).fill("PROJ-[0-9]+");
  await expect(impact).toContainText("The draft changed since this run.");
  await impact.getByRole("button", { name: "Run again" }).click();
  await expect(impact).toContainText(/Across 3 recorded requests, this would (block|redact|flag) 1\./);
  await impact.getByRole("list", { name: "Affected requests" }).getByRole("button").click();
  const sheet = page.getByRole("dialog", { name: "Impact on this request" });
  await expect(sheet.getByRole("group", { name: "Changes from As recorded to With the draft" })).toBeVisible();
  await expect(sheet.locator("mark")).toContainText("PROJ-1234");
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  expect((await api.call(getGuardrail, { params: { id: guardrail.id } })).data.revision).toBe(1);
});

test("a run can be cancelled, and a failure is reported", async ({ page, api, world }) => {
  const [key, guardrail] = [await world.inferenceKey(), await world.guardrail()];
  await api.call(bulkAssignKeys, { params: { id: guardrail.id }, body: { key_hashes: [key.hash] } });
  await page.goto(`/guardrails/${guardrail.id}?tool=impact`);
  const impact = page.getByRole("region", { name: "Impact", exact: true });
  const { promise: held, resolve: release } = (() => {
    let resolve: () => void = () => undefined;
    return { promise: new Promise<void>((done) => (resolve = done)), resolve: () => resolve() };
  })();
  await page.route("**/v1/guardrails/replay", async (route) => {
    await held;
    await route.abort().catch(() => undefined);
  });
  await impact.getByRole("button", { name: "Run" }).press("Enter");
  await expect(impact.getByRole("progressbar", { name: "Requests evaluated" })).toBeVisible();
  await expect(impact.getByRole("button", { name: "Cancel" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(impact.getByRole("button", { name: "Run" })).toBeFocused();
  await expect(impact.getByRole("progressbar")).toHaveCount(0);
  release();
  await page.unroute("**/v1/guardrails/replay");
  await page.route("**/v1/guardrails/replay", (route) =>
    route.fulfill({
      status: 429,
      json: { error: { code: 429, message: "Too many replays are running. Try again in a few seconds" } },
    }),
  );
  await impact.getByRole("button", { name: "Run" }).click();
  await expect(impact.getByRole("alert")).toContainText("Too many replays are running. Try again in a few seconds");
  await page.unroute("**/v1/guardrails/replay");
  await impact.getByRole("button", { name: "Run" }).click();
  await expect(impact).toContainText("No recorded requests match.");
});
