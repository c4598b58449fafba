/** "Production@3". Isolated, so that a right-to-left name doesn't move the revision. */
export const GuardrailRevision = ({ name, revision }: { name: string; revision: number | null }) => (
  <>
    <bdi>{name}</bdi>@{revision ?? "?"}
  </>
);
