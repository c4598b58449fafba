import { expect, it } from "vitest";
import { addressOf } from "./connection";

const DATABASE = "postgresql://user@db/app";

it.each([
  ["a server", DATABASE, undefined, { directUrl: DATABASE, sharesSessions: false, hasNames: true }],
  [
    "an old pooler alone",
    `${DATABASE}?pgbouncer=true`,
    undefined,
    { directUrl: null, sharesSessions: true, hasNames: false },
  ],
  [
    "an old pooler",
    `${DATABASE}?pgbouncer=true`,
    DATABASE,
    { directUrl: DATABASE, sharesSessions: true, hasNames: false },
  ],
  ["a pooler that knows names", DATABASE, DATABASE, { directUrl: DATABASE, sharesSessions: true, hasNames: true }],
  ["a switch that is off", `${DATABASE}?pgbouncer=false`, undefined, { sharesSessions: false, hasNames: true }],
])("connects to %s", (_, url, directUrl, expected) => {
  expect(addressOf(url, directUrl)).toMatchObject({ url, ...expected });
});
