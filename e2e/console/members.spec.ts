import { getMember } from "../../lib/records/members/contract";
import { unique } from "../world";
import { createPerson, expect, SIGNED_OUT, test } from "./console-test";

test("a member is invited, accepts in another browser, and becomes an admin @journey", async ({
  page,
  browser,
  api,
}) => {
  const email = `${unique("grace")}@example.com`;
  await page.goto("/members");
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Email" }).fill(email);
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  const url = await dialog.getByRole("textbox", { name: "Invitation link" }).inputValue();
  await page.keyboard.press("Escape");
  await expect(dialog, "the link is shown only once, so only Done closes the dialog").toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.getByRole("searchbox", { name: "Search members" }).fill(email);
  const row = page.getByRole("table", { name: "Members" }).getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("Invited");

  const other = await browser.newContext({ storageState: SIGNED_OUT });
  const theirs = await other.newPage();
  await theirs.goto(url);
  await theirs.getByRole("textbox", { name: "Last name" }).fill("Hopper");
  await theirs.getByLabel("Password").fill("correct horse battery");
  await theirs.getByRole("button", { name: "Accept and sign in" }).click();
  await expect(theirs.getByRole("button", { name: /^Account: .*Hopper/ })).toBeVisible();
  await other.close();

  await page.reload();
  await row.getByRole("link", { name: /Hopper/ }).click();
  const settings = page.getByRole("form", { name: "Settings" });
  await settings.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: /^Admin/ }).click();
  const tag = unique("office").toLowerCase();
  await settings.getByRole("textbox", { name: "Tags" }).fill(tag);
  await settings.getByRole("button", { name: "Save changes" }).click();
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await expect
    .poll(async () => (await api.call(getMember, { params: { user_id: id } })).data)
    .toMatchObject({ email, role: "org:admin", status: "active", tags: [tag], open_sessions: 0 });
  await expect(settings.getByRole("button", { name: "Save changes" })).toBeDisabled();
  await page.goto(`/members?tag=${tag}`);
  await expect(page.getByRole("table", { name: "Members" }).getByRole("row")).toHaveCount(2);
});

test("an invalid or taken email address is rejected on its field", async ({ page, api }) => {
  const { email } = await createPerson(api);
  await page.goto("/members");
  await page.getByRole("button", { name: "Invite member" }).click();
  const dialog = page.getByRole("dialog");
  const field = dialog.getByRole("textbox", { name: "Email" });
  await field.fill("nobody");
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  await expect(field).toHaveAccessibleDescription(/must be an email address/);
  await field.fill(email.toUpperCase());
  await dialog.getByRole("button", { name: "Create invitation" }).click();
  await expect(field).toHaveAccessibleDescription(/already exists/);
});

test("members are assigned a guardrail from the list; their page shows it and their policy", async ({
  page,
  world,
}) => {
  const [one, other, guardrail] = [
    await world.member(),
    await world.member(),
    await world.guardrail({ allowed_models: ["sandbox/echo"] }),
  ];
  await page.goto(`/members?workspace=${world.workspaceId}&q=${one.email}`);
  await page.getByRole("checkbox", { name: `Select ${one.email}` }).check();
  await page
    .getByRole("toolbar", { name: "Selected members" })
    .getByRole("button", { name: "Assign guardrail…" })
    .click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("option", { name: guardrail.name }).click();
  await dialog.getByRole("button", { name: /^Assign 1 member/ }).click();
  const table = page.getByRole("table", { name: "Members" });
  await expect(table.getByRole("link", { name: guardrail.name })).toBeVisible();

  await table.getByRole("link", { name: one.email }).click();
  await page.goto(`/members/${one.id}?workspace=${world.workspaceId}`);
  await expect(
    page.getByRole("region", { name: "Guardrails" }).getByRole("link", { name: guardrail.name }),
  ).toBeVisible();
  await expect(
    page.getByRole("region", { name: "Effective policy" }).getByRole("link", { name: `${guardrail.name}@1` }),
  ).toBeVisible();
  await page.goto(`/members/${other.id}?workspace=${world.workspaceId}`);
  await expect(page.getByRole("region", { name: "Effective policy" })).toContainText(
    "No restrictions apply to this member.",
  );
});

test("role and search narrow the list", async ({ page, api }) => {
  const [admin, member] = [await createPerson(api, "org:admin"), await createPerson(api)];
  const row = (email: string) =>
    page.getByRole("table", { name: "Members" }).getByRole("row").filter({ hasText: email });
  await page.goto(`/members?role=org:admin&q=${admin.email}`);
  await expect(row(admin.email)).toBeVisible();
  await page.goto(`/members?role=org:admin&q=${member.email}`);
  await expect(page.getByText("No results")).toBeVisible();
  await page.getByRole("button", { name: "Clear all filters" }).click();
  await expect(row("@")).not.toHaveCount(0);
});
