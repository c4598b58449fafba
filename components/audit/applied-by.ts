/** True for requests sent by `signalbox apply`, recognized by their ID prefix. */
export const isFromPolicyFile = (requestId: string): boolean => requestId.startsWith("apply-");
