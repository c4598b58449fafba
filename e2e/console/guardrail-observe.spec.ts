import type { CreateGuardrailBody } from "../../lib/records/guardrails/contract";
import { createResponse } from "../../lib/gateway/contract";
import { getObservations } from "../../lib/features/observations/contract";
import type { Api } from "../api-client";
import { expect, test } from "./console-test";
import { ask, guardedKey, row as logRow, sheet } from "./generation-log";
import { row } from "./guardrail-page";
import { expectAccessible } from "./page-checks";

const OBSERVING: Partial<CreateGuardrailBody> = {
  mode: "observe",
  content_filter_builtins: [{ slug: "email", action: "block" }],
};
const body = { model: "sandbox/echo", input: "Write to ada@example.com" };

/** Waits until the log has the request. */
const untilObserved = (api: Api, id: string) =>
  expect.poll(async () => (await api.call(getObservations, { params: { id } })).data.requests).toBe(1);

test("a guardrail observes what it would have blocked, and is enforced after a look at the requests @journey", async ({
  page,
  api,
  world,
}) => {
  const { key, guardrail } = await guardedKey(api, world, OBSERVING);
  const send = () => api.send(createResponse, { body }, { as: key.text });
  const passed = await send();
  expect(passed.status, "observed requests pass").toBe(200);
  expect(await passed.text()).toContain("ada@example.com");
  const id = passed.headers.get("x-generation-id") ?? "";
  await untilObserved(api, guardrail.id);

  await page.goto("/guardrails");
  await expect(row(page, guardrail.name)).toContainText("Observes");
  await page.goto(`/guardrails/${guardrail.id}`);
  const badge = page.getByRole("link", { name: "Observes" });
  await expect(badge).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Mode", exact: true })).toHaveText("Observe only");
  const observed = page.getByRole("region", { name: "Observed" });
  await expect(observed).toContainText("1 request would have been affected.");
  await expect(observed.getByRole("list", { name: "Observed keys" })).toContainText(key.name);
  await expectAccessible(page, "guardrail that observes");

  await observed
    .getByRole("table", { name: "Observed rules" })
    .getByRole("row")
    .filter({ hasText: "Block" })
    .getByRole("link", { name: "Email addresses" })
    .click();
  await expect(page).toHaveURL(/\/generations\?.*action=would_block/);
  await logRow(page, id).getByRole("link").click();
  const record = sheet(page).getByRole("region", { name: "Decision record" });
  await expect(record).toContainText("would have blocked");
  await expect(record).not.toContainText("Stopped here");
  await expectAccessible(page, "observed request");

  await page.goto(`/guardrails/${guardrail.id}`);
  await observed.getByRole("button", { name: "Enforce…" }).click();
  const question = page.getByRole("alertdialog", { name: `Enforce “${guardrail.name}”?` });
  await expectAccessible(page, "question before a guardrail is enforced");
  await question.getByRole("button", { name: "Enforce guardrail" }).click();
  await expect(page.getByText(`“${guardrail.name}” enforced`)).toBeVisible();
  await expect(badge).toHaveCount(0);
  await expect(observed).toHaveCount(0);
  await expect(page.getByRole("combobox", { name: "Mode", exact: true })).toHaveText("Enforce");
  const refused = await send();
  await refused.arrayBuffer();
  expect(refused.status).toBe(403);
});

test("nothing is observed in another time; a change of the mode is shown in words in the history", async ({
  page,
  api,
  world,
}) => {
  const { key, guardrail } = await guardedKey(api, world, OBSERVING);
  await ask(api, key, { input: body.input });
  await untilObserved(api, guardrail.id);
  await page.goto(`/guardrails/${guardrail.id}?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z`);
  const observed = page.getByRole("region", { name: "Observed" });
  await expect(observed).toContainText("Nothing would have been changed in this time.");
  await observed.getByRole("button", { name: /Time range/ }).click();
  await page.getByRole("button", { name: "Last 7 days" }).click();
  await expect(page).toHaveURL(/range=7d/);
  await expect(observed).toContainText("1 request would have been affected.");

  await page.getByRole("combobox", { name: "Mode", exact: true }).click();
  await page.getByRole("option", { name: "Enforce" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await expect(observed).toHaveCount(0);
  await page.goto(`/guardrails/${guardrail.id}/history`);
  await expect(page.getByRole("group", { name: "Changes from Revision 1 to Revision 2" })).toContainText(
    /Mode.*Observe only.*Enforce/,
  );
});
