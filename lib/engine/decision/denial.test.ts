import { expect, it } from "vitest";
import { ScanBusy, ScanFailure, ScanTimeout, tooManyMatches } from "../filters/scan-failure";
import { unscannedContent } from "./denial";

it.each<[ScanFailure, number, string, string | undefined]>([
  [new ScanTimeout(5000), 403, "blocked", undefined],
  [tooManyMatches(), 403, "blocked", undefined],
  [new ScanBusy(), 529, "failed", "1"],
  [new ScanFailure("crash", "Request blocked: the content filters failed"), 500, "blocked", undefined],
])("answers %s with %i and records it as %s", (failure, code, recorded, retryAfter) => {
  const { status, error, kind } = unscannedContent(failure);
  expect([kind, error.status, status, error.headers?.["retry-after"]]).toEqual([
    "unscanned",
    code,
    recorded,
    retryAfter,
  ]);
  expect(error.message.startsWith("Request blocked")).toBe(recorded === "blocked");
});
