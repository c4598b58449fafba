import { deferredComponent } from "@/components/ui/deferred-component";

/** Gives keys or members a guardrail, with a preview of who moves from where. */
export const AssignDialog = deferredComponent(() => import("./assign-dialog-body").then((body) => body.AssignDialog));
