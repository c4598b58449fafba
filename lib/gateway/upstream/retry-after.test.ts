import { expect, it } from "vitest";
import { retryAfterMs } from "./retry-after";

const date = "Fri, 20 Nov 2026 10:00:00 GMT";

it.each<[Record<string, string>, number | null]>([
  [{}, null],
  [{ "retry-after": "7" }, 7000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "Fri, 20 Nov 2026 10:01:00 GMT", date }, 60_000],
  [{ "retry-after": "Fri, 20 Nov 2026 09:00:00 GMT", date }, 0],
  [{ "retry-after": "Fri, 20 Nov 2026 10:01:00 GMT" }, null],
  [{ "retry-after": "soon", date }, null],
  [{ "retry-after": "", date }, null],
])("%j is a delay of %j ms", (headers, ms) => expect(retryAfterMs(new Headers(headers))).toBe(ms));
