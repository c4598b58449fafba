import { updateGuardrail } from "../../lib/guardrails/contract";
import { createWorld } from "../world";
import { expect, test } from "./console-test";
import { act, ask, guardedKey } from "./generation-log";

test("a request is judged by today's policy: what changed is shown, what can't be known is said", async ({ page, api, world }) => {
  const { key, guardrail } = await guardedKey(api, world, { content_filter_builtins: [{ slug: "email", action: "redact" }] });
  const id = await ask(api, key, { input: "Tell ada@example.com about PROJ-1234" });
  await page.goto(`/generations/${id}`);
  await act(page, "Replay against today’s policy…");
  const dialog = page.getByRole("dialog", { name: "Replay against today's policy" });
  await expect(dialog).toContainText("What email replaced is not stored");
  await page.keyboard.press("Escape");

  await api.call(updateGuardrail, { params: { id: guardrail.id }, body: { content_filters: [{ pattern: "PROJ-[0-9]{4}", label: "[PROJECT]", action: "block" }] } });
  await act(page, "Replay against today’s policy…");
  await expect(dialog).toContainText("Then redacted, now blocked.");
  await expect(dialog.getByRole("group", { name: "Changes from Then to Today" })).toContainText(`blocked [PROJECT] by ${guardrail.name}`);
  await expect(dialog).toContainText("Request blocked by content filter: [PROJECT]");
});

test("without stored content there is nothing to judge, and a failure is told", async ({ page, api }) => {
  const silent = await createWorld(api, { content_logging: false });
  const bare = await ask(api, await silent.inferenceKey(), { input: "Between us" });
  await page.goto(`/generations/${bare}`);
  await expect(page.getByRole("region", { name: "Content" })).toContainText(/not stored|are gone/);
  await expect(page.getByText("Between us")).toHaveCount(0);
  await act(page, "Replay against today’s policy…");
  await expect(page.getByRole("dialog")).toContainText("This request can't be replayed");

  const loud = await createWorld(api);
  const id = await ask(api, await loud.inferenceKey());
  await page.route("**/v1/policy/check", (route) => route.fulfill({ status: 403, json: { error: { code: 403, message: "Not today" } } }));
  await page.goto(`/generations/${id}`);
  await act(page, "Replay against today’s policy…");
  await expect(page.getByRole("dialog").getByRole("alert")).toContainText("Not today");
});
