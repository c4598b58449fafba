import { FILLED_DATABASE, fillInstall } from "./large-install";
import { MODEL, type Lab, type Program } from "./lab";
import type { Contender } from "./measure";
import { DIFFERENT_PROMPTS, PROMPT } from "./prompts";

/** A ratio of requests per second that the project aims for. */
export interface Bar {
  of: string;
  against: string;
  atLeast: number;
}

export interface Scenario {
  title: string;
  connections: number;
  bars: readonly Bar[];
  /** The first is what the others are compared with. */
  contenders: (lab: Lab) => Promise<Contender[]>;
}

export const FLOOR = "floor";
export const SIGNALBOX = "Signalbox";
const PORTKEY = "Portkey";
const [BARE, READ, LIST, WRITE] = ["node:http + pg", "GET one", "GET 50", "POST"] as const;
const [EMPTY, FILLED, EMBEDDED] = ["empty install", "filled install", "embedded"] as const;

const chat = (content: string) => ({ model: MODEL, messages: [{ role: "user", content }] });
const CHAT = [chat(PROMPT)];
const STREAM = [{ ...chat(PROMPT), stream: true }];
const DIFFERENT_CHATS = DIFFERENT_PROMPTS.map(chat);
/** A stream without end: the upstream answers `max_tokens: 1` with one word, and then waits. */
export const IDLE_STREAM = { ...STREAM[0], max_tokens: 1 };
const patterns = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ pattern: `secret${index}-[0-9]+`, action: "block" }));
const BUILTINS = [
  "regex-prompt-injection",
  "email",
  "phone",
  "ssn",
  "credit-card",
  "ip-address",
  "person-name",
  "address",
];
const ONE_PATTERN = { content_filters: patterns(1) };
const MANY_FILTERS = {
  content_filters: patterns(20),
  content_filter_builtins: BUILTINS.map((slug) => ({ slug, action: "redact" })),
};
const GUARDRAIL = {
  name: "Production",
  description: "What customer-facing services may do",
  allowed_models: ["openai/gpt-4.1", "anthropic/claude-sonnet-4"],
  limit_usd: 250,
  reset_interval: "monthly",
  enforce_zdr: true,
  content_filter_builtins: [{ slug: "email", action: "redact" }],
  content_filters: [{ pattern: "ticket-[0-9]+", label: "[TICKET]", action: "redact" }],
};
const GUARDRAILS = 60;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

const at = (path: string, { url }: Program) => `${url}/v1${path}`;
const chatOf = (programs: readonly Program[], key: string, bodies: readonly object[]) => ({
  urls: programs.map((program) => at("/chat/completions", program)),
  pids: programs.map(({ pid }) => pid),
  headers: bearer(key),
  bodies,
});
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

async function floor(
  lab: Lab,
  bodies: readonly object[],
  { patterns: count = 1, processes = 1 } = {},
): Promise<Contender> {
  const programs = await Promise.all(numbers(processes).map((index) => lab.floor(count, index)));
  return { name: FLOOR, ...chatOf(programs, programs[0]?.key ?? "", bodies) };
}

/** Checks one pattern and stores nothing. */
async function portkey(lab: Lab, bodies: readonly object[]): Promise<Contender> {
  const check = { "default.regexMatch": { rule: "secret0-[0-9]+", not: true }, deny: true };
  const config = { provider: "openai", custom_host: at("", lab.upstream), api_key: "x", input_guardrails: [check] };
  const { headers, ...rest } = chatOf([await lab.portkey()], "none", bodies);
  return { name: PORTKEY, ...rest, headers: { ...headers, "x-portkey-config": JSON.stringify(config) } };
}

interface Chosen {
  name?: string;
  database?: string;
  processes?: number;
  rules?: object;
  bodies?: readonly object[];
  /** Folder of another checkout. */
  root?: string;
}

