import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { Spend } from "./spend";

it.each([
  [{ spend_usd: 1.2, unpriced_requests: 0 }, "$1.20"],
  [{ spend_usd: 1.2, unpriced_requests: 1 }, "$1.20+ 1 request without a price"],
  [{ spend_usd: 0, unpriced_requests: 2 }, "Unknown+ 2 requests without a price"],
  [{ spend_usd: 0, unpriced_requests: 0 }, "$0.00"],
])("%j is %s", (sums, text) => {
  render(
    <p>
      <Spend {...sums} />
    </p>,
  );
  expect(screen.getByRole("paragraph").textContent).toBe(text);
});
