import { checkTable } from "../../testing/contract-table";
import { CreateModelBody, UpdateModelBody } from "./contract";

const endpoint = (fields: object = {}) => ({ provider: "acme", price: { prompt: "1", completion: "2" }, ...fields });
const large = (fields: unknown) => ({ slug: "acme/large", endpoints: [endpoint()], ...(fields as object) });
const priced = (prompt: unknown) => ({ endpoints: [endpoint({ price: { prompt, completion: "0" } })] });
const at = "endpoints.0";

checkTable(
  "POST /models",
  CreateModelBody,
  [
    [
      "slug is parts joined by slashes",
      [{ slug: "large" }, { slug: "meta-llama/Llama-3.3:free" }, { slug: "a/b/c" }],
      [
        [{ slug: "" }, "slug"],
        [{ slug: "/a" }, "slug"],
        [{ slug: "a/" }, "slug"],
        [{ slug: "a b" }, "slug"],
        [{ slug: "@preset/a" }, "slug"],
        [{ slug: "a/b@preset" }, "slug"],
        [{ slug: "a".repeat(201) }, "slug"],
        [{ slug: undefined }, "slug"],
      ],
    ],
    [
      "optional prices, steps by prompt size and service tiers",
      [
        { endpoints: [endpoint({ price: { prompt: "1", completion: "2", cache_read: "0.1", audio_output: "80" } })] },
        {
          endpoints: [
            endpoint({
              price: {
                prompt: "1",
                completion: "2",
                tiers: [{ above: 200_000, prompt: "2", completion: "3", cache_write: "2.5" }],
                service_tiers: { flex: "0.5" },
              },
            }),
          ],
        },
        { max_output_tokens: 8192 },
        { max_output_tokens: null },
      ],
      [
        [
          { endpoints: [endpoint({ price: { prompt: "1", completion: "2", cache_read: "-1" } })] },
          `${at}.price.cache_read`,
        ],
        [
          {
            endpoints: [endpoint({ price: { prompt: "1", completion: "2", tiers: [{ above: 1, completion: "1" }] } })],
          },
          `${at}.price.tiers.0.prompt`,
        ],
        [
          { endpoints: [endpoint({ price: { prompt: "1", completion: "2", service_tiers: { flex: 0.5 } } })] },
          `${at}.price.service_tiers.flex`,
        ],
        [{ max_output_tokens: 0 }, "max_output_tokens"],
      ],
    ],
    [
      "vendor is lowercase",
      [{ vendor: "meta-llama" }],
      [
        [{ vendor: "OpenAI" }, "vendor"],
        [{ vendor: "" }, "vendor"],
      ],
    ],
    [
      "context_length is at least 1, or null",
      [{ context_length: 1 }, { context_length: null, distillable: null }],
      [
        [{ context_length: 0 }, "context_length"],
        [{ context_length: 1.5 }, "context_length"],
      ],
    ],
    [
      "a price is a decimal text from 0 with at most 10 decimals",
      [priced("0"), priced("0.0000000001"), priced("9999999.9999999999")],
      [
        [priced(1), `${at}.price.prompt`],
        [priced("-1"), `${at}.price.prompt`],
        [priced("1e3"), `${at}.price.prompt`],
        [priced("01"), `${at}.price.prompt`],
        [priced("1."), `${at}.price.prompt`],
        [priced(""), `${at}.price.prompt`],
        [priced("0.00000000001"), `${at}.price.prompt`],
        [priced("10000000"), `${at}.price.prompt`],
        [{ endpoints: [endpoint({ price: { prompt: "1" } })] }, `${at}.price.completion`],
        [{ endpoints: [endpoint({ price: { prompt: "1", completion: "1", image: "1" } })] }, `${at}.price.image`],
      ],
    ],
    [
      "endpoints: 1 to 100, with their fields",
      [
        {
          endpoints: [
            endpoint({ upstream_model: "large-2", zdr: true, quantization: "fp8", supported_parameters: ["tools"] }),
            endpoint({ zdr: null, quantization: null }),
            endpoint({ data_region: "europe" }),
          ],
        },
      ],
      [
        [{ endpoints: [] }, "endpoints"],
        [{ endpoints: Array.from({ length: 101 }, () => endpoint()) }, "endpoints"],
        [{ endpoints: [endpoint({ quantization: "fp7" })] }, `${at}.quantization`],
        [{ endpoints: [endpoint({ data_region: "eu" })] }, `${at}.data_region`],
        [{ endpoints: [endpoint({ data_region: null })] }, `${at}.data_region`],
        [{ endpoints: [endpoint({ weight: 1 })] }, `${at}.weight`],
        [{ endpoints: undefined }, "endpoints"],
      ],
    ],
    ["unknown fields are rejected", [], [[{ pricing: {} }, "pricing"]]],
  ],
  large,
);

checkTable("PATCH /models/{slug}", UpdateModelBody, [
  [
    "every field is optional, and the slug can't change",
    [{}, { context_length: null }],
    [
      [{ slug: "other" }, "slug"],
      [{ endpoints: null }, "endpoints"],
      [{ endpoints: [] }, "endpoints"],
    ],
  ],
]);
