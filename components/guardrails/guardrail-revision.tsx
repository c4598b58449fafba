/** "Production@3". A name that is written from right to left doesn't move the revision. */
export const GuardrailRevision = ({ name, revision }: { name: string; revision: number | null }) => (
  <>
    <bdi>{name}</bdi>@{revision ?? "?"}
  </>
);
