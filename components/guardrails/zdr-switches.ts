/** Fields that enforce zero data retention for one group of vendors each. */
export const ZDR_SWITCHES = [
  "enforce_zdr_vendor_a",
  "enforce_zdr_vendor_b",
  "enforce_zdr_vendor_c",
  "enforce_zdr_other",
] as const;
