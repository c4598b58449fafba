export const GROUP_SOURCES = ["manual", "scim"] as const;
export const GROUP_SORTS = ["name", "created_at"] as const;
/** Maximum number of groups of an organization that are created by hand. */
export const MOST_GROUPS = 1000;
/** Maximum number of members that one request adds or removes. */
export const MOST_CHANGED_MEMBERS = 500;
/** Maximum length of a group's name; that of Entra ID. */
export const MAX_GROUP_NAME = 256;
