import { z } from "zod";
import { checkTable, type Row } from "../../../testing/contract-table";
import { Plugin } from "./plugins-contract";

const list = (count: number, length = 1) => Array.from({ length: count }, () => "x".repeat(length));

const routerRows = (["auto-router", "auto-beta-router"] as const).flatMap((id): Row[] => [
  ...(["allowed_models", "excluded_models"] as const).flatMap((field): Row[] => [
    [
      `${id} ${field}: at most 1024 patterns`,
      [
        { id, [field]: list(1024) },
        { id, [field]: [] },
      ],
      [[{ id, [field]: list(1025) }, field]],
    ],
    [
      `${id} ${field}: each at most 1024 characters`,
      [{ id, [field]: list(1, 1024) }],
      [[{ id, [field]: list(1, 1025) }, `${field}.0`]],
    ],
    [
      `${id} ${field}: 65536 characters in total`,
      [{ id, [field]: list(64, 1024) }],
      [[{ id, [field]: [...list(64, 1024), "x"] }, field]],
    ],
  ]),
  [
    `${id} cost_tier: low, medium, high, xhigh, max`,
    ["low", "medium", "high", "xhigh", "max"].map((cost_tier) => ({ id, cost_tier })),
    [[{ id, cost_tier: "free" }, "cost_tier"]],
  ],
  [
    `${id} cost_quality_tradeoff: integer 0 to 10`,
    [
      { id, cost_quality_tradeoff: 0 },
      { id, cost_quality_tradeoff: 10 },
    ],
    [
      [{ id, cost_quality_tradeoff: -1 }, "cost_quality_tradeoff"],
      [{ id, cost_quality_tradeoff: 11 }, "cost_quality_tradeoff"],
      [{ id, cost_quality_tradeoff: 1.5 }, "cost_quality_tradeoff"],
    ],
  ],
  [`${id} enabled: boolean`, [{ id, enabled: false }], [[{ id, enabled: "no" }, "enabled"]]],
]);

