import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { LimitsCard } from "./limits-card";

afterEach(() => vi.unstubAllGlobals());

it("asks for the limits on requests and tokens of a key", async () => {
  const fetch = vi.fn(async (_: string) => Response.json({ data: [], total_count: 0 }));
  vi.stubGlobal("fetch", fetch);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <LimitsCard of={{ key_hash: "abc" }} />
    </QueryClientProvider>,
  );
  await screen.findByText("No rate limits");
  expect(fetch.mock.calls.map(([url]) => url)).toEqual([
    "/v1/limits?limit=100&key_hash=abc&metric=requests&metric=tokens&metric=concurrent_requests",
  ]);
});
