import { expect, it } from "vitest";
import { embedRequest, toEmbeddingList } from "./embeddings";

it("texts are embedded together", () => {
  expect(embedRequest("gemini-embedding-001", ["a", "b"], {})).toEqual({
    path: "/models/gemini-embedding-001:batchEmbedContents",
    body: {
      requests: ["a", "b"].map((text) => ({ model: "models/gemini-embedding-001", content: { parts: [{ text }] } })),
    },
  });
  expect(embedRequest("m", ["a"], { dimensions: 8, inputType: "QUESTION_ANSWERING" }).body["requests"]).toMatchObject([
    { taskType: "QUESTION_ANSWERING", outputDimensionality: 8 },
  ]);
});

const data = [
  { index: 0, embedding: [1, 2] },
  { index: 1, embedding: [3] },
];
it.each<[string, unknown, unknown]>([
  ["Gemini", { embeddings: [{ values: [1, 2] }, { values: [3] }] }, { data }],
  [
    "Gemini with usage",
    { embeddings: [{ values: [1, 2] }, { values: [3] }], usageMetadata: { promptTokenCount: 5 } },
    { data, usage: { prompt_tokens: 5, total_tokens: 5 } },
  ],
  [
    "Vertex AI",
    {
      predictions: [
        { embeddings: { values: [1, 2], statistics: { token_count: 2 } } },
        { embeddings: { values: [3], statistics: { token_count: 1 } } },
      ],
    },
    { data, usage: { prompt_tokens: 3, total_tokens: 3 } },
  ],
  ["an error", { error: { message: "no" } }, { error: { message: "no" } }],
])("reads embeddings of %s", (_name, value, expected) => expect(toEmbeddingList(value)).toEqual(expected));
