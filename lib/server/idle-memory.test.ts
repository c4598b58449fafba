import { expect, it } from "vitest";
import { createIdleMemory } from "./idle-memory.mjs";

/**
 * A process whose use of memory is set by the test. Collecting leaves 100, and the space for new objects as long as
 * there is background work.
 */
function createProcess() {
  const state = { other: 140, newSpace: 60, background: 0, collections: 0 };
  const memory = createIdleMemory({
    collect: () => {
      state.collections += 1;
      state.other = 99;
      if (state.background === 0) state.newSpace = 1;
      else state.background -= 1;
    },
    resident: () => state.other + state.newSpace,
    newSpace: () => state.newSpace,
    worthBytes: 50,
  });
  const wait = (seconds: number) => {
    for (let second = 0; second < seconds; second++) memory.tick();
  };
  return { state, wait, note: memory.note };
}

it("collects after the start, and never again while nothing happens", () => {
  const { state, wait } = createProcess();
  wait(14);
  expect(state.collections).toBe(0);
  wait(600);
  expect(state.collections).toBe(1);
});

it("collects again until background work lets V8 give up the space for new objects, a limited number of times", () => {
  const { state, wait, note } = createProcess();
  state.background = 2;
  wait(600);
  expect([state.collections, state.newSpace]).toEqual([3, 1]);
  note();
  state.newSpace = 60;
  state.background = Infinity;
  wait(600);
  expect(state.collections).toBe(3 + 8);
});

it("collects for the space for new objects alone", () => {
  const { state, wait, note } = createProcess();
  wait(30);
  note();
  state.newSpace = 50;
  state.other = 80;
  wait(30);
  expect(state.collections).toBe(2);
});

it("doesn't collect while requests arrive, and collects again after a load", () => {
  const { state, wait, note } = createProcess();
  wait(30);
  state.other = 300;
  for (let second = 0; second < 60; second++) {
    note();
    wait(1);
  }
  expect(state.collections).toBe(1);
  wait(30);
  expect(state.collections).toBe(2);
});

it("doesn't collect after single requests, which take little", () => {
  const { state, wait, note } = createProcess();
  wait(30);
  for (let request = 0; request < 10; request++) {
    note();
    state.other += 2;
    wait(30);
  }
  expect(state.collections).toBe(1);
});
