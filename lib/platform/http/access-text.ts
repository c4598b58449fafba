import type { Operation } from "./operation";

const accessText: Readonly<Record<Operation["access"], string>> = {
  public: "No authentication.",
  any: "Any key, or a console session.",
  session: "A console session.",
  member: "A management key, or a console session.",
  management: "A management key, or a console session.",
  inference: "An inference key.",
  scim: "A SCIM token.",
};

/** The permission that an operation requires. */
const permissionText = ({ access, permission, byWorkspace }: Operation): string | undefined => {
  if (permission === undefined) return undefined;
  const where = byWorkspace ? ", for the organization or the workspace" : "";
  return access === "member"
    ? `Requires the permission \`${permission}\`${where}; without it, members see and change what is theirs.`
    : `Requires the permission \`${permission}\`${where}.`;
};

/** Returns the sentences of the reference that say who may use an operation. */
export const accessTextOf = (operation: Operation): string =>
  [accessText[operation.access], permissionText(operation)].filter(Boolean).join(" ");
