import { updateGuardrail } from "../../lib/records/guardrails/contract";
import { createWorld } from "../world";
import { expect, test } from "./console-test";
import { ask, guardedKey } from "./generation-log";

test("a request is re-evaluated under the original and the current policy, showing differences and the revision that caused them", async ({
  page,
  api,
  world,
}) => {
  const { key, guardrail } = await guardedKey(api, world, {
    content_filter_builtins: [{ slug: "email", action: "redact" }],
  });
  const id = await ask(api, key, { input: "Tell ada@example.com about PROJ-1234" });
  const body = {
    content_filters: [{ pattern: "PROJ-[0-9]{4}", label: "[PROJECT]", action: "block" as const }],
    revision_message: "Project codes stay inside",
  };
  await api.call(updateGuardrail, { params: { id: guardrail.id }, body });
  await page.goto(`/generations/${id}`);
  const why = page.getByRole("region", { name: "Re-evaluate" });
  await why.locator("summary").click();
  await why.getByRole("button", { name: "Original policy" }).click();
  await expect(why).toContainText("Sent redacted, same as recorded.");
  await expect(why).toContainText(`${guardrail.name}@1`);

  await why.getByRole("button", { name: "Current policy" }).click();
  await expect(why).toContainText("Original policy: sent redacted. Current policy: blocked.");
  await expect(why.getByRole("group", { name: "Changes from As recorded to Current policy" })).toContainText(
    `blocked [PROJECT] by ${guardrail.name}`,
  );
  await expect(why).toContainText("Request blocked by content filter: [PROJECT]");
  const changed = why.getByRole("region", { name: "Changes since then" });
  await expect(changed).toContainText("changed from revision 1 to 2");
  await expect(changed).toContainText("“Project codes stay inside”");
});

test("a new filter can't be re-evaluated without stored content; failures are shown", async ({ page, api }) => {
  const silent = await createWorld(api, { content_logging: false });
  const { key, guardrail } = await guardedKey(api, silent, {});
  const id = await ask(api, key, { input: "Between us" });
  await api.call(updateGuardrail, {
    params: { id: guardrail.id },
    body: { content_filters: [{ pattern: "us", action: "block" }] },
  });
  await page.goto(`/generations/${id}`);
  const why = page.getByRole("region", { name: "Re-evaluate" });
  await why.locator("summary").click();
  await why.getByRole("button", { name: "Current policy" }).click();
  await expect(why).toContainText("This request can’t be re-evaluated");
  await expect(page.getByText("Between us")).toHaveCount(0);
  await page.route("**/v1/generation/policy*", (route) =>
    route.fulfill({ status: 400, json: { error: { code: 400, message: "Not today" } } }),
  );
  await why.getByRole("button", { name: "Original policy" }).click();
  await expect(why).toContainText("Not today");
});
