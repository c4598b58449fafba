/** "1 model", "1,005 models". `plural` is that of nouns without a regular one. */
export const count = (amount: number, noun: string, plural = `${noun}s`): string =>
  `${amount.toLocaleString("en")} ${amount === 1 ? noun : plural}`;
