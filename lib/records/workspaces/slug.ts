import { MAX_SLUG_LENGTH } from "./contract";

/** Converts `Équipe R&D` to `equipe-r-d`; empty when no character fits the slug's alphabet. */
export const slugOf = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-/, "")
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/-$/, "");
