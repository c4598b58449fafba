/** Maximum number of SCIM tokens of an organization. */
export const MOST_SCIM_TOKENS = 5;
