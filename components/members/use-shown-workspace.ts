import { useQueryState } from "nuqs";
import { parseAsString } from "nuqs/server";

/** Workspace in the URL; the default one if omitted. */
export function useShownWorkspace(): string | undefined {
  const [workspace] = useQueryState("workspace", parseAsString);
  return workspace ?? undefined;
}
