import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { PERMISSION_NAMES, WORKSPACE_PERMISSIONS } from "../../platform/permissions";
import { BUILT_IN_ROLES, ROLES } from "./vocabulary";

const [heading = [], , ...rows] = [...readFileSync("docs/roles.md", "utf8").matchAll(/^\|(.+)\|$/gm)].map(
  ([, row = ""]) => row.split("|").map((cell) => cell.trim()),
);

describe("the table of docs/roles.md", () => {
  it("has a row for each permission and a column for each role", () => {
    expect(rows.map(([name]) => name)).toEqual(PERMISSION_NAMES.map((name) => `\`${name}\``));
    expect(heading).toEqual(["Permission", ...ROLES.map((slug) => BUILT_IN_ROLES[slug].name), "In a workspace"]);
  });

  it.each(ROLES)("says what %s may do", (slug) => {
    const column = heading.indexOf(BUILT_IN_ROLES[slug].name);
    const documented = PERMISSION_NAMES.filter((_, index) => rows[index]?.[column] === "✓");
    expect(documented).toEqual(
      PERMISSION_NAMES.filter((name) => (BUILT_IN_ROLES[slug].permissions as readonly string[]).includes(name)),
    );
  });

  it("says which permissions a role in a workspace gives", () => {
    const documented = PERMISSION_NAMES.filter((_, index) => rows[index]?.at(-1) === "✓");
    expect(documented).toEqual(PERMISSION_NAMES.filter((name) => WORKSPACE_PERMISSIONS.includes(name)));
  });
});

it("gives an owner every permission, and an admin all but how members sign in", () => {
  expect(BUILT_IN_ROLES["org:owner"].permissions).toEqual(PERMISSION_NAMES);
  expect(
    PERMISSION_NAMES.filter((name) => !(BUILT_IN_ROLES["org:admin"].permissions as readonly string[]).includes(name)),
  ).toEqual(["sign_in:write"]);
});
