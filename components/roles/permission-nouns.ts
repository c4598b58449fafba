import { PERMISSION_NAMES, type Permission } from "@/lib/platform/permissions";

const LABELS: Readonly<Record<string, string>> = {
  own_keys: "Own keys",
  sign_in: "Sign-in",
  audit: "Audit log",
};

const nounOf = (permission: Permission): string => permission.split(":")[0] ?? permission;

const labelOf = (noun: string): string => LABELS[noun] ?? noun.charAt(0).toUpperCase() + noun.slice(1);

/** Permissions by noun, in the order of the vocabulary. */
export const PERMISSION_NOUNS: readonly { noun: string; label: string; permissions: readonly Permission[] }[] = [
  ...new Set(PERMISSION_NAMES.map(nounOf)),
].map((noun) => ({
  noun,
  label: labelOf(noun),
  permissions: PERMISSION_NAMES.filter((permission) => nounOf(permission) === noun),
}));

/** The verb of a permission: "read". */
export const verbOf = (permission: Permission): string => permission.split(":")[1] ?? permission;
