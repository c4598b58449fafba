import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../testing/random";
import { budgetOf } from "./budget";
import type { BudgetRule } from "./budget-rule";
import type { ReservationRequest } from "./admission";
import { LeaseLedger, type BudgetCharge } from "./lease-ledger";
import { LEASE_MS, RECALL_MS, type BudgetState } from "./lease";

const START = Date.parse("2026-11-20T10:00:00Z");
const LARGEST = 40n;

const ruleOf = (limitMicroUsd: bigint, own: Partial<BudgetRule> = {}): BudgetRule => ({
  source: null,
  sourceId: "11111111-1111-4111-8111-111111111111",
  subject: "key",
  subjectId: "k",
  limitMicroUsd,
  interval: null,
  includesByok: false,
  ...own,
});

interface Running {
  id: string;
  microUsd: bigint;
}

/** A statement that was sent, and what it does when the database executes it. */
interface Sent {
  charges: BudgetCharge[];
}

/** A process with its leases. */
interface Process {
  ledger: LeaseLedger;
  running: Running[];
  sent: Sent[];
}

/** One budget in a database, used by several processes. */
class Model {
  spent = 0n;
  recorded = 0n;
  at = START;
  leases = new Map<string, { microUsd: bigint; reserved: bigint; expiresAt: number }>();
  recalledAt: number | null = null;
  statements = 0;
  #ids = 0;
  processes: Process[];

  constructor(
    public limit: bigint,
    processes: number,
  ) {
    this.processes = Array.from({ length: processes }, () => this.start());
  }

  get now() {
    return new Date(this.at);
  }

  get budget() {
    return budgetOf(ruleOf(this.limit), this.now);
  }

  start(): Process {
    return { ledger: new LeaseLedger(() => `lease-${(this.#ids += 1)}`), running: [], sent: [] };
  }

  live() {
    return [...this.leases].filter(([, { expiresAt }]) => expiresAt > this.at);
  }

  leased() {
    return this.live().reduce((sum, [, { microUsd }]) => sum + microUsd, 0n);
  }

  /** Amount reserved by requests of living processes. */
  reserved() {
    return this.processes.flatMap(({ running }) => running).reduce((sum, { microUsd }) => sum + microUsd, 0n);
  }

  stateOf(ledger: LeaseLedger): BudgetState {
    const own = ledger.leaseIdOf(this.budget.id);
    const others = this.live().filter(([id]) => id !== own);
    return {
      spentMicroUsd: this.spent,
      othersMicroUsd: others.reduce((sum, [, { microUsd }]) => sum + microUsd, 0n),
      othersIdleMicroUsd: others.reduce(
        (sum, [, { microUsd, reserved }]) => (microUsd > reserved ? sum + microUsd - reserved : sum),
        0n,
      ),
      ownMicroUsd: this.live().find(([id]) => id === own)?.[1].microUsd ?? null,
      recalledAt: this.recalledAt,
    };
  }

  /** One request; `isLost` loses the answer of the statement after it was executed, `between` runs before its answer. */
  ask(process: Process, microUsd: bigint, { isLost = false, between = (): unknown => undefined } = {}): boolean {
    const request: ReservationRequest = {
      generationId: `gen-${(this.#ids += 1)}`,
      charges: [{ budget: this.budget, microUsd }],
      now: this.now,
    };
    const { ledger, running } = process;
    const one = { id: request.generationId, microUsd };
    if (ledger.reserve(request)) {
      running.push(one);
      const charges = ledger.startTopUp(request.charges);
      if (charges.length > 0) this.fill(process, [], [{ ...request, charges }], isLost, between);
      ledger.endTopUp(charges);
      return true;
    }
    const admission = this.fill(process, [request], [], isLost, between)?.admissions[0];
    if (!admission || "exhausted" in admission) return false;
    running.push(one);
    return true;
  }

  fill(
    { ledger }: Process,
    requests: ReservationRequest[],
    topUps: ReservationRequest[],
    isLost: boolean,
    between: () => unknown,
  ) {
    this.statements += 1;
    const decided = ledger.decide(requests, topUps, new Map([[this.budget.id, this.stateOf(ledger)]]), this.now);
    if (decided.recalled.length > 0) this.recalledAt = this.at;
    for (const { leaseId, addedMicroUsd, reservedMicroUsd, expiresAt } of decided.grants) {
      const known = this.leases.get(leaseId);
      this.leases.set(leaseId, {
        microUsd: (known?.microUsd ?? 0n) + addedMicroUsd,
        reserved: reservedMicroUsd,
        expiresAt: Math.max(known?.expiresAt ?? 0, expiresAt.getTime()),
      });
    }
    between();
    if (isLost) {
      ledger.cancel(requests, topUps);
      return null;
    }
    ledger.confirmGrants(decided.grants);
    return decided;
  }

