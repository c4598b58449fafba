/** Time of the request that a page is rendered for. Relative time ranges end at it. */
export const requestTime = (): number => Date.now();
