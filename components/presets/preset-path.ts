/** The address that the page of new presets has: a preset may bear the same name. */
const TAKEN = "new";

export function withQuery(path: string, query: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as [string, string]],
  );
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/** The page of a preset, in a workspace other than the default one by its id. */
export const presetPath = (
  slug: string,
  workspace: string | null,
  query: Readonly<Record<string, string | null>> = {},
) => withQuery(`/presets/${slug === TAKEN ? `@${slug}` : slug}`, { workspace, ...query });

/** The slug that a path of `presetPath` names. */
export const slugInPath = (segment: string): string => segment.replace(/^(?:@|%40)/, "");
