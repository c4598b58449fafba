import { setTimeout as sleep } from "node:timers/promises";
import { createChatCompletion, createResponse } from "../lib/gateway/contract";
import type { Operation } from "../lib/platform/http/operation";
import { listGenerations } from "../lib/records/generations/contract";
import { createGuardrail, listGuardrails, updateGuardrail } from "../lib/records/guardrails/contract";
import { updateKey } from "../lib/records/keys/contract";
import { updateProvider } from "../lib/records/providers/contract";
import { ErrorBody, pathOf, type LooselySent } from "./api-client";
import type { FakeAnswer } from "./fake-provider-answers";
import type { Received } from "./fake-provider";
import { MANAGEMENT_KEY } from "./server";
import { unique, type NewKey } from "./world";

/** Returns a seeded generator of random natural numbers below a bound. */
export function naturals(seed: number): (bound: number) => number {
  let state = seed >>> 0;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Maximum time for which a decision may use an older policy. */
const CURRENT_MS = 1000;
const FAILURE_STATUSES: readonly number[] = [502, 503, 524, 529];
const MOST_TOKENS = 1000;
/** A token costs 0.001 USD, so that a request reserves 1 USD and costs less. */
export const PRICE = { prompt: "0", completion: "1000" };
const MICRO_USD_PER_TOKEN = 1000;
export const RESERVED_MICRO_USD = MOST_TOKENS * MICRO_USD_PER_TOKEN;

interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** False when the connection broke within the body. */
  isWhole: boolean;
  sentAt: number;
  endedAt: number;
}

/** A failed request. The status is null when its connection broke, even within a stream. */
export interface Failed {
  operation: string;
  status: number | null;
  reason: string;
  sentAt: number;
  endedAt: number;
}

/** A policy setting whose version a request reveals. */
interface Fact {
  write: (n: number) => [Operation, LooselySent];
  /** By version: when its write began, and when it succeeded. */
  versions: { begunAt: number; answeredAt: number }[];
}
type FactName = "credentials" | "label" | "key";

interface Acknowledged {
  id: string;
  costMicroUsd: number;
}

interface TrafficOptions {
  /** Base URLs in the order in which a request tries them. The next one is tried only after a refused connection. */
  urls: () => readonly string[];
  /** Without a proxy, a client sees the broken connections of a killed process. */
  isDirect: boolean;
  random: (bound: number) => number;
  model: string;
  provider: string;
  /** The guardrail of all keys. */
  guardrailId: string;
  workspaceId: string;
  keys: { main: NewKey; toggled: NewKey; limited: readonly NewKey[] };
}

const PATTERN = "TICKET-[0-9]{4}";
export const filterOf = (n: number) => [{ pattern: PATTERN, label: `[VERSION-${n}]`, action: "redact" as const }];
export const apiKeyOf = (n: number) => `version-${n}`;
const isRefused = (error: unknown) => ((error as { cause?: { code?: string } }).cause?.code ?? "") === "ECONNREFUSED";
const numberIn = (text: string, pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? -1);

/** Random requests and policy changes, with everything that their responses acknowledge or violate. */
export class Traffic {
  readonly acknowledged: Acknowledged[] = [];
  readonly created: string[] = [];
  readonly failed: Failed[] = [];
  /** Violated guarantees, one sentence each. */
  readonly violations: string[] = [];
  readonly counts = { requests: 0, succeeded: 0, exhausted: 0, refusedKeys: 0, changes: 0 };
  readonly succeededAt: number[] = [];
  readonly #facts: Record<FactName, Fact>;
  /** Versions that the upstream saw, by job. */
  readonly #seen = new Map<string, { credentials: number; label: number }>();
  #jobs = 0;
  #isOver = false;

