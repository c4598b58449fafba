import { expect, it } from "vitest";
import { keyHash } from "../platform/key-text";
import { verifyPassword } from "../records/members/password";
import { TEST_SETTINGS } from "../testing/context";
import { NOW, testDatabase } from "../testing/test-context";
import { bootstrap } from "./bootstrap";

it("creates organization, workspace, admin, management key and sandbox on an empty database, exactly once under concurrency", async () => {
  const { client: db } = await testDatabase();
  const made = await Promise.all(
    [1, 2, 3].map(() => bootstrap(db, { ...TEST_SETTINGS, adminPassword: undefined }, NOW)),
  );
  const shown = made.filter((result) => result !== null);
  expect(shown).toHaveLength(1);

  const organization = await db.organization.findFirstOrThrow({
    include: { workspaces: true, members: true, keys: true, providers: true, models: { include: { endpoints: true } } },
  });
  expect(organization.workspaces).toMatchObject([{ slug: "default", isDefault: true, contentLogging: true }]);
  expect(organization.providers.map(({ slug }) => slug)).toEqual(["sandbox"]);
  expect(organization.models.map(({ slug }) => slug).sort()).toEqual([
    "sandbox/echo",
    "sandbox/reasoner",
    "sandbox/unavailable",
  ]);
  expect(organization.models.every(({ endpoints }) => endpoints.length === 1)).toBe(true);
  const [admin] = organization.members;
  expect(admin?.mustChangePassword, "it was printed").toBe(true);
  expect(await verifyPassword(admin?.passwordHash, shown[0]?.adminPassword ?? "")).toBe(true);
  expect(organization.keys).toMatchObject([{ kind: "management", hash: keyHash(shown[0]?.managementKey ?? "") }]);
  expect(await bootstrap(db, TEST_SETTINGS, NOW)).toBeNull();
});