  send({ ledger, running, sent }: Process, which: number, microUsd: bigint): void {
    const [ended] = running.splice(which % Math.max(1, running.length), 1);
    if (!ended) return;
    const costMicroUsd = microUsd < ended.microUsd ? microUsd : ended.microUsd;
    const settlement = { budgetId: this.budget.id, generationId: ended.id, costMicroUsd };
    sent.push({ charges: ledger.settle([settlement], this.now) });
  }

  /** Executes a statement that was sent. */
  execute({ ledger, sent }: Process, which: number, outcome: "known" | "unknown" | "failed"): void {
    const [statement] = sent.splice(which % Math.max(1, sent.length), 1);
    if (!statement) return;
    if (outcome !== "failed") {
      for (const { leaseId, costMicroUsd, returnedMicroUsd, reservedMicroUsd } of statement.charges) {
        this.spent += costMicroUsd;
        this.recorded += costMicroUsd;
        const lease = this.leases.get(leaseId ?? "");
        if (!lease) continue;
        lease.microUsd = lease.microUsd > returnedMicroUsd ? lease.microUsd - returnedMicroUsd : 0n;
        lease.reserved = reservedMicroUsd;
      }
    }
    ledger.confirmCharges(statement.charges, outcome === "known" ? null : this.now);
  }

  maintain({ ledger }: Process): void {
    const isRecalled = this.recalledAt !== null && this.at < this.recalledAt + RECALL_MS;
    const upkeep = ledger.maintain(new Set(isRecalled ? ledger.idle() : []), this.now);
    const written = new Set<string>();
    for (const { leaseId, grantedMicroUsd, reservedMicroUsd, expiresAt } of upkeep.changed) {
      const lease = this.leases.get(leaseId);
      if (!lease) continue;
      written.add(leaseId);
      lease.microUsd = lease.microUsd < grantedMicroUsd ? lease.microUsd : grantedMicroUsd;
      lease.reserved = reservedMicroUsd;
      lease.expiresAt = Math.max(lease.expiresAt, expiresAt.getTime());
    }
    for (const { leaseId } of upkeep.ended) this.leases.delete(leaseId);
    ledger.confirmUpdates(upkeep, written);
  }

  pass(ms: number): void {
    this.at += ms;
    for (const process of this.processes) this.maintain(process);
  }

  crash(index: number): void {
    this.processes[index] = this.start();
  }
}

const pick = fc.nat(100);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("ask" as const),
      process: pick,
      microUsd: fc.bigInt(1n, LARGEST),
      isLost: fc.nat(9).map((n) => n === 0),
      settles: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("send" as const),
      process: pick,
      which: pick,
      microUsd: fc.bigInt(0n, LARGEST),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("execute" as const),
      process: pick,
      which: pick,
      outcome: fc.constantFrom(
        "known" as const,
        "known" as const,
        "known" as const,
        "unknown" as const,
        "failed" as const,
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.integer({ min: 1, max: 25_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const), process: pick }) },
);