  constructor(readonly options: TrafficOptions) {
    const { provider, guardrailId, keys } = options;
    const first = () => [{ begunAt: -Infinity, answeredAt: -Infinity }];
    this.#facts = {
      credentials: {
        write: (n) => [updateProvider, { params: { slug: provider }, body: { api_key: apiKeyOf(n) } }],
        versions: first(),
      },
      label: {
        write: (n) => [updateGuardrail, { params: { id: guardrailId }, body: { content_filters: filterOf(n) } }],
        versions: first(),
      },
      key: {
        write: (n) => [updateKey, { params: { hash: keys.toggled.hash }, body: { disabled: n % 2 === 1 } }],
        versions: first(),
      },
    };
  }

  /** Responds as a job requests, and records the policy that the request reveals. */
  readonly upstream = ({ body, headers }: Received): FakeAnswer => {
    const text = JSON.stringify(body);
    this.#seen.set(/job-\d+-/.exec(text)?.[0] ?? "", {
      credentials: numberIn(headers.authorization ?? "", /version-(\d+)$/),
      label: numberIn(text, /\[VERSION-(\d+)\]/),
    });
    return {
      text: "one two three four",
      usage: { input: 10, output: numberIn(text, /tokens=(\d+)/) },
      firstByteMs: numberIn(text, /delay=(\d+)/),
      eventMs: 10,
    };
  };

  start(): Promise<unknown> {
    const lanes = [this.#ask, this.#ask, this.#ask, this.#change, this.#manage];
    return Promise.all(
      lanes.map(async (step) => {
        while (!this.#isOver) {
          await step();
          await sleep(this.options.random(30));
        }
      }),
    );
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Sends one request; null when it failed, which is recorded. */
  async #send(operation: Operation, sent: LooselySent, key: string, idempotencyKey?: string): Promise<Reply | null> {
    this.counts.requests += 1;
    const sentAt = performance.now();
    const init: RequestInit = {
      method: operation.method,
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        // Without a proxy, a process that stops can close a kept connection just when a request is sent.
        ...(this.options.isDirect && { connection: "close" }),
        ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
      },
      ...(sent.body !== undefined && { body: JSON.stringify(sent.body) }),
    };
    const fail = (status: number | null, reason: string) => {
      this.failed.push({ operation: operation.id, status, reason, sentAt, endedAt: performance.now() });
      return null;
    };
    let reply: Reply | null = null;
    for (const url of this.options.urls()) {
      try {
        const response = await fetch(`${url}/v1${pathOf(operation, sent)}`, init);
        const { status, headers } = response;
        let [text, isWhole] = ["", true];
        try {
          const decoder = new TextDecoder();
          for await (const bytes of response.body ?? []) text += decoder.decode(bytes, { stream: true });
        } catch {
          isWhole = false;
        }
        reply = { status, headers, text, isWhole, sentAt, endedAt: performance.now() };
        break;
      } catch (error) {
        const cause = String((error as { cause?: unknown }).cause);
        if (!isRefused(error)) return fail(null, `no answer: ${cause}`);
      }
    }
    if (!reply) return fail(null, "every process refused the connection");
    const isStream = reply.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
    if (reply.status === 200 && isStream && !(reply.isWhole && reply.text.includes("data: [DONE]")))
      return fail(null, reply.isWhole ? `a stream ended early: ${reply.text.slice(-300)}` : "a stream broke off");
    if (!reply.isWhole) {
      if (!this.options.isDirect) this.violations.push(`${operation.id}: an answer of the proxy broke off`);
      return fail(null, "an answer broke off");
    }
    if (reply.status < 500) return reply;
    this.#checkFailure(operation, reply);
    return fail(reply.status, reply.text);
  }

  #checkFailure({ id }: Operation, { status, headers, text }: Reply): void {
    const isShaped = (() => {
      try {
        return ErrorBody.parse(JSON.parse(text)).error.code === status;
      } catch {
        return false;
      }
    })();
    const hasRetryAfter = Number(headers.get("retry-after")) > 0;
    if (!FAILURE_STATUSES.includes(status) || !isShaped || !hasRetryAfter)
      this.violations.push(`${id}: ${status}, Retry-After ${headers.get("retry-after")}: ${text.slice(0, 300)}`);
  }

  /** One inference request. */
  readonly #ask = async (): Promise<void> => {
    const { random, model, keys } = this.options;
    const job = `job-${this.#jobs++}-`;
    const tokens = 1 + random(MOST_TOKENS);
    const prompt = `${job} tokens=${tokens} delay=${random(200)} TICKET-0001`;
    const kind = random(10);
    const key = kind < 6 ? keys.main : kind < 7 ? keys.toggled : (keys.limited[random(keys.limited.length)] as NewKey);
    const messages = [{ role: "user", content: prompt }];
    const form = random(3);
    const reply = await this.#send(
      form === 0 ? createResponse : createChatCompletion,
      {
        body:
          form === 0
            ? { model, input: prompt, max_output_tokens: MOST_TOKENS }
            : { model, messages, max_tokens: MOST_TOKENS, stream: form === 1 },
      },
      key.text,
    );
    if (!reply) {
      await sleep(100);
      return;
    }
    const { status, headers, text, sentAt } = reply;
    if (key === keys.toggled) this.#checkVersion("key", status === 401 ? 1 : 0, sentAt);
    if (status === 401 && key === keys.toggled) {
      this.counts.refusedKeys += 1;
      return;
    }
    const id = headers.get("x-generation-id") ?? "none";
    if (status === 403 && keys.limited.includes(key) && text.includes("Budget exhausted")) {
      this.counts.exhausted += 1;
      this.acknowledged.push({ id, costMicroUsd: 0 });
      return;
    }
    if (status !== 200) {
      this.violations.push(`an inference request got ${status}: ${text.slice(0, 300)}`);
      return;
    }
    this.counts.succeeded += 1;
    this.succeededAt.push(reply.endedAt);
    this.acknowledged.push({ id, costMicroUsd: tokens * MICRO_USD_PER_TOKEN });
    const seen = this.#seen.get(job);
    this.#checkVersion("credentials", seen?.credentials ?? -1, sentAt);
    this.#checkVersion("label", seen?.label ?? -1, sentAt);
  };

  /** Records a decision by a version that was replaced more than a second before the request was sent. */
  #checkVersion(name: FactName, seen: number, sentAt: number): void {
    const { versions } = this.#facts[name];
    const oldest = versions.findLastIndex(({ answeredAt }) => answeredAt <= sentAt - CURRENT_MS);
    const isAllowed = versions.some((_, n) => n >= oldest && (name === "key" ? n % 2 === seen : n === seen));
    if (isAllowed) return;
    const age = sentAt - (versions[oldest]?.answeredAt ?? NaN);
    this.violations.push(
      `${name}: version ${seen} was used ${Math.round(age)} ms after version ${oldest} was answered`,
    );
  }

  /** Makes one policy change, and retries until it succeeds: a failed attempt may have taken effect. */
  readonly #change = async (): Promise<void> => {
    const names = Object.keys(this.#facts) as FactName[];
    const { write, versions } = this.#facts[names[this.options.random(names.length)] as FactName];
    const n = versions.length;
    const version = { begunAt: performance.now(), answeredAt: Infinity };
    versions.push(version);
    for (;;) {
      const reply = await this.#send(...write(n), MANAGEMENT_KEY);
      if (reply?.status === 200) break;
      if (reply) this.violations.push(`a change got ${reply.status}: ${reply.text.slice(0, 300)}`);
      if (reply) break;
      await sleep(100);
    }
    version.answeredAt = performance.now();
    this.counts.changes += 1;
  };

  /** Requests a list or an idempotent creation, and retries until it succeeds. */
  readonly #manage = async (): Promise<void> => {
    const { random, workspaceId } = this.options;
    const isList = random(2) === 0;
    const name = unique("made");
    const idempotencyKey = unique("once");
    for (;;) {
      const reply = isList
        ? await this.#send(random(2) === 0 ? listGuardrails : listGenerations, { query: { limit: 5 } }, MANAGEMENT_KEY)
        : await this.#send(
            createGuardrail,
            { body: { name, workspace_id: workspaceId } },
            MANAGEMENT_KEY,
            idempotencyKey,
          );
      if (reply && reply.status > 201)
        this.violations.push(`management got ${reply.status}: ${reply.text.slice(0, 300)}`);
      if (reply?.status === 201) this.created.push(name);
      if (reply) return;
      await sleep(100);
    }
  };
}
