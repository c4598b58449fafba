import { afterEach, expect, it, vi } from "vitest";
import { logger } from "../logger";
import { runSteps } from "./steps";

const failing = (message: string) => () => Promise.reject(new Error(message));
const logged = () => vi.spyOn(logger(), "error").mockImplementation(() => undefined);
afterEach(() => vi.restoreAllMocks());

it("runs steps after one that failed, logs each failure and fails", async () => {
  const error = logged();
  const done = vi.fn(() => Promise.resolve());
  const steps = { first: failing("1"), second: done, third: failing("3"), fourth: done };
  await expect(runSteps("tidying", steps)).rejects.toMatchObject({
    message: "tidying failed: first, third",
    errors: [new Error("1"), new Error("3")],
  });
  expect(done).toHaveBeenCalledTimes(2);
  expect(error.mock.calls).toEqual([
    [{ err: new Error("1"), step: "first" }, "tidying failed"],
    [{ err: new Error("3"), step: "third" }, "tidying failed"],
  ]);
});

it("ends with the reason of a signal, which isn't a failure of the step", async () => {
  const error = logged();
  const controller = new AbortController();
  const skipped = vi.fn(() => Promise.resolve());
  const interrupted = () => {
    controller.abort(new Error("stopping"));
    return Promise.reject(new Error("interrupted"));
  };
  await expect(runSteps("tidying", { interrupted, skipped }, controller.signal)).rejects.toThrow("stopping");
  await expect(runSteps("tidying", { skipped }, controller.signal)).rejects.toThrow("stopping");
  expect([skipped, error].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
});
