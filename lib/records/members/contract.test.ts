import { checkTable } from "../../testing/contract-table";
import { CreateMemberBody, UpdateMemberBody } from "./contract";

const member = (fields: unknown) => ({ email: "grace@example.com", role: "org:member", ...(fields as object) });

checkTable(
  "POST /organization/members",
  CreateMemberBody,
  [
    [
      "email must be valid",
      [{ email: "a@localhost" }, { email: " A@Example.com " }],
      [
        [{ email: "a" }, "email"],
        [{ email: "a b@example.com" }, "email"],
        [{ email: `${"a".repeat(243)}@example.com` }, "email"],
      ],
    ],
    [
      "role is one of two",
      [{ role: "org:admin" }],
      [
        [{ role: "admin" }, "role"],
        [{ role: undefined }, "role"],
      ],
    ],
    [
      "password has 8 to 200 characters",
      [{ password: "x".repeat(8) }, { password: "x".repeat(200) }],
      [
        [{ password: "x".repeat(7) }, "password"],
        [{ password: "x".repeat(201) }, "password"],
      ],
    ],
    ["unknown fields are rejected", [{ first_name: null, last_name: "Hopper" }], [[{ status: "active" }, "status"]]],
  ],
  member,
);

checkTable("PATCH /organization/members/{user_id}", UpdateMemberBody, [
  [
    "every field is optional, and the email address can't change",
    [{}, { role: "org:admin" }, { first_name: null }],
    [[{ email: "a@example.com" }, "email"]],
  ],
]);
