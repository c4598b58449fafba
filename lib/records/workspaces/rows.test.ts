import { Workspace$inboundSchema } from "@openrouter/sdk/models";
import { expect, it } from "vitest";
import { NOW } from "../../testing/test-context";
import { WorkspaceResponse } from "./contract";
import { toResponse } from "./rows";

const row = {
  id: "0192f3a0-0000-7000-8000-000000000000",
  organizationId: "0192f3a0-0000-7000-8000-000000000001",
  name: "Default",
  slug: "default",
  description: null,
  isDefault: true,
  defaultGuardrailId: null,
  contentLogging: true,
  contentRetentionDays: null,
  metadataRetentionDays: null,
  regions: [],
  allowUnpricedModels: false,
  createdBy: null,
  createdAt: NOW,
  updatedAt: null,
  deletedAt: null,
};

it("answers OpenRouter's SDK as its schema requires, and others with null", () => {
  const userAgent = "speakeasy-sdk/typescript 1.3.19 2.914.0 1.0.0 @openrouter/sdk";
  const answer = WorkspaceResponse.parse(toResponse(row, { userAgent }));
  expect(Workspace$inboundSchema.parse(answer)).toMatchObject({
    id: row.id,
    slug: "default",
    ioLoggingSamplingRate: 1,
  });
  expect(WorkspaceResponse.parse(toResponse(row, { userAgent: null })).default_guardrail_id).toBeNull();
});
