import { call } from "@/lib/browser/api-client";
import { listTags } from "@/lib/browser/operations/tags";

const MAX_FOUND = 50;

/** Tags that contain a text, as options of a filter. */
export const findTags = async (q: string) => {
  const { data } = await call(listTags, { query: { limit: MAX_FOUND, ...(q !== "" && { q }) } });
  return data.map(({ tag }) => ({ value: tag, label: tag }));
};
