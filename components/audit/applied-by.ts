/** Whether `signalbox apply` sent a request: the ids of its requests begin so. */
export const isFromPolicyFile = (requestId: string): boolean => requestId.startsWith("apply-");
