import { expect, it } from "vitest";
import { contentRead } from "./content-read";

it.each([
  [
    { action: "generation.read_content", after: { masked: ["email", "[CASE]"] } },
    [{ term: "Masked", value: "Email addresses, [CASE]" }],
  ],
  [{ action: "generation.read_content", after: { masked: [] } }, [{ term: "Masked", value: "Nothing" }]],
  [
    { action: "generation.reveal_content", after: { reason: "Ticket 12", revealed: ["phone"] } },
    [
      { term: "Revealed", value: "Phone numbers" },
      { term: "Reason", value: "Ticket 12" },
    ],
  ],
  [{ action: "generation.read_content", after: null }, null],
  [{ action: "key.update", after: { reason: "x" } }, null],
])("describes a read of content: %j", (event, facts) => {
  expect(contentRead(event)).toEqual(facts);
});
