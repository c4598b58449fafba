/** Identifiers of RFC 7643 and RFC 7644. */
export const USER_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:User";
export const GROUP_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Group";
export const PATCH_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:PatchOp";
export const LIST_SCHEMA = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/** Resources of a page, at most. */
export const MAX_COUNT = 200;
export const DEFAULT_COUNT = 100;
/** Members of a group that one request adds or removes, at most. */
export const MAX_GROUP_MEMBERS = 10_000;
/** Operations of a PATCH, at most. */
export const MAX_OPERATIONS = 1000;
/** Characters of a path of an attribute, at most. */
export const MAX_PATH_LENGTH = 1000;
/** Characters of a filter, at most. */
export const MAX_FILTER_LENGTH = 2000;
/** Comparisons in a filter, at most. */
export const MAX_FILTER_TERMS = 50;
