"use client";
import { useState } from "react";
import { useMay } from "@/components/session/user-context";
import { isCheck } from "@/components/generations/decision-stages";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { lazyComponent } from "@/components/ui/lazy-component";
import { createException } from "@/lib/browser/operations/exceptions";
import { useOrigin } from "@/lib/browser/use-origin";
import type { Generation } from "@/lib/records/generations/contract";
import type { DecidedRule } from "./liftable-rules";

const GrantDialog = lazyComponent(() => import("./grant-dialog").then((file) => file.GrantDialog));

/** The decision that stopped a request: a block, or else the first exclusion by a guardrail. */
const blockedBy = ({ decisions }: Generation): DecidedRule | undefined =>
  decisions.find(({ action }) => action === "block") ??
  decisions.find(({ action, scope }) => action === "exclude" && scope !== "request");

/**
 * Grants the key of a blocked request an exception; others get a link to ask for it. Exceptions don't lift checks and
 * judges.
 */
export function AllowForKey({ generation }: { generation: Generation }) {
  const [isOpen, setOpen] = useState(false);
  const canGrant = useMay(createException);
  const origin = useOrigin();
  const { key_hash, key_name } = generation;
  const rule = blockedBy(generation);
  if (key_hash === null || !rule || isCheck(rule)) return null;
  if (!canGrant)
    return (
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-[13px]">
        To ask for an exception, send the link to this request to somebody who may grant one.
        <CopyButton size="sm" text={`${origin}/generations/${generation.id}`} label="Copy link">
          Copy link
        </CopyButton>
      </span>
    );
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        Grant exception to key…
      </Button>
      {isOpen && (
        <GrantDialog
          subject={{ key_hash }}
          name={key_name ?? "this key"}
          blockedBy={rule}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
