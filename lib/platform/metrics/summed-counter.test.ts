import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { SummedCounter } from "./summed-counter";

it("has what was added, by labels, each time it is read", async () => {
  const registry = new Registry();
  const counter = new SummedCounter({
    name: "tokens",
    help: "-",
    labelNames: ["provider", "kind"],
    registers: [registry],
  });
  counter.add(3, "a", "prompt");
  counter.add(4, "a", "prompt");
  counter.add(0.5, "a", "completion");
  counter.inc({ provider: "a", kind: "prompt" });
  expect(await registry.metrics()).toContain('tokens{provider="a",kind="prompt"} 8\n');
  counter.add(2, "a", "prompt");
  const text = await registry.metrics();
  expect(text).toContain('tokens{provider="a",kind="prompt"} 10\n');
  expect(text).toContain('tokens{provider="a",kind="completion"} 0.5\n');
});
