import { checkTable } from "../../testing/contract-table";
import { CreateProviderBody, UpdateProviderBody } from "./contract";

const acme = (fields: unknown) => ({
  slug: "acme",
  name: "Acme",
  base_url: "https://api.acme.example/v1",
  ...(fields as object),
});

checkTable(
  "POST /providers",
  CreateProviderBody,
  [
    [
      "slug is lowercase words joined by hyphens, underscores or dots",
      [{ slug: "a" }, { slug: "acme-eu.2_b" }, { slug: "a".repeat(64) }],
      [
        [{ slug: "" }, "slug"],
        [{ slug: "Acme" }, "slug"],
        [{ slug: "a--b" }, "slug"],
        [{ slug: "a/b" }, "slug"],
        [{ slug: "a".repeat(65) }, "slug"],
        [{ slug: undefined }, "slug"],
      ],
    ],
    [
      "name has 1 to 100 characters",
      [{ name: "a".repeat(100) }],
      [
        [{ name: " " }, "name"],
        [{ name: "a".repeat(101) }, "name"],
        [{ name: null }, "name"],
      ],
    ],
    [
      "base_url is http or https, without credentials, query, fragment or the path of an operation",
      [{ base_url: "http://127.0.0.1:8080" }, { base_url: "https://[2001:db8::1]/v1/" }],
      [
        [{ base_url: "" }, "base_url"],
        [{ base_url: "api.acme.example/v1" }, "base_url"],
        [{ base_url: "ftp://acme.example" }, "base_url"],
        [{ base_url: "file:///etc/passwd" }, "base_url"],
        [{ base_url: "https://user:secret@acme.example" }, "base_url"],
        [{ base_url: "https://acme.example/v1?key=1" }, "base_url"],
        [{ base_url: "https://acme.example/v1#x" }, "base_url"],
        [{ base_url: "https://acme.example/v1/chat/completions" }, "base_url"],
        [{ base_url: "https://acme.example/v1/messages/" }, "base_url"],
        [{ base_url: `https://acme.example/${"a".repeat(2000)}` }, "base_url"],
        [{ base_url: null }, "base_url"],
      ],
    ],
    [
      "api_key is visible ASCII",
      [{ api_key: "sk-1" }, { api_key: null }],
      [
        [{ api_key: "" }, "api_key"],
        [{ api_key: "a b" }, "api_key"],
        [{ api_key: "a\r\nx: y" }, "api_key"],
      ],
    ],
    [
      "headers have valid, unique names that Signalbox doesn't set itself, and valid values",
      [{ headers: { "x-api-version": "1", "OpenAI-Organization": "org one" } }, { headers: {} }, { headers: null }],
      [
        [{ headers: { Authorization: "Bearer x" } }, "headers.Authorization"],
        [{ headers: { host: "a" } }, "headers.host"],
        [{ headers: { "Content-Length": "1" } }, "headers.Content-Length"],
        [{ headers: { "transfer-encoding": "chunked" } }, "headers.transfer-encoding"],
        [{ headers: { "a b": "1" } }, "headers.a b"],
        [{ headers: { "x-a\r\nx-b": "1" } }, "headers.x-a\r\nx-b"],
        [{ headers: { "x-a": "1\r\nx-b: 2" } }, "headers.x-a"],
        [{ headers: { "x-a": "1\u0000" } }, "headers.x-a"],
        [{ headers: { "x-a": "" } }, "headers.x-a"],
        [{ headers: { "x-a": "1", "X-A": "2" } }, "headers"],
        [{ headers: Object.fromEntries(Array.from({ length: 33 }, (_, index) => [`x-${index}`, "1"])) }, "headers"],
      ],
    ],
    [
      "protocol, ownership and switches",
      [{ protocol: "responses", ownership: "byok", zdr: true, trains: false }],
      [
        [{ protocol: "grpc" }, "protocol"],
        [{ ownership: "theirs" }, "ownership"],
        [{ zdr: null }, "zdr"],
      ],
    ],
    ["unknown fields are rejected", [], [[{ has_api_key: true }, "has_api_key"]]],
  ],
  acme,
);

checkTable("PATCH /providers/{slug}", UpdateProviderBody, [
  [
    "every field is optional, and the slug can't change",
    [{}, { zdr: true }, { api_key: null, headers: null }],
    [
      [{ slug: "other" }, "slug"],
      [{ name: null }, "name"],
    ],
  ],
]);
