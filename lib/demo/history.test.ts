import { expect, it } from "vitest";
import { plannedRequests } from "./history";

/** A Sunday. */
const TO = new Date("2026-11-29T02:00:00Z");
const DAY_MS = 24 * 60 * 60_000;
const FROM = new Date(TO.getTime() - 30 * DAY_MS);
const planned = [...plannedRequests(1, FROM, TO)];
const countOn = (day: string) => planned.filter(({ at }) => at.toISOString().startsWith(day)).length;
const between = (from: string, to: string) => planned.filter(({ at }) => at >= new Date(from) && at < new Date(to));

it("plans the same requests for the same seed and period, and others for another seed", () => {
  const again = [...plannedRequests(1, FROM, TO)];
  expect(again).toEqual(planned);
  expect([...plannedRequests(2, FROM, TO)].map(({ prompt }) => prompt)).not.toEqual(
    planned.map(({ prompt }) => prompt),
  );
});

it("plans the same hours if an earlier run ended between", () => {
  const from = new Date("2026-11-20T00:00:00Z");
  expect([...plannedRequests(1, from, TO)]).toEqual(planned.filter(({ at }) => at >= from));
});

it("plans requests in order of time, within the period", () => {
  const times = planned.map(({ at }) => at.getTime());
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(times.every((time) => time >= FROM.getTime() && time < TO.getTime())).toBe(true);
});

it("has fewer requests at weekends and at night, and more from week to week", () => {
  expect(countOn("2026-11-21")).toBeLessThan(countOn("2026-11-20") * 0.7);
  const day = between("2026-11-25T08:00:00Z", "2026-11-25T12:00:00Z").filter(({ team }) => team.name === "Support");
  const night = between("2026-11-25T22:00:00Z", "2026-11-26T02:00:00Z").filter(({ team }) => team.name === "Support");
  expect(night.length).toBeLessThan(day.length / 4);
  const week = (monday: string) => between(monday, new Date(Date.parse(monday) + 5 * DAY_MS).toISOString()).length;
  expect(week("2026-11-23T00:00:00Z")).toBeGreaterThan(week("2026-11-02T00:00:00Z") * 1.1);
});

it("has an outage of a provider, and an incident at the end", () => {
  const google = ({ models: [model] }: (typeof planned)[number]) => model.startsWith("google/");
  const outage = between("2026-11-20T13:00:00Z", "2026-11-20T15:00:00Z").filter(google);
  expect(outage.length).toBeGreaterThan(0);
  expect(outage.every(({ failure }) => failure === 503)).toBe(true);
  const incident = between("2026-11-29T01:20:00Z", "2026-11-29T02:00:00Z");
  expect(incident.filter(({ failure }) => failure === 503).length).toBeGreaterThan(10);
  expect(incident.filter(({ user }) => user === "customer-1066").length).toBeGreaterThan(10);
});
