import { checkTable, type Row } from "../../../testing/contract-table";
import { ProviderPreferences } from "./provider-preferences-contract";
import { QUANTIZATIONS } from "../../vocabulary";

const flags = ["allow_fallbacks", "enforce_distillable_text", "require_parameters", "zdr"];
const prices = ["prompt", "completion", "image", "audio", "request"];

checkTable("Provider preferences", ProviderPreferences, [
  [
    "no additional properties allowed",
    [{}],
    [
      [{ favourite: "x" }, "favourite"],
      [{ max_price: { tip: "1" } }, "max_price.tip"],
      [{ sort: { by: "price", then: 1 } }, "sort.then"],
    ],
  ],
  ...flags.map((field): Row => [
    `${field}: boolean or null`,
    [{ [field]: true }, { [field]: null }],
    [[{ [field]: "true" }, field]],
  ]),
  [
    "data_collection: allow, deny or null",
    ["allow", "deny", null].map((data_collection) => ({ data_collection })),
    [[{ data_collection: "some" }, "data_collection"]],
  ],
  ...["ignore", "only", "order"].map((field): Row => [
    `${field}: array of provider slug or null`,
    [{ [field]: ["a"] }, { [field]: [] }, { [field]: null }],
    [
      [{ [field]: "a" }, field],
      [{ [field]: [1] }, `${field}.0`],
    ],
  ]),
  ...prices.map((field): Row => [
    `max_price.${field}: string`,
    [{ max_price: { [field]: "0.25" } }, { max_price: { [field]: "1e-6" } }],
    [
      [{ max_price: { [field]: 0.25 } }, `max_price.${field}`],
      [{ max_price: { [field]: "cheap" } }, `max_price.${field}`],
    ],
  ]),
  ...["preferred_max_latency", "preferred_min_throughput"].map((field): Row => [
    `${field}: a number or thresholds by percentile`,
    [{ [field]: 2.5 }, { [field]: null }, { [field]: { p50: 1, p75: null, p90: 2, p99: 3 } }],
    [
      [{ [field]: "fast" }, field],
      [{ [field]: { p50: "1" } }, `${field}.p50`],
      [{ [field]: { p10: 1 } }, `${field}.p10`],
    ],
  ]),
  [
    "quantizations: known levels, or null",
    [{ quantizations: [...QUANTIZATIONS] }, { quantizations: null }],
    [[{ quantizations: ["int3"] }, "quantizations.0"]],
  ],
  [
    "sort: string, object or null",
    [
      ...["price", "throughput", "latency", "exacto", null].map((sort) => ({ sort })),
      { sort: { by: "price", partition: "none" } },
      { sort: { by: null, partition: "model" } },
    ],
    [
      [{ sort: "beauty" }, "sort"],
      [{ sort: { by: "beauty" } }, "sort.by"],
      [{ sort: { partition: "all" } }, "sort.partition"],
    ],
  ],
]);
