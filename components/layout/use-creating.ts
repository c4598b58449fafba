import { useQueryState } from "nuqs";
import { parseAsBoolean } from "nuqs/server";

/** Whether a page's dialog for a new record is open. In the URL, so that links open it. */
export function useCreating(): [isCreating: boolean, setCreating: (isCreating: boolean) => void] {
  const [isCreating, setNew] = useQueryState("new", parseAsBoolean.withDefault(false));
  return [isCreating, (isOpen) => void setNew(isOpen || null)];
}
