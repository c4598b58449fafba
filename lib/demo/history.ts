import { documentOf } from "./documents";
import { INJECTIONS, type Exchange } from "./exchanges";
import { pick, randomFrom } from "./random";
import { TEAMS, type DemoKey, type Team } from "./teams";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A request of the past, with what its upstreams do. */
export interface PlannedRequest {
  at: Date;
  team: Team;
  key: DemoKey;
  prompt: string;
  answer: string;
  user: string;
  sessionId: string;
  /** The requested model; further ones are fallbacks. */
  models: readonly [string, ...string[]];
  preset: string | null;
  isStreamed: boolean;
  isChat: boolean;
  isCancelled: boolean;
  /** Number of reasoning tokens. */
  reasoning: number;
  /** Number from 0 to 1 by which the request is faster or slower than others. */
  pace: number;
  /** Status with which the first upstream fails; null if it responds. */
  failure: number | null;
}

/** Shares of a day's requests by UTC hour. They add up to 1. */
const RHYTHMS: Readonly<Record<Team["rhythm"], readonly number[]>> = {
  office: hours([0, 0, 0, 0, 0, 1, 3, 7, 11, 12, 10, 7, 9, 11, 10, 8, 5, 3, 1, 1, 0.5, 0.3, 0, 0]),
  evenings: hours([1, 0.5, 0.3, 0.2, 0.3, 1, 3, 4, 4, 4, 4, 5, 6, 5, 4, 4, 5, 7, 9, 11, 11, 9, 5, 2]),
  nightly: hours([0, 6, 24, 24, 14, 2, 0, 0, 1, 2, 2, 1, 1, 2, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0]),
};

function hours(weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

const WEEKEND: Readonly<Record<Team["rhythm"], number>> = { office: 0.12, evenings: 1.3, nightly: 0.5 };
/** Share of the last day's traffic that the first day has. */
const FIRST_DAY = 0.7;
const RARE = 1 / 30;
const FAILURES = 0.008;
const CANCELLED = 0.01;
/** Share of requests for a model that the key's guardrail doesn't allow. */
const WRONG_MODEL = 0.01;
const WRONG = "openai/gpt-5.6-terra";
const STATUSES = [429, 500, 503, 529] as const;

/** Days before the end on which a provider fails for two hours. */
const OUTAGE = { provider: "google", daysAgo: 9, fromHour: 13, toHour: 15 } as const;
/** Time before the end since which the provider fails again, and one client sends injections. */
const INCIDENT_MS = 40 * MINUTE_MS;
const INCIDENT_REQUESTS = 26;

/**
 * Plans the requests of a period in order of time: days, nights and weekends of each team, growing towards the end. The
 * same seed and period give the same requests.
 */
export function* plannedRequests(seed: number, from: Date, to: Date): Generator<PlannedRequest, void> {
  for (let hour = Math.floor(from.getTime() / HOUR_MS); hour * HOUR_MS < to.getTime(); hour++) {
    const random = randomFrom(seed ^ Math.imul(hour, 0x9e3779b1));
    const requests = [...usual(hour, random, to), ...incident(hour, random, to)]
      .filter(({ at }) => at >= from && at < to)
      .toSorted((a, b) => a.at.getTime() - b.at.getTime());
    yield* requests;
  }
}

function* usual(hour: number, random: () => number, to: Date): Generator<PlannedRequest, void> {
  const start = new Date(hour * HOUR_MS);
  const isWeekend = [0, 6].includes(start.getUTCDay());
  const age = Math.max(0, (to.getTime() - start.getTime()) / (30 * DAY_MS));
  const growth = Math.max(FIRST_DAY, 1 - (1 - FIRST_DAY) * age);
  for (const team of TEAMS) {
    const share = RHYTHMS[team.rhythm][start.getUTCHours()] ?? 0;
    const expected = team.requests * share * (isWeekend ? WEEKEND[team.rhythm] : 1) * growth * (0.7 + 0.6 * random());
    const count = Math.floor(expected + random());
    for (let index = 0; index < count; index++) yield requestOf(team, start.getTime() + random() * HOUR_MS, random, to);
  }
}

/** Requests of the last minutes: clients retry against a provider that fails, and one sends injections. */
function* incident(hour: number, random: () => number, to: Date): Generator<PlannedRequest, void> {
  const begin = to.getTime() - INCIDENT_MS;
  const mobile = TEAMS.find(({ name }) => name === "Mobile");
  if (!mobile) return;
  for (let index = 0; index < INCIDENT_REQUESTS; index++) {
    const at = begin + ((index + 0.5) / INCIDENT_REQUESTS) * INCIDENT_MS;
    if (Math.floor(at / HOUR_MS) !== hour) continue;
    yield { ...requestOf(mobile, at, random, to), preset: null, isCancelled: false };
    yield {
      ...requestOf(mobile, at + 2_000, random, to),
      key: mobile.keys[0],
      prompt: pick(random, INJECTIONS),
      user: "customer-1066",
      sessionId: "customer-1066",
      isCancelled: false,
    };
  }
}

function requestOf(team: Team, time: number, random: () => number, to: Date): PlannedRequest {
  const at = new Date(Math.floor(time));
  const key = keyOf(team, random);
  const exchange = exchangeOf(team, random);
  const document = exchange.document ? `\n\n${documentOf(exchange.document, random)}` : "";
  // Few users send most requests.
  const user = `${team.users.prefix}-${1000 + Math.floor(team.users.count * random() ** 2)}`;
  const isWrong = random() < WRONG_MODEL && team.guardrail === "Office tools";
  const models = isWrong ? ([WRONG] as const) : key.models;
  const isDown = models[0].startsWith(`${OUTAGE.provider}/`) && fails(at, to);
  return {
    at,
    team,
    key,
    prompt: exchange.prompt + document,
    answer: exchange.answer,
    user,
    sessionId: `${user}-${at.toISOString().slice(0, 10)}`,
    models,
    preset: key.preset !== undefined && !isWrong && !isDown && random() < 0.6 ? key.preset : null,
    isStreamed: random() < 0.4,
    isChat: random() < 0.6,
    isCancelled: random() < CANCELLED,
    reasoning: Math.round(200 + 9_000 * random() ** 3),
    pace: random(),
    failure: isDown ? 503 : random() < FAILURES ? pick(random, STATUSES) : null,
  };
}

function fails(at: Date, to: Date): boolean {
  if (to.getTime() - at.getTime() < INCIDENT_MS) return true;
  const day = Math.floor(to.getTime() / DAY_MS) - OUTAGE.daysAgo;
  const hour = at.getUTCHours();
  return Math.floor(at.getTime() / DAY_MS) === day && hour >= OUTAGE.fromHour && hour < OUTAGE.toHour;
}

function keyOf({ keys }: Team, random: () => number): DemoKey {
  let rest = random() * keys.reduce((sum, { share }) => sum + share, 0);
  return keys.find(({ share }) => (rest -= share) < 0) ?? keys[0];
}

function exchangeOf({ exchanges }: Team, random: () => number): Exchange {
  const isRare = random() < RARE;
  const [first = exchanges[0], ...rest] = exchanges.filter((exchange) => (exchange.isRare ?? false) === isRare);
  return pick(random, [first, ...rest]);
}
