/** Rows per page in lists. */
export const PAGE_SIZE = 25;

/** "26–50 of 1,204": the rows of a list that are shown. */
export const rangeText = (offset: number, shown: number, total: number): string => {
  const of = `of ${total.toLocaleString("en")}`;
  return shown > 0 ? `${(offset + 1).toLocaleString("en")}–${(offset + shown).toLocaleString("en")} ${of}` : `0 ${of}`;
};