describe("the leases of several processes", () => {
  it("with their spend exceed the limit by at most one reservation, and the spend is the sum of the recorded costs", () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 3_000n),
        fc.integer({ min: 1, max: 4 }),
        fc.array(step, { maxLength: 120 }),
        (limit, count, steps) => {
          const model = new Model(limit, count);
          for (const one of steps) {
            const index = "process" in one ? one.process % count : 0;
            const process = model.processes[index] as Process;
            if (one.kind === "ask") {
              const before = model.spent + model.leased();
              const between = () => {
                if (one.settles)
                  for (let count = process.running.length; count > 0; count--) model.send(process, 0, LARGEST);
              };
              const isAdmitted = model.ask(process, one.microUsd, { isLost: one.isLost, between });
              if (before >= limit && count === 1 && model.reserved() === 0n) expect(isAdmitted).toBe(false);
            } else if (one.kind === "send") model.send(process, one.which, one.microUsd);
            else if (one.kind === "execute") model.execute(process, one.which, one.outcome);
            else if (one.kind === "pass") model.pass(one.ms);
            else model.crash(index);

            expect(model.spent).toBe(model.recorded);
            expect(model.spent + model.leased()).toBeLessThan(limit + LARGEST);
            expect(model.spent + model.reserved()).toBeLessThan(limit + LARGEST);
            for (const { id, grantedMicroUsd } of model.processes.flatMap(({ ledger }) => ledger.leases()))
              expect(model.leases.get(id)?.microUsd ?? 0n).toBeGreaterThanOrEqual(grantedMicroUsd);
          }
        },
      ),
      { numRuns: cases(2_000) },
    );
  });

  it("never count more requests, or run more of them at once, than a limit of either allows", () => {
    fc.assert(
      fc.property(
        fc.bigInt(0n, 40n),
        fc.integer({ min: 1, max: 3 }),
        // A request counts 1 when it has ended; one of the requests that run at once counts 0.
        fc.constantFrom(0n, 1n),
        fc.array(fc.tuple(pick, fc.constantFrom("ask", "end", "pass")), { maxLength: 150 }),
        (limit, count, costMicroUsd, steps) => {
          const model = new Model(limit, count);
          for (const [which, kind] of steps) {
            const process = model.processes[which % count] as Process;
            if (kind === "ask") model.ask(process, 1n);
            else if (kind === "pass") model.pass(500);
            else {
              model.send(process, which, costMicroUsd);
              model.execute(process, 0, "known");
            }
            expect(model.spent + model.reserved()).toBeLessThanOrEqual(limit);
          }
        },
      ),
      { numRuns: cases(2_000) },
    );
  });

  it("refuse no request that fits, once the other processes have answered a recall", () => {
    fc.assert(
      fc.property(
        fc.bigInt(1n, 3_000n),
        fc.integer({ min: 2, max: 4 }),
        fc.array(fc.tuple(pick, fc.bigInt(1n, LARGEST)), { maxLength: 60 }),
        (limit, count, requests) => {
          const model = new Model(limit, count);
          for (const [which, microUsd] of requests) {
            const process = model.processes[which % count] as Process;
            const fits = model.spent + model.reserved() < limit;
            let isAdmitted = model.ask(process, microUsd);
            if (!isAdmitted) {
              model.pass(500);
              isAdmitted = model.ask(process, microUsd);
            }
            if (fits) expect(isAdmitted).toBe(true);
          }
        },
      ),
    );
  });

  it("show what is reserved after their upkeep, in whatever order the statements of charges were executed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), fc.array(pick, { maxLength: 20 }), (count, order) => {
        const model = new Model(1_000_000n, 1);
        const [process] = model.processes as [Process];
        for (let done = 0; done < count; done++) model.ask(process, 10n);
        for (const which of order) {
          model.send(process, 0, 10n);
          if (which % 3 === 0) model.execute(process, which, "known");
        }
        while (process.sent.length > 0) model.execute(process, process.sent.length - 1, "known");
        model.maintain(process);
        expect([...model.leases.values()].map(({ reserved }) => reserved)).toEqual([model.reserved()]);
      }),
    );
  });

  it("are free again when a crashed process's lease has expired", () => {
    const model = new Model(1_000n, 2);
    const [crashing, other] = model.processes as [Process, Process];
    for (let count = 0; count < 60; count++) model.ask(crashing, 10n);
    const reserved = model.reserved();
    model.crash(0);
    expect(model.leased()).toBeGreaterThanOrEqual(reserved);
    model.pass(LEASE_MS);
    expect(model.leased()).toBe(0n);
    for (let count = 0; count < 100; count++) expect(model.ask(other, 10n)).toBe(true);
    expect(model.ask(other, 10n)).toBe(false);
  });

  it("need few statements: slices grow with the rate and are kept while requests end", () => {
    const model = new Model(10_000_000n, 1);
    const [process] = model.processes as [Process];
    for (let count = 0; count < 10_000; count++) {
      expect(model.ask(process, 100n)).toBe(true);
      if (process.running.length >= 32) {
        model.send(process, 0, 20n);
        model.execute(process, 0, "known");
      }
      if (count % 10 === 0) model.pass(10);
    }
    expect(model.statements).toBeLessThan(40);
  });

  it("hold no more than a share of what is left ahead of the running requests", () => {
    const model = new Model(10_000n, 3);
    for (let count = 0; count < 2_000; count++) model.ask(model.processes[count % 3] as Process, 7n);
    const left = model.limit - model.spent - model.leased();
    expect(left).toBeLessThanOrEqual(0n);
    expect(model.leased() - model.reserved()).toBeLessThan(8n * 7n * 3n);
  });
});

