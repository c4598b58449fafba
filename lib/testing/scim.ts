import type { ScimContext } from "../platform/context";
import { uuidv7 } from "../platform/ids";
import { NOW, type World } from "./test-context";

/** Returns the context of a directory of the world's organization. */
export const scimContext = (
  { context, organizationId }: World,
  overrides: Partial<Omit<ScimContext, "caller">> = {},
): ScimContext => ({
  ...context,
  headers: new Headers(),
  ...overrides,
  caller: { kind: "scim", tokenId: uuidv7(NOW), tokenName: "Directory", organizationId },
});
