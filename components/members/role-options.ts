import { ROLES } from "@/lib/records/members/vocabulary";

const LABELS = {
  "org:admin": "Admin (manages everything)",
  "org:member": "Member (sees presets and their own keys and requests)",
} as const satisfies Record<(typeof ROLES)[number], string>;

export const ROLE_OPTIONS = ROLES.toReversed().map((value) => ({ value, label: LABELS[value] }));