checkTable("Plugins", Plugin, [
  [
    "id is required",
    [],
    [
      [{}, "id"],
      [{ id: 1 }, "id"],
    ],
  ],
  ["an unknown plugin passes", [{ id: "switchyard-router", algorithm: "stage" }], []],
  ...routerRows,
  [
    "auto-router pin_model: boolean",
    [{ id: "auto-router", pin_model: true }],
    [[{ id: "auto-router", pin_model: 1 }, "pin_model"]],
  ],
  [
    "context-compression engine",
    [{ id: "context-compression", engine: "middle-out" }],
    [[{ id: "context-compression", engine: "zip" }, "engine"]],
  ],
  [
    "file-parser pdf.engine",
    [{ id: "file-parser", pdf: { engine: "native" } }],
    [[{ id: "file-parser", pdf: { engine: "eyes" } }, "pdf.engine"]],
  ],
  [
    "fusion analysis_models: 1 to 8 items",
    [
      { id: "fusion", analysis_models: list(1) },
      { id: "fusion", analysis_models: list(8) },
    ],
    [
      [{ id: "fusion", analysis_models: [] }, "analysis_models"],
      [{ id: "fusion", analysis_models: list(9) }, "analysis_models"],
    ],
  ],
  [
    "fusion preset: general-high, general-budget, general-fast",
    ["general-high", "general-budget", "general-fast"].map((preset) => ({ id: "fusion", preset })),
    [[{ id: "fusion", preset: "general" }, "preset"]],
  ],
  [
    "fusion max_tool_calls: 1 to 16",
    [
      { id: "fusion", max_tool_calls: 1 },
      { id: "fusion", max_tool_calls: 16 },
    ],
    [
      [{ id: "fusion", max_tool_calls: 0 }, "max_tool_calls"],
      [{ id: "fusion", max_tool_calls: 17 }, "max_tool_calls"],
      [{ id: "fusion", max_tool_calls: 1.5 }, "max_tool_calls"],
    ],
  ],
  [
    "fusion tools: at most 8 of {type, parameters?}",
    [
      { id: "fusion", tools: [] },
      { id: "fusion", tools: Array.from({ length: 8 }, () => ({ type: "t", parameters: {} })) },
    ],
    [
      [{ id: "fusion", tools: Array.from({ length: 9 }, () => ({ type: "t" })) }, "tools"],
      [{ id: "fusion", tools: [{}] }, "tools.0.type"],
      [{ id: "fusion", tools: [{ type: "t", parameters: 1 }] }, "tools.0.parameters"],
    ],
  ],
  ["moderation: no other fields", [{ id: "moderation" }], [[{ id: "moderation", enabled: true }, "enabled"]]],
  [
    "a plugin's fields aren't those of another plugin",
    [{ id: "web", x_search: {} }],
    [
      [{ id: "auto-beta-router", pin_model: true }, "pin_model"],
      [{ id: "response-healing", engine: "exa" }, "engine"],
      [{ id: "web", allowed_domains: ["a"] }, "allowed_domains"],
      [{ id: "web-fetch", include_domains: ["a"] }, "include_domains"],
      [{ id: "pareto-router", cost_tier: "low" }, "cost_tier"],
    ],
  ],
  [
    "pareto-router max_price: at least 0",
    [{ id: "pareto-router", max_price: 0 }],
    [[{ id: "pareto-router", max_price: -0.1 }, "max_price"]],
  ],
  [
    "pareto-router min_coding_score: 0 to 1",
    [
      { id: "pareto-router", min_coding_score: 0 },
      { id: "pareto-router", min_coding_score: 1 },
    ],
    [
      [{ id: "pareto-router", min_coding_score: -0.1 }, "min_coding_score"],
      [{ id: "pareto-router", min_coding_score: 1.1 }, "min_coding_score"],
    ],
  ],
  [
    "pareto-router price_source: prompt or weighted_avg",
    [
      { id: "pareto-router", price_source: "prompt" },
      { id: "pareto-router", price_source: "weighted_avg" },
    ],
    [[{ id: "pareto-router", price_source: "list" }, "price_source"]],
  ],
  ["response-healing", [{ id: "response-healing", enabled: true }], []],
  [
    "web: engine, mode, counts, domains",
    [
      {
        id: "web",
        engine: "exa",
        mode: "deep",
        max_results: 5,
        max_uses: 1,
        search_prompt: "p",
        include_domains: ["*.org"],
        exclude_domains: ["a.com/x"],
      },
    ],
    [
      [{ id: "web", engine: "paper" }, "engine"],
      [{ id: "web", mode: "slow" }, "mode"],
      [{ id: "web", max_results: 1.5 }, "max_results"],
      [{ id: "web", max_uses: 1.5 }, "max_uses"],
      [{ id: "web", include_domains: "a" }, "include_domains"],
    ],
  ],
  [
    "web user_location: type is required",
    [{ id: "web", user_location: { type: "approximate", city: "Oslo" } }],
    [[{ id: "web", user_location: { city: "Oslo" } }, "user_location.type"]],
  ],
  [
    "web-fetch: domains and counts",
    [{ id: "web-fetch", allowed_domains: ["a"], blocked_domains: ["b"], max_content_tokens: 9, max_uses: 1 }],
    [
      [{ id: "web-fetch", max_content_tokens: 1.5 }, "max_content_tokens"],
      [{ id: "web-fetch", max_uses: "1" }, "max_uses"],
    ],
  ],
]);

/** Plugin defaults are documented but not filled in: a preset stores its config as sent. */
checkTable(
  "plugin defaults are not stored",
  z.json().refine((value) => Object.keys(value as object).length === 1),
  [
    ["enabled true, cost_quality_tradeoff 9, pin_model false", [Plugin.parse({ id: "auto-router" })], []],
    ["max_tool_calls 4", [Plugin.parse({ id: "fusion" })], []],
  ],
);