describe("a lease", () => {
  const now = new Date(START);
  const requestOf = (rule: BudgetRule, id: string, microUsd = 10n): ReservationRequest => ({
    generationId: id,
    charges: [{ budget: budgetOf(rule, now), microUsd }],
    now,
  });
  const state = (spentMicroUsd: bigint, ownMicroUsd: bigint | null = null): BudgetState => ({
    spentMicroUsd,
    othersMicroUsd: 0n,
    othersIdleMicroUsd: 0n,
    ownMicroUsd,
    recalledAt: null,
  });
  const leased = (rule: BudgetRule, spentMicroUsd = 0n) => {
    let ids = 0;
    const ledger = new LeaseLedger(() => `lease-${(ids += 1)}`);
    const request = requestOf(rule, "gen-first");
    const budgetId = budgetOf(rule, now).id;
    const decided = ledger.decide([request], [], new Map([[budgetId, state(spentMicroUsd)]]), now);
    ledger.confirmGrants(decided.grants);
    return { ledger, decided };
  };

  it("doesn't cover requests under a lower limit, but does under a higher one", () => {
    const { ledger } = leased(ruleOf(1_000n));
    expect(ledger.reserve(requestOf(ruleOf(999n), "gen-a"))).toBeNull();
    expect(ledger.reserve(requestOf(ruleOf(1_001n), "gen-b"))).toHaveLength(1);
  });

  it("says when only an exception makes a request possible", () => {
    const raise = { raiseMicroUsd: 1_000n } as NonNullable<BudgetRule["raises"]>[number];
    const raised = ruleOf(2_000n, { raises: [raise] });
    expect(leased(raised).ledger.reserve(requestOf(raised, "gen-a"))).toMatchObject([{ isBeyond: false }]);
    const beyond = leased(raised, 1_000n);
    expect(beyond.decided.admissions).toMatchObject([{ held: [{ isBeyond: true }] }]);
    expect(beyond.ledger.reserve(requestOf(raised, "gen-b"))).toMatchObject([{ isBeyond: true }]);
    expect(beyond.ledger.reserve(requestOf(ruleOf(1_000n), "gen-c"))).toBeNull();
  });

  it("covers nothing after its expiry, or after the spend was recomputed", () => {
    const { ledger } = leased(ruleOf(1_000n));
    const late = { ...requestOf(ruleOf(1_000n), "gen-late"), now: new Date(START + LEASE_MS) };
    expect(ledger.reserve(late)).toBeNull();
    expect(ledger.reserve(requestOf(ruleOf(1_000n), "gen-a"))).toHaveLength(1);
    ledger.outdate(budgetOf(ruleOf(1_000n), now).id);
    expect(ledger.reserve(requestOf(ruleOf(1_000n), "gen-b"))).toBeNull();
  });

  it("doesn't cover more because requests ended while the next grant was written", () => {
    const rule = ruleOf(100n);
    const { id: budgetId } = budgetOf(rule, now);
    const ledger = new LeaseLedger(() => "lease");
    const ask = (names: string[], between = (): unknown => undefined, at = state(0n)) => {
      const requests = names.map((name) => requestOf(rule, name, 20n));
      const decided = ledger.decide(requests, [], new Map([[budgetId, at]]), now);
      between();
      ledger.confirmGrants(decided.grants);
      return decided.admissions.map((admission) => "held" in admission);
    };
    const end = () => {
      const ended = ["a", "b"].map((generationId) => ({ budgetId, generationId, costMicroUsd: 20n }));
      ledger.confirmCharges(ledger.settle(ended, now), null);
    };
    expect(ask(["a", "b"])).toEqual([true, true]);
    expect(ask(["c", "d", "e"], end, state(0n, 40n))).toEqual([true, true, true]);
    expect(ledger.leases()).toMatchObject([{ grantedMicroUsd: 60n, reservedMicroUsd: 60n }]);
    expect(ledger.reserve(requestOf(rule, "f", 1n))).toBeNull();
  });

  it("charges a budget once for all requests that ended together", () => {
    const { ledger } = leased(ruleOf(1_000n));
    const { id: budgetId } = budgetOf(ruleOf(1_000n), now);
    ledger.reserve(requestOf(ruleOf(1_000n), "gen-second"));
    const charges = ledger.settle(
      ["gen-first", "gen-second", "gen-unknown"].map((generationId) => ({ budgetId, generationId, costMicroUsd: 3n })),
      now,
    );
    expect(charges).toMatchObject([{ budgetId, costMicroUsd: 9n, leaseId: "lease-1", reservedMicroUsd: 0n }]);
  });
});
