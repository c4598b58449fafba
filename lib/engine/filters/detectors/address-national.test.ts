import { describe, expect, it } from "vitest";
import { ADDRESS_FORMS, missedAddresses, nationalAddresses } from "../../../testing/national-addresses";
import { detectAddress } from "./address";

/** Slightly below the measured values in bench/filter-accuracy.md. */
const FLOORS = {
  tuning: { "as written": 0.99, "lower case": 0.97, "no punctuation": 0.96, both: 0.96 },
  "held-out": { "as written": 0.96, "lower case": 0.87, "no punctuation": 0.91, both: 0.86 },
} as const;

describe.each(["tuning", "held-out"] as const)("addresses of 35 countries, %s half", (half) => {
  const countries = nationalAddresses(half);
  const addresses = countries.flatMap(([, list]) => list);

  it("has several of each country", () => {
    expect(countries).toHaveLength(35);
    expect(Math.min(...countries.map(([, list]) => list.length))).toBeGreaterThanOrEqual(half === "tuning" ? 3 : 2);
  });

  it.each(ADDRESS_FORMS)("reaches the documented recall %s", (form) => {
    const missed = missedAddresses(detectAddress, addresses, form);
    expect(1 - missed.length / addresses.length, missed.join("\n")).toBeGreaterThanOrEqual(FLOORS[half][form]);
  });

  it.each(countries)("finds those of %s as they are written", (_, list) => {
    const missed = missedAddresses(detectAddress, list, "as written");
    expect(missed.length, missed.join("\n")).toBeLessThanOrEqual(half === "tuning" ? 0 : 1);
  });
});

it.each([
  "up 14 on 62270",
  "requires 2000 square meters, 10000 bricks",
  "vom 14. November 1962 bis zum 2. Mai 2006 in Betrieb",
  "we met at 5 main street and in 2019 it was sold",
  "she walked 3 miles along the road to 20095 hamburg",
  "12 way handshake failed, error 10035",
  "const street = 12; const place = 94103;",
  'addr = "10.0.0.1"; via 192.168.0.1 dev eth0 metric 1024',
  "2026-11-22 10:15:32 INFO worker 12 drive c 40960 bytes free",
  "GET /rue/12?page=75009 200 1204 ms",
  "took 38 120 00 ms",
  "line 14 the value e2 is 3ab",
  "version 2-11-3 of meguro-ui, build 1530063",
  "chapter 8 main road safety, page 1070",
  "in 2000 antwerpen had 450000 people",
  "the 5 place holders in row 44000",
  "第12章 第3節 2021年",
])("finds none in %j", (text) => expect(detectAddress(text)).toEqual([]));
