import { expect, it } from "vitest";
import { withNames } from "./known-names";

const NAMES = new Map([
  ["user_1", "Grace Hopper"],
  ["k1", "Triage"],
]);

it.each([
  [{ creator_user_id: "user_1" }, { creator_user_id: "Grace Hopper (user_1)" }],
  [{ key_hashes: ["k1", "k2"] }, { key_hashes: ["Triage (k1)", "k2"] }],
  [
    { id: "k1", hash: "k1", name: "Triage" },
    { id: "k1", hash: "k1", name: "Triage" },
  ],
  [
    { assigned: [{ user: { member: "user_1" }, limit: 1, note: null }] },
    { assigned: [{ user: { member: "Grace Hopper (user_1)" }, limit: 1, note: null }] },
  ],
  [null, null],
])("%j becomes %j", (record, expected) => {
  expect(withNames(record, NAMES)).toEqual(expected);
});
