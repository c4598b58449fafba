import { expect, it } from "vitest";
import { ResponsesBody } from "../../engine/protocols/contracts/responses-request-contract";
import { filterInput } from "./filter-service";

it("a text of millions of lines is scanned within the memory of a thread", async () => {
  const rule = { action: "redact", scanScope: "all_messages", sources: [] } as const;
  const { findings } = await filterInput(
    { protocol: "responses", body: ResponsesBody.parse({ input: `${"1\n".repeat(3_900_000)}PROJ-7` }) },
    [
      { ...rule, label: "[X]", detector: { kind: "pattern", pattern: "PROJ-\\d" } },
      { ...rule, label: "[PHONE]", detector: { kind: "builtin", slug: "phone" } },
    ],
    {
      timeoutMs: 200_000,
      workers: 1,
      signal: new AbortController().signal,
      owner: { organizationId: "organization", subject: "key" },
    },
  );
  expect(findings[0]?.spans).toHaveLength(1);
});
