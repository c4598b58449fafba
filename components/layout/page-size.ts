/** Records on one page of the console's lists. */
export const PAGE_SIZE = 25;
