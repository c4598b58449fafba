import { expect, it } from "vitest";
import { formatUsd, formatWholeCents } from "./usd";

it.each([
  [0, "$0.00", "$0.00"],
  [0.000034, "$0.000034", "<$0.01"],
  [0.01, "$0.01", "$0.01"],
  [0.123456, "$0.123456", "$0.12"],
  [12.345678, "$12.3457", "$12.35"],
  [-12.345678, "-$12.3457", "-$12.35"],
  [999.99999, "$1,000.00", "$1,000.00"],
  [1234.567891, "$1,234.57", "$1,234.57"],
  [1234567.5, "$1,234,567.50", "$1,234,567.50"],
])("%d as money", (amount, exact, short) => {
  expect([formatUsd(amount), formatWholeCents(amount)]).toEqual([exact, short]);
});
