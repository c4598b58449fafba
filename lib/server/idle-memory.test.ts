import { expect, it } from "vitest";
import { createIdleMemory } from "./idle-memory.mjs";

/** A process whose use of memory is set by the test; collecting returns it to 100. */
function createProcess() {
  const state = { bytes: 200, collections: 0 };
  const memory = createIdleMemory({
    collect: () => {
      state.collections += 1;
      state.bytes = 100;
    },
    resident: () => state.bytes,
    worthBytes: 50,
  });
  const wait = (seconds: number) => {
    for (let second = 0; second < seconds; second++) memory.tick();
  };
  return { state, wait, note: memory.note };
}

it("collects twice after the start, and never again while nothing happens", () => {
  const { state, wait } = createProcess();
  wait(14);
  expect(state.collections).toBe(0);
  wait(600);
  expect(state.collections).toBe(2);
});

it("doesn't collect while requests arrive, and collects again after a load", () => {
  const { state, wait, note } = createProcess();
  wait(30);
  state.bytes = 300;
  for (let second = 0; second < 60; second++) {
    note();
    wait(1);
  }
  expect(state.collections).toBe(2);
  wait(30);
  expect(state.collections).toBe(4);
});

it("doesn't collect after single requests, which take little", () => {
  const { state, wait, note } = createProcess();
  wait(30);
  for (let request = 0; request < 10; request++) {
    note();
    state.bytes += 2;
    wait(30);
  }
  expect(state.collections).toBe(2);
});
