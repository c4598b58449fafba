import { startReceiver } from "../webhook-receiver";
import { expect, test } from "./console-test";
import { ask, guardedKey } from "./generation-log";

test("a request that an external check rejects shows its reason, and offers no exception", async ({
  page,
  api,
  world,
}) => {
  const endpoint = await startReceiver();
  const { key } = await guardedKey(api, world, { external_checks: [{ name: "tone", url: endpoint.url }] });
  endpoint.answer(200, JSON.stringify({ action: "block", reason: "Mentions a secret project" }));
  const blocked = await ask(api, key);
  endpoint.answer(200, "not JSON");
  const failed = await ask(api, key);
  endpoint.stop();

  const record = page.getByRole("region", { name: "Decision record" });
  const stage = (title: string) =>
    record.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) });
  await page.goto(`/generations/${blocked}`);
  await expect(page.getByText("its external check “tone” rejected the request.")).toBeVisible();
  await expect(page.getByText("Masked: messages rejected by “tone”")).toBeVisible();
  await expect(page.getByRole("button", { name: "Grant exception to key…" })).toHaveCount(0);
  await expect(stage("Content filters")).not.toContainText("Stopped here");
  await expect(stage("Checks and judges")).toContainText("Stopped here");
  await expect(stage("Checks and judges")).toContainText("tone: Mentions a secret project");

  await page.goto(`/generations/${failed}`);
  await expect(stage("Checks and judges")).toContainText("tone: The response isn't valid JSON");
});
