/** Maximum number of limits of an organization. */
export const MOST_LIMITS = 1_000;
/** Maximum number of subjects that one limit names. */
export const MOST_SUBJECTS = 100;
