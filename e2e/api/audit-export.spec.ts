import { AuditEvent, exportAuditEvents, listAuditEvents } from "../../lib/platform/audit/contract";
import { updateGuardrail } from "../../lib/records/guardrails/contract";
import { expect, test } from "../fixtures";

test("an export streams all matching events as JSON Lines and CSV, and is recorded", async ({ api, world }) => {
  const { id } = await world.guardrail();
  await api.call(updateGuardrail, { params: { id }, body: { limit_usd: 25 } });
  const query = { target_id: id };
  const { data } = await api.call(listAuditEvents, { query });

  const jsonl = await api.send(exportAuditEvents, { query });
  expect(jsonl.headers.get("content-type")).toContain("application/jsonl");
  expect(jsonl.headers.get("content-disposition")).toMatch(/^attachment; filename="audit-events-/);
  const lines = (await jsonl.text()).trimEnd().split("\n");
  expect(lines.map((line) => AuditEvent.parse(JSON.parse(line)))).toEqual(data);

  const csv = await api.send(exportAuditEvents, { query: { ...query, format: "csv" } });
  const rows = (await csv.text()).trimEnd().split("\r\n");
  expect(rows.slice(1).map((row) => row.split(",")[4])).toEqual(["guardrail.update", "guardrail.create"]);

  const recorded = await api.call(listAuditEvents, { query: { action: "audit_event.export" } });
  expect(recorded.data).toContainEqual(
    expect.objectContaining({ after: { format: "csv", filters: { target_id: id } } }),
  );
  await api.refuse(exportAuditEvents, 400, { query: { format: "xml" } });
});
