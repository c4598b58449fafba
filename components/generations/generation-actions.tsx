"use client";
import { Ellipsis } from "lucide-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keepInMemory, savedConversation } from "@/components/playground/saved-conversation";
import { sessionQuery } from "@/components/session/session-queries";
import { useMay } from "@/components/session/user-context";
import { KEY_VARIABLE } from "@/components/snippets/key-variable";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { lazyComponent } from "@/components/ui/lazy-component";
import { Menu, MenuItem, MenuSeparator } from "@/components/ui/menu";
import { toast } from "@/components/ui/toast";
import { toFailure } from "@/lib/browser/api-failure";
import { copyText } from "@/lib/browser/clipboard";
import { usePageRouter } from "@/lib/browser/page-router";
import type { Generation } from "@/lib/records/generations/contract";
import { conversationOf } from "./conversation-of";
import { DeleteContent } from "./delete-content";
import { generationContentQuery } from "./generation-queries";
import { modelAgain } from "./rebuilt-request";

const TestFromGeneration = lazyComponent(() =>
  import("@/components/policy-tests/test-from-generation").then((file) => file.TestFromGeneration),
);

async function copy(text: string, what: string) {
  if (await copyText(text)) toast.success(`${what} copied`);
  else toast.error("Couldn't copy to the clipboard");
}

const linkTo = (id: string) => `${window.location.origin}/generations/${id}`;
const curlOf = (id: string) =>
  `curl -H "Authorization: Bearer $${KEY_VARIABLE}" "${window.location.origin}/v1/generation?id=${id}"`;

/** Actions menu of a generation. Mutating and evaluating actions need permissions. */
export function GenerationActions({ generation, onLeave }: { generation: Generation; onLeave?: () => void }) {
  const canTest = useMay("guardrails:write");
  const canEditPresets = useMay("presets:write");
  const canReadContents = useMay("contents:read");
  const canDeleteContents = useMay("contents:delete");
  const router = usePageRouter();
  const [opened, setOpened] = useState<"test" | "playground" | "delete" | null>(null);
  const { id, content_stored, key_hash } = generation;
  const openPlayground = useOpenPlayground(generation, onLeave);
  const savePreset = () => {
    onLeave?.();
    router.push(`/presets/new?from_generation=${id}`);
  };
  return (
    <>
      <Menu
        trigger={
          <Button variant="ghost" size="icon" aria-label="Actions for this generation">
            <Ellipsis aria-hidden />
          </Button>
        }
      >
        {canTest && <MenuItem onSelect={() => setOpened("test")}>Create policy test…</MenuItem>}
        {canEditPresets && canReadContents && (
          <MenuItem disabled={!content_stored} onSelect={savePreset}>
            Save as preset…
          </MenuItem>
        )}
        {canReadContents && (
          <MenuItem
            disabled={!content_stored || key_hash === null}
            onSelect={() => (openPlayground.replaces() ? setOpened("playground") : void openPlayground.open())}
          >
            Open in playground
          </MenuItem>
        )}
        {(canTest || canReadContents) && <MenuSeparator />}
        <MenuItem onSelect={() => void copy(id, "ID")}>Copy ID</MenuItem>
        <MenuItem onSelect={() => void copy(linkTo(id), "Link")}>Copy link</MenuItem>
        <MenuItem onSelect={() => void copy(curlOf(id), "Command")}>Copy as curl</MenuItem>
        {canDeleteContents && (
          <>
            <MenuSeparator />
            <MenuItem isDestructive disabled={!content_stored} onSelect={() => setOpened("delete")}>
              Delete content…
            </MenuItem>
          </>
        )}
      </Menu>
      <ConfirmDialog
        open={opened === "playground"}
        onOpenChange={() => setOpened(null)}
        title="Replace the conversation in the playground?"
        action="Replace"
        isDestructive={false}
        onConfirm={() => void openPlayground.open()}
      >
        It has a conversation already, which is lost.
      </ConfirmDialog>
      {opened === "test" && <TestFromGeneration generation={generation} onClose={() => setOpened(null)} />}
      <DeleteContent generation={generation} open={opened === "delete"} onClose={() => setOpened(null)} />
    </>
  );
}

/** The conversation of the playground's first side. */
const SIDE = "a";

/** Opens the stored messages in the playground, where they can be changed and sent again with the same key. */
function useOpenPlayground(generation: Generation, onLeave?: () => void) {
  const client = useQueryClient();
  const router = usePageRouter();
  const userId = useQuery(sessionQuery).data?.user.id ?? "";
  const { id, key_hash } = generation;
  return {
    replaces: () => savedConversation(userId, SIDE) !== null,
    open: async () => {
      try {
        const { data } = await client.query(generationContentQuery(id));
        keepInMemory(userId, SIDE, conversationOf(id, data));
        onLeave?.();
        router.push(`/playground?${new URLSearchParams({ key: key_hash ?? "", model: modelAgain(generation) })}`);
      } catch (error) {
        toast.error(toFailure(error).message);
      }
    },
  };
}