/** Signalbox with a new key whose guardrail has the rules and a budget. */
async function signalbox(lab: Lab, bodies: readonly object[], chosen: Chosen = {}): Promise<Contender> {
  const { name = SIGNALBOX, database = "signalbox", processes = 1, rules = ONE_PATTERN, root } = chosen;
  const { call } = await lab.signalbox(database, 0, root);
  const { data: key, key: text } = (await call("POST", "/keys", { name: "Bench" })) as {
    data: { hash: string };
    key: string;
  };
  const budget = { limit_usd: 1_000_000, reset_interval: "monthly" };
  const guardrail = { name: "Bench", allowed_models: [MODEL], ...budget, ...rules };
  const { data } = (await call("POST", "/guardrails", guardrail)) as { data: { id: string } };
  await call("POST", `/guardrails/${data.id}/assignments/keys`, { key_hashes: [key.hash] });
  const programs = await Promise.all(numbers(processes).map((index) => lab.signalbox(database, index, root)));
  return { name, ...chatOf(programs, text, bodies) };
}

export const chatOfSignalbox = (lab: Lab, database: string): Promise<Contender> => signalbox(lab, CHAT, { database });

/** Creates guardrails for the list; returns the id of the last. */
async function addGuardrails(lab: Lab, database: string, root?: string): Promise<string> {
  const { call } = await lab.signalbox(database, 0, root);
  let id = "";
  for (const _ of numbers(GUARDRAILS))
    ({ id } = ((await call("POST", "/guardrails", GUARDRAIL)) as { data: { id: string } }).data);
  return id;
}

async function management(
  lab: Lab,
  name: string,
  path: string,
  { database = "signalbox", root, bodies }: Pick<Chosen, "database" | "root" | "bodies"> = {},
): Promise<Contender> {
  const install = await lab.signalbox(database, 0, root);
  return { name, urls: [at(path, install)], pids: [install.pid], headers: bearer(install.managementKey), bodies };
}

async function bare(lab: Lab, path: string, bodies?: readonly object[]): Promise<Contender> {
  const { url, pid } = await lab.bare("signalbox");
  return { name: BARE, urls: [`${url}${path}`], pids: [pid], bodies };
}

const inTurn = async (...makers: readonly (() => Promise<Contender>)[]): Promise<Contender[]> => {
  const made: Contender[] = [];
  for (const make of makers) made.push(await make());
  return made;
};

/** Reads come before writes, which make the lists longer. */
export const SCENARIOS = {
  answers: {
    title: "Whole answers: one pattern, budget, record",
    connections: 32,
    bars: [
      { of: SIGNALBOX, against: FLOOR, atLeast: 0.5 },
      { of: SIGNALBOX, against: PORTKEY, atLeast: 3 },
    ],
    contenders: (lab) =>
      inTurn(
        () => floor(lab, CHAT),
        () => portkey(lab, CHAT),
        () => signalbox(lab, CHAT),
      ),
  },
  filters: {
    title: "Whole answers: 8 builtins and 20 patterns on 1 kB (the floor has 20 patterns, Portkey one)",
    connections: 32,
    bars: [{ of: SIGNALBOX, against: PORTKEY, atLeast: 2 }],
    contenders: (lab) =>
      inTurn(
        () => floor(lab, CHAT, { patterns: 20 }),
        () => portkey(lab, CHAT),
        () => signalbox(lab, CHAT, { rules: MANY_FILTERS }),
      ),
  },
  "different-filters": {
    title: "The same with prompts that are all different",
    connections: 32,
    bars: [],
    contenders: (lab) =>
      inTurn(
        () => floor(lab, DIFFERENT_CHATS, { patterns: 20 }),
        () => portkey(lab, DIFFERENT_CHATS),
        () => signalbox(lab, DIFFERENT_CHATS, { rules: MANY_FILTERS }),
      ),
  },
  // Portkey 1.15.2 fails on every streamed answer of this upstream.
  streams: {
    title: "Streams of 50 chunks",
    connections: 32,
    bars: [{ of: SIGNALBOX, against: FLOOR, atLeast: 0.5 }],
    contenders: (lab) =>
      inTurn(
        () => floor(lab, STREAM),
        () => signalbox(lab, STREAM),
      ),
  },
  single: {
    title: "Whole answers over one connection",
    connections: 1,
    bars: [{ of: SIGNALBOX, against: PORTKEY, atLeast: 1 }],
    contenders: (lab) =>
      inTurn(
        () => floor(lab, CHAT),
        () => portkey(lab, CHAT),
        () => signalbox(lab, CHAT),
      ),
  },
  processes: {
    title: "Whole answers from one, two and three processes on one PostgreSQL",
    connections: 48,
    bars: [],
    contenders: (lab) =>
      inTurn(
        () => floor(lab, CHAT, { processes: 3 }),
        () => signalbox(lab, CHAT, { name: "one process", processes: 1 }),
        () => signalbox(lab, CHAT, { name: "two processes", processes: 2 }),
        () => signalbox(lab, CHAT, { name: "three processes", processes: 3 }),
      ),
  },
  embedded: {
    title: "Whole answers: embedded and PostgreSQL",
    connections: 32,
    bars: [{ of: EMBEDDED, against: SIGNALBOX, atLeast: 0.2 }],
    contenders: (lab) =>
      inTurn(
        () => signalbox(lab, CHAT),
        () => signalbox(lab, CHAT, { name: EMBEDDED, database: "embedded" }),
      ),
  },
  reads: {
    title: "Management reads: guardrails",
    connections: 32,
    bars: [{ of: READ, against: BARE, atLeast: 0.35 }],
    contenders: async (lab) => {
      const id = await addGuardrails(lab, "signalbox");
      return inTurn(
        () => bare(lab, `/${id}`),
        () => management(lab, READ, `/guardrails/${id}`),
        () => management(lab, LIST, "/guardrails?limit=50"),
      );
    },
  },
  writes: {
    title: "Management writes: a guardrail (bare: its row alone; ours: also its revision and audit event)",
    connections: 32,
    bars: [],
    contenders: (lab) =>
      inTurn(
        () => bare(lab, "/", [GUARDRAIL]),
        () => management(lab, WRITE, "/guardrails", { bodies: [GUARDRAIL] }),
      ),
  },
} satisfies Record<string, Scenario>;

