import { createResponse } from "../../lib/gateway/contract";
import { listAuditEvents } from "../../lib/platform/audit/contract";
import { resetMemberPassword } from "../../lib/records/members/contract";
import { createPresetFromResponses } from "../../lib/records/presets/contract";
import { unique } from "../world";
import { createPerson, expect, signIn, SIGNED_OUT, test } from "./console-test";

test("a member sees their own data read-only and gets access errors elsewhere", async ({
  browser,
  api,
  world,
  serverUrl,
}) => {
  const person = await createPerson(api);
  const [own, foreign] = await Promise.all([
    world.inferenceKey({ creator_user_id: person.id, limit: 2 }),
    world.inferenceKey(),
  ]);
  const body = { model: "sandbox/echo", input: "Hello" };
  const [mine, theirs] = await Promise.all(
    [own, foreign].map(async ({ text }) => api.as(text).call(createResponse, { body })),
  );
  const slug = unique("for-everybody");
  await api.call(createPresetFromResponses, { params: { slug }, body });
  const context = await browser.newContext({ storageState: await signIn(serverUrl, person) });
  const page = await context.newPage();

  await page.goto("/keys");
  const keys = page.getByRole("table", { name: "API keys" });
  await expect(keys.getByRole("row").filter({ hasText: own.name })).toBeVisible();
  await expect(keys.getByText(foreign.name)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "New key" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Actions for/ })).toHaveCount(0);
  await expect(page.getByRole("checkbox")).toHaveCount(0);

  await keys.getByRole("link", { name: own.name }).click();
  await expect(page.getByRole("heading", { level: 1, name: own.name })).toBeVisible();
  await expect(page.getByRole("meter", { name: "Key's own limit" })).toBeVisible();
  await expect(
    page.getByRole("table", { name: "Recent generations" }).getByRole("link", { name: mine?.id }),
  ).toBeVisible();
  for (const action of [/Rotate/, /Disable/, /Delete/, /guardrail/, /Save/])
    await expect(page.getByRole("button", { name: action })).toHaveCount(0);
  await page.goto(`/keys/${foreign.hash}`);
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();

  await page.goto(`/presets/${slug}`);
  await expect(page.getByRole("heading", { level: 1, name: slug })).toBeVisible();
  await page.goto(`/generations/${mine?.id}`);
  await expect(page.getByRole("region", { name: "Content" })).toContainText("You need the permission contents:read");
  await page.goto("/");
  await expect(page.getByRole("group", { name: "Figures" })).toBeVisible();
  await page.goto(`/generations/${theirs?.id}`);
  await expect(page.getByRole("alert").filter({ hasText: "Not found" })).toBeVisible();
  for (const [path, subject] of [
    ["/guardrails", "guardrails"],
    ["/members", "members"],
    [`/members/${person.id}`, "this member"],
  ]) {
    await page.goto(path ?? "");
    await expect(page.getByRole("alert").filter({ hasText: `You don’t have access to ${subject}` })).toBeVisible();
  }
  // Only pages that the member opened without access are audited as denied.
  const denied = async () => {
    const { data } = await api.call(listAuditEvents, { query: { actor_id: person.id, action: "access.deny" } });
    return [...new Set(data.map(({ target }) => target.id))].toSorted();
  };
  await expect.poll(denied).toContain("getOrganizationMember");
  expect(await denied()).toEqual(["getOrganizationMember", "listGuardrails", "listOrganizationMembers"]);
  await context.close();
});

test.describe("an invitation", () => {
  test.use({ storageState: SIGNED_OUT });

  test("works once", async ({ page, world, api }) => {
    const { id } = await world.member();
    const { reset_url } = await api.call(resetMemberPassword, { params: { user_id: id } });
    const accept = async (password: string) => {
      await page.goto(reset_url);
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Accept and sign in" }).click();
    };
    await accept("correct horse battery");
    await expect(page.getByRole("button", { name: /^Account:/ })).toBeVisible();
    await accept("another password");
    await expect(page.getByRole("alert").filter({ hasText: "This invitation is no longer valid" })).toBeVisible();
  });
});
