import { checkTable } from "../../testing/contract-table";
import { CreateWorkspaceBody, UpdateWorkspaceBody } from "./contract";
import { REGIONS } from "./vocabulary";

const named = (fields: unknown) => ({ name: "Research", ...(fields as object) });

checkTable(
  "POST /workspaces",
  CreateWorkspaceBody,
  [
    [
      "name has 1 to 100 characters",
      [{ name: "a".repeat(100) }],
      [
        [{ name: "" }, "name"],
        [{ name: "a".repeat(101) }, "name"],
        [{ name: undefined }, "name"],
      ],
    ],
    [
      "slug is lowercase words joined by hyphens",
      [{ slug: "a" }, { slug: "a-1-b" }, { slug: "a".repeat(50) }],
      [
        [{ slug: "" }, "slug"],
        [{ slug: "A" }, "slug"],
        [{ slug: "a--b" }, "slug"],
        [{ slug: "-a" }, "slug"],
        [{ slug: "a".repeat(51) }, "slug"],
      ],
    ],
    [
      "description has at most 500 characters",
      [{ description: null }, { description: "a".repeat(500) }],
      [[{ description: "a".repeat(501) }, "description"]],
    ],
    [
      "retention is 1 to 3650 days or null",
      [{ content_retention_days: 1, metadata_retention_days: 3650 }, { content_retention_days: null }],
      [
        [{ content_retention_days: 0 }, "content_retention_days"],
        [{ metadata_retention_days: 3651 }, "metadata_retention_days"],
        [{ metadata_retention_days: 1.5 }, "metadata_retention_days"],
      ],
    ],
    [
      "regions are at most 20 country codes, each once",
      [{ regions: [] }, { regions: ["DE", "US"] }, { regions: REGIONS.slice(0, 20) }],
      [
        [{ regions: ["DE", "de"] }, "regions.1"],
        [{ regions: ["EU"] }, "regions.0"],
        [{ regions: ["DE", "DE"] }, "regions"],
        [{ regions: REGIONS.slice(0, 21) }, "regions"],
        [{ regions: null }, "regions"],
      ],
    ],
    [
      "unknown fields are rejected",
      [{ content_logging: false, default_guardrail_id: null }],
      [
        [{ is_default: true }, "is_default"],
        [{ content_logging: null }, "content_logging"],
      ],
    ],
  ],
  named,
);

checkTable("PATCH /workspaces/{id}", UpdateWorkspaceBody, [
  ["every field is optional", [{}, { slug: "lab" }], [[{ name: null }, "name"]]],
]);
