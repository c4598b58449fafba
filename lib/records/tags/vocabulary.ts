/** A tag: a name, or a name and a value. */
export const TAG = /^[\p{L}\p{N}_./-]{1,40}(:[\p{L}\p{N}_./-]{1,60})?$/u;
export const MAX_TAGS = 10;
