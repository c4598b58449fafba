import { createGuardrail, getGuardrail, listGuardrails } from "../../lib/records/guardrails/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";
import { box, filterOf, openEditor, openSection } from "./guardrail-page";

test("saving offline reports an error, keeps the input, and works once online", async ({ page, api, context }) => {
  const content_filters = [{ pattern: "PROJ-[0-9]+", action: "redact" as const }];
  const { data: guardrail } = await api.call(createGuardrail, { body: { name: unique("Offline"), content_filters } });
  await openEditor(page, `/guardrails/${guardrail.id}`);
  await openSection(page, "Custom patterns");
  await box(page, "Description").fill("Typed in a tunnel");
  await box(filterOf(page, 1), "Label").fill("[TICKET]");
  await context.setOffline(true);
  await page.getByRole("button", { name: "Save changes" }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Your changes weren't saved" });
  await expect(alert).toContainText("This device is offline");
  await expect(box(page, "Description")).toHaveValue("Typed in a tunnel");
  await expect(box(filterOf(page, 1), "Label")).toHaveValue("[TICKET]");
  await expect(page.getByText("2 fields changed")).toBeVisible();
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const [notice, error] = [await page.getByText("You are offline.").boundingBox(), await alert.boundingBox()];
    expect((notice?.y ?? 0) + (notice?.height ?? 0), `over the bar at ${width} px`).toBeLessThan(error?.y ?? 0);
  }

  await context.setOffline(false);
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Revision 2", { exact: true })).toBeVisible();
  await expect(alert).toHaveCount(0);
  expect((await api.call(getGuardrail, { params: { id: guardrail.id } })).data).toMatchObject({
    description: "Typed in a tunnel",
    content_filters: [{ pattern: "PROJ-[0-9]+", label: "[TICKET]" }],
  });
});

test("a failed creation keeps the form, and retrying creates one guardrail", async ({ page, api }) => {
  const name = unique("Once");
  await openEditor(page, "/guardrails/new");
  await box(page, "Name").fill(name);
  await page.route("**/v1/guardrails", (route) =>
    route.request().method() === "POST"
      ? route.fulfill({ status: 500, json: { error: { code: 500, message: "Internal error" } } })
      : route.fallback(),
  );
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Internal error" })).toBeVisible();
  await expect(box(page, "Name")).toHaveValue(name);
  await page.unroute("**/v1/guardrails");
  await page.getByRole("button", { name: "Create guardrail" }).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  const { total_count } = await api.call(listGuardrails, { query: { q: name } });
  expect(total_count).toBe(1);
});
