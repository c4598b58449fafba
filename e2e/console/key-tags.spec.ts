import { createResponse } from "../../lib/gateway/contract";
import { unique } from "../world";
import { expect, test } from "./console-test";

const body = { model: "sandbox/echo", input: "Hello" };

test("a key is tagged, found by its tag, and its usage is charged to each of its tags", async ({
  page,
  api,
  world,
}) => {
  const team = `team:${unique("search").toLowerCase()}`;
  const [tagged, other] = [await world.inferenceKey(), await world.inferenceKey()];
  await page.goto(`/keys/${tagged.hash}`);
  const settings = page.getByRole("form", { name: "Settings" });
  const tags = settings.getByRole("textbox", { name: "Tags" });
  await tags.fill("two:many:parts");
  await tags.press("Enter");
  await settings.getByRole("button", { name: "Save changes" }).click();
  await expect(tags).toHaveAccessibleDescription(/must be a name or name:value/);
  await settings.getByRole("button", { name: "Remove two:many:parts" }).click();
  for (const tag of [team, "batch"]) {
    await tags.fill(tag);
    await tags.press("Enter");
  }
  await settings.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByRole("region", { name: "Key", exact: true })).toContainText(team);

  await page.goto("/keys");
  const keys = page.getByRole("table", { name: "API keys" });
  await page.getByRole("button", { name: "Tag", exact: true }).click();
  await page.getByRole("combobox", { name: "Search tag" }).fill(team.slice(2));
  await page.getByRole("option", { name: team }).click();
  await expect(keys.getByRole("link", { name: tagged.name })).toBeVisible();
  await expect(keys.getByText(other.name)).toHaveCount(0);
  await page.getByRole("button", { name: "Clear Tag" }).click();
  await expect(page).not.toHaveURL(/tag=/);

  for (const { text } of [tagged, tagged, other]) await api.as(text).call(createResponse, { body });
  await page.goto(`/analytics?workspace=${world.workspaceId}&range=24h&measure=requests&by=tag`);
  const table = page.getByRole("table", { name: "Usage by tag" });
  await expect(table.getByRole("row")).toHaveText([/^Tag/, /^batch/, new RegExp(`^${team}`), /^No tag/]);
  await expect(page.getByText("A request counts under each tag of its key and its member.")).toBeVisible();
  await table.getByRole("link", { name: `Show 2 of ${team}` }).click();
  await expect(page).toHaveURL(/\/generations\?/);
  expect(new URL(page.url()).searchParams.get("tag")).toBe(team);
  await expect(page.getByRole("table", { name: "Generations" }).getByRole("row")).toHaveCount(3);
});
