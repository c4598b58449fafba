import fc from "fast-check";
import { expect, it } from "vitest";
import { admit } from "./admission";
import { budgetOf } from "./budget";
import type { BudgetRule } from "./budget-rule";

const NOW = new Date("2026-11-20T12:00:00Z");
const budget = (sourceId: string, limitMicroUsd: bigint) => {
  const rule: BudgetRule = {
    source: null,
    sourceId,
    subject: "key",
    subjectId: "k",
    limitMicroUsd,
    interval: null,
    includesByok: false,
  };
  return budgetOf(rule, NOW);
};

it("admits all or nothing, in order, and never once spend plus reservations reach a limit", () => {
  const amount = fc.bigInt(0n, 50n);
  const budgets = fc
    .tuple(amount, amount, amount)
    .map((limits) => limits.map((limit, index) => budget(`g${index}`, limit)));
  const chargesOf = fc
    .subarray([0, 1, 2], { minLength: 1 })
    .chain((which) => fc.tuple(fc.constant(which), fc.bigInt(1n, 20n)));
  fc.assert(
    fc.property(
      budgets,
      fc.array(amount, { minLength: 3, maxLength: 3 }),
      fc.array(chargesOf, { maxLength: 20 }),
      (all, spent, requested) => {
        const used = new Map(all.map(({ id }, index) => [id, spent[index] ?? 0n]));
        const balances = new Map([...used].map(([id, spentMicroUsd]) => [id, { spentMicroUsd, reservedMicroUsd: 0n }]));
        const asking = requested.map(([which, microUsd], index) => ({
          generationId: `gen-${index}`,
          now: NOW,
          charges: all.filter((_, place) => which.includes(place)).map((one) => ({ budget: one, microUsd })),
        }));
        for (const [index, admission] of admit(asking, balances).entries()) {
          const charges = asking[index]?.charges ?? [];
          const full = charges.filter(
            (charge) => (used.get(charge.budget.id) ?? 0n) >= charge.budget.rule.limitMicroUsd,
          );
          if ("exhausted" in admission)
            expect(admission.exhausted.map(({ id }) => id)).toEqual(full.map((charge) => charge.budget.id));
          else {
            expect(full).toEqual([]);
            for (const charge of charges)
              used.set(charge.budget.id, (used.get(charge.budget.id) ?? 0n) + charge.microUsd);
          }
        }
      },
    ),
  );
});
