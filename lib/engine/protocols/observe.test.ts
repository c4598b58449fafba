import { describe, expect, it } from "vitest";
import type { ChatChunk } from "./contracts/chat-result-contract";
import { collect, relay, type StreamEncoder, type End } from "./observe";
import { BrokenResponse } from "./broken-response";
import { AttemptFailed } from "./upstream-failure";

const chunk = (content: string): ChatChunk => ({ choices: [{ index: 0, delta: { content } }] });

async function* answer(failsAtEnd = false): AsyncGenerator<ChatChunk[], void> {
  yield [chunk("a")];
  yield [chunk("b")];
  if (failsAtEnd) throw new BrokenResponse("cut", "raw");
}

const encoder: StreamEncoder = {
  start: () => ["start"],
  chunk: ({ choices }) => [choices[0]?.delta.content ?? ""],
  end: ({ content }, { costUsd }) => [`end ${content} ${costUsd}`],
  block: ({ message }) => [`blocked ${message}`],
  fail: ({ message }) => [`fail ${message}`],
};

/** Creates a report that logs its arguments together with the events sent before it. */
function ledger() {
  const events: string[] = [];
  const reports: { end: End; after: number; content: string }[] = [];
  const report = async (end: End, { content }: { content: string }) => {
    reports.push({ end, after: events.length, content });
    return { costUsd: 7, completedAt: 0 };
  };
  return { events, reports, report };
}

const never = new AbortController().signal;

describe("relay", () => {
  it("reports once, before the last event", async () => {
    const { events, reports, report } = ledger();
    for await (const event of relay(answer(), encoder, never, report)) events.push(event);
    expect(events).toEqual(["start", "a", "b", "end ab 7"]);
    expect(reports).toEqual([{ end: { status: "succeeded" }, after: 3, content: "ab" }]);
  });

  it("ends a broken answer with one error event, after reporting", async () => {
    const { events, reports, report } = ledger();
    for await (const event of relay(answer(true), encoder, never, report)) events.push(event);
    expect(events).toEqual(["start", "a", "b", "fail cut"]);
    expect(reports).toMatchObject([{ end: { status: "failed" }, after: 3, content: "ab" }]);
  });

  it.each([1, 2, 3])("abandoned after %i events, reports once as cancelled", async (count) => {
    const { events, reports, report } = ledger();
    for await (const event of relay(answer(), encoder, never, report)) {
      events.push(event);
      if (events.length === count) break;
    }
    expect(reports).toMatchObject([{ end: { status: "cancelled" } }]);
  });

  it("a failure caused by the client disconnecting is cancelled, without an error event", async () => {
    const { events, reports, report } = ledger();
    for await (const event of relay(answer(true), encoder, AbortSignal.abort(), report)) events.push(event);
    expect(events).toEqual(["start", "a", "b"]);
    expect(reports).toMatchObject([{ end: { status: "cancelled" } }]);
  });

  it("ends with an error event when the record can't be written", async () => {
    const { events, report } = ledger();
    const unrecorded = new AttemptFailed(502, "unrecorded");
    const unwritten: typeof report = async (...end) => Object.assign(await report(...end), { unrecorded });
    for await (const event of relay(answer(), encoder, never, unwritten)) events.push(event);
    expect(events).toEqual(["start", "a", "b", "fail unrecorded"]);
  });

  it("sends no end event when the report fails", async () => {
    const events: string[] = [];
    const work = async () => {
      for await (const event of relay(answer(), encoder, never, () => Promise.reject(new Error("disk full"))))
        events.push(event);
    };
    await expect(work()).rejects.toThrow("disk full");
    expect(events).toEqual(["start", "a", "b"]);
  });
});

describe("collect", () => {
  it.each([
    [false, never, "succeeded"],
    [true, never, "failed"],
    [true, AbortSignal.abort(), "cancelled"],
  ])("a broken answer (%s) ends as %s %s", async (isBroken, signal, status) => {
    const { reports, report } = ledger();
    const { end, accumulated, receipt } = await collect(answer(isBroken), signal, report);
    expect([end.status, accumulated.content, receipt.costUsd, reports.length]).toEqual([status, "ab", 7, 1]);
  });
});
