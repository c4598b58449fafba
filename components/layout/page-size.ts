/** Rows per page in lists. */
export const PAGE_SIZE = 25;
