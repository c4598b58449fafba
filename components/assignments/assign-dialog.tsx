import { deferredComponent } from "@/components/ui/deferred-component";

/** Assigns a guardrail to keys or members, with a preview of the changes. */
export const AssignDialog = deferredComponent(() => import("./assign-dialog-body").then((body) => body.AssignDialog));
