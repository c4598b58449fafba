import { describe, expect, it } from "vitest";
import { readTraceContext, traceHeaders } from "./trace-context";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN_ID = "00f067aa0ba902b7";
const read = (traceparent: string, tracestate?: string) =>
  readTraceContext(new Headers({ traceparent, ...(tracestate !== undefined && { tracestate }) }));

describe("readTraceContext", () => {
  it.each([
    [`00-${TRACE_ID}-${SPAN_ID}-01`, 1],
    [`00-${TRACE_ID}-${SPAN_ID}-00`, 0],
    [`00-${TRACE_ID}-${SPAN_ID}-ff`, 3],
    [`cc-${TRACE_ID}-${SPAN_ID}-01`, 1],
    [`cc-${TRACE_ID}-${SPAN_ID}-01-what-the-future-adds`, 1],
  ])("accepts %s", (traceparent, flags) =>
    expect(read(traceparent)).toEqual({ traceId: TRACE_ID, spanId: SPAN_ID, flags, state: null }),
  );

  it.each([
    "",
    "00",
    `00-${TRACE_ID}-${SPAN_ID}`,
    `00-${TRACE_ID}-${SPAN_ID}-01-more`,
    `ff-${TRACE_ID}-${SPAN_ID}-01`,
    `00-${TRACE_ID.toUpperCase()}-${SPAN_ID}-01`,
    `00-${"0".repeat(32)}-${SPAN_ID}-01`,
    `00-${TRACE_ID}-${"0".repeat(16)}-01`,
    `00-${TRACE_ID}-${SPAN_ID}-01, 00-${TRACE_ID}-${SPAN_ID}-01`,
    `cc-${TRACE_ID}-${SPAN_ID}-01.more`,
  ])("ignores %j", (traceparent) => expect(read(traceparent, "a=1")).toBeNull());

  it.each([
    ["a=1", "a=1"],
    ["a=1, b@vendor=x y ,,c/d=z", "a=1,b@vendor=x y,c/d=z"],
    ["", null],
    ["a", null],
    ["A=1", null],
    ["a=1,a=2", null],
    ["a=", null],
    [Array.from({ length: 33 }, (_, index) => `k${index}=1`).join(","), null],
    [`a=${"x".repeat(600)}`, null],
  ])("reads the state %j", (tracestate, state) =>
    expect(read(`00-${TRACE_ID}-${SPAN_ID}-01`, tracestate)).toMatchObject({ state }),
  );
});

describe("traceHeaders", () => {
  it("passes on the place in the trace without tracestate, whose text isn't scanned", () => {
    const traceparent = `00-${TRACE_ID}-${SPAN_ID}-01`;
    const headers = { traceparent, tracestate: "a=PROJECT-FALCON" };
    expect(traceHeaders(readTraceContext(new Headers(headers)) ?? expect.fail())).toEqual({ traceparent });
  });
});
