import { checkTable } from "../../testing/contract-table";
import { getOverview } from "./contract";

const [EARLY, LATE] = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];

checkTable("GET /analytics/overview", getOverview.query as NonNullable<typeof getOverview.query>, [
  ["range is a predefined one", [{}, { range: "24h" }, { range: "90d" }], [[{ range: "1y" }, "range"]]],
  [
    "from and to are given together, in this order, at most 400 days apart",
    [
      { from: EARLY, to: LATE },
      { from: "2025-01-01T00:00:00Z", to: "2026-02-05T00:00:00Z" },
    ],
    [
      [{ from: EARLY }, "to"],
      [{ to: LATE }, "from"],
      [{ from: LATE, to: EARLY }, "to"],
      [{ from: EARLY, to: EARLY }, "to"],
      [{ from: "2025-01-01T00:00:00Z", to: "2026-02-05T00:00:00.001Z" }, "from"],
      [{ from: "yesterday", to: LATE }, "from"],
    ],
  ],
]);
