import { useQueryState } from "nuqs";
import { parseAsString } from "nuqs/server";

/** The workspace that the URL names; none = the default one. */
export function useShownWorkspace(): string | undefined {
  const [workspace] = useQueryState("workspace", parseAsString);
  return workspace ?? undefined;
}
