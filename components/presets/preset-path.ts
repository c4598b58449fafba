/** Path of the new-preset page. A preset may have the slug "new" too. */
const TAKEN = "new";

export function withQuery(path: string, query: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as [string, string]],
  );
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/** Path of a preset, with the workspace ID unless it is the default workspace. */
export const presetPath = (
  slug: string,
  workspace: string | null,
  query: Readonly<Record<string, string | null>> = {},
) => withQuery(`/presets/${slug === TAKEN ? `@${slug}` : slug}`, { workspace, ...query });

/** Slug in a path from `presetPath`. */
export const slugInPath = (segment: string): string => segment.replace(/^(?:@|%40)/, "");