/** Signalbox alone, of this checkout or of another: for profiles and comparisons. */
export const PROFILES = {
  answers: (lab: Lab, chosen?: Chosen) => signalbox(lab, CHAT, chosen),
  filters: (lab: Lab, chosen?: Chosen) => signalbox(lab, CHAT, { ...chosen, rules: MANY_FILTERS }),
  "different-filters": (lab: Lab, chosen?: Chosen) =>
    signalbox(lab, DIFFERENT_CHATS, { ...chosen, rules: MANY_FILTERS }),
  streams: (lab: Lab, chosen?: Chosen) => signalbox(lab, STREAM, chosen),
  reads: async (lab: Lab, { name = READ, database = "signalbox", root }: Chosen = {}) =>
    management(lab, name, `/guardrails/${await addGuardrails(lab, database, root)}`, { database, root }),
};

/** Contenders of `npm test`, where other gateways aren't installed. */
export const SHARE_CONTENDERS = {
  answers: (lab: Lab) =>
    inTurn(
      () => floor(lab, CHAT),
      () => signalbox(lab, CHAT),
    ),
  streams: SCENARIOS.streams.contenders,
};

const count = (value: number): string => Math.ceil(value).toLocaleString("en-US");

/** The same requests to an empty install and to one with that many generations, and keys and guardrails in proportion. */
export const sizeScenarios = (generations: number): Record<"size" | "size-reads", Scenario> => ({
  size: {
    title: `Whole answers: ${count(generations / 100)} keys, ${count(generations / 1000)} guardrails and ${count(generations)} generations`,
    connections: 32,
    bars: [{ of: FILLED, against: EMPTY, atLeast: 0.85 }],
    contenders: async (lab) => {
      await fillInstall(lab, generations);
      return inTurn(
        () => signalbox(lab, CHAT, { name: EMPTY, database: "empty" }),
        () => signalbox(lab, CHAT, { name: FILLED, database: FILLED_DATABASE }),
      );
    },
  },
  "size-reads": {
    title: `GET /v1/guardrails/{id}: ${count(generations / 100)} keys, ${count(generations / 1000)} guardrails and ${count(generations)} generations`,
    connections: 32,
    bars: [{ of: FILLED, against: EMPTY, atLeast: 0.85 }],
    contenders: async (lab) => {
      await fillInstall(lab, generations);
      const [empty, filled] = [await addGuardrails(lab, "empty"), await addGuardrails(lab, FILLED_DATABASE)];
      return inTurn(
        () => management(lab, EMPTY, `/guardrails/${empty}`, { database: "empty" }),
        () => management(lab, FILLED, `/guardrails/${filled}`, { database: FILLED_DATABASE }),
      );
    },
  },
});
